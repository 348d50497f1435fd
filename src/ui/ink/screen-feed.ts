/**
 * Passes what happens in a session on to the screen. The first code waits until it can be coloured,
 * because rows are final once they are shown.
 */
import type {Action} from '../../repl/action.ts';
import type {Session, SessionListener} from '../../repl/session.ts';
import {loadHighlighter} from '../../terminal/markdown/highlight.ts';
import type {ScreenStore} from './screen-store.ts';

export type ScreenFeed = {
	readonly push: SessionListener;
	/** Resolves when the screen has been given everything. */
	settle(): Promise<void>;
};

export function createScreenFeed(
	store: ScreenStore,
	session: Pick<Session, 'hold'>,
	{hasColor}: {readonly hasColor: boolean},
): ScreenFeed {
	let waiting: Array<Parameters<SessionListener>> = [];
	let loading: Promise<void> | undefined;
	let isReady = !hasColor;
	const load = async () => {
		store.setHighlight(await loadHighlighter());
		isReady = true;
		for (const news of waiting) store.apply(...news);
		waiting = [];
	};
	return {
		push(...news) {
			if (!isReady && loading === undefined && hasCode(news[0])) {
				loading = load();
				session.hold(loading);
			}
			if (isReady || loading === undefined) store.apply(...news);
			else waiting.push(news);
		},
		async settle() {
			await loading;
		},
	};
}

/** Whether a text holds what a fence is made of. */
function hasCode(action: Action): boolean {
	if (action.type !== 'events') return false;
	return action.events.some((event) => event.type === 'text-delta' && /[`~]/.test(event.text));
}
