/** Loads the highlighter before the first code is shown: rows are final once they are shown. */
import type {ChatEventBatch} from '../../chat/event.ts';
import type {PrepareBatch} from '../../repl/turn/gather-events.ts';
import {loadHighlighter} from '../../terminal/markdown/render/highlight.ts';
import type {MarkdownOptions} from '../../terminal/markdown/stream/streamer.ts';

export function createHighlightLoader(
	setHighlight: (highlight: MarkdownOptions['highlight']) => void,
	{hasColor}: {readonly hasColor: boolean},
): PrepareBatch {
	let isNeeded = hasColor;
	return (batch) => {
		if (!isNeeded || !hasCode(batch)) return undefined;
		isNeeded = false;
		// The file is gone after an upgrade during a session. Plain code is better than no answer.
		return loadHighlighter().then(setHighlight, () => undefined);
	};
}

/** Whether a text has a character of fences. */
function hasCode(batch: ChatEventBatch): boolean {
	return batch.some((event) => event.type === 'text-delta' && /[`~]/.test(event.text));
}
