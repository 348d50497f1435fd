/** Holds rows back while the highlighter loads: code gets its colours before printing. */
import type {ChatEvent} from '../../chat/event.ts';
import {loadHighlighter} from '../../terminal/markdown/render/highlight.ts';
import type {MarkdownOptions} from '../../terminal/markdown/stream/streamer.ts';

export interface RowQueue {
	/** Shows at once or, while loading, afterwards in the same order. */
	add(show: () => void): void;
	/** Loads the highlighter if the text may have the first code. */
	expect(text: () => string): void;
	isWaiting(): boolean;
	/** Resolves when everything is shown. */
	settled(): Promise<void>;
}

type RowQueueOptions = {
	readonly hasColor: boolean;
	/** Receives the highlighter, before the waiting rows. */
	readonly onLoaded: (highlight: MarkdownOptions['highlight']) => void;
	/** Called after showing the waiting rows. */
	readonly onShown: () => void;
};

export function createRowQueue({hasColor, onLoaded, onShown}: RowQueueOptions): RowQueue {
	let isNeeded = hasColor;
	let waiting: Array<() => void> | undefined;
	let loaded = Promise.resolve();
	const load = async () => {
		// The file is gone after an upgrade meanwhile. Plain code is better than no answer.
		onLoaded(await loadHighlighter().catch(() => undefined));
		const rows = waiting ?? [];
		waiting = undefined;
		for (const show of rows) show();
		onShown();
	};
	return {
		add(show) {
			if (waiting === undefined) show();
			else waiting.push(show);
		},
		expect(text) {
			if (!isNeeded || !hasFence(text())) return;
			isNeeded = false;
			waiting = [];
			loaded = load();
		},
		isWaiting: () => waiting !== undefined,
		settled: () => loaded,
	};
}

/** Whether a text has a fence character. */
function hasFence(text: string): boolean {
	return /[`~]/.test(text);
}

/** Returns the events' answer text. */
export function textOfAnswer(events: readonly ChatEvent[]): string {
	return events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
}
