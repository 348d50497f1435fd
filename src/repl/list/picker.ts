/** Runs the session picker: keeps the state, and does what its keys ask for. */
import {toChatError} from '../../errors.ts';
import {readInput, scheduleAfterInput} from '../../schedule-after-input.ts';
import {createArming} from '../question/ask.ts';
import {createStore, type Store} from '../store.ts';
import type {PickerSession, PickerState, PreviewText} from './picker-state.ts';
import {
	type PickerAction,
	type PickerEffect,
	type PickerMatch,
	reducePicker,
} from './reduce-picker.ts';

/** Reads and changes the files. The iterables pause, so keys are heard. */
export type PickerServices = {
	/** Lists the sessions, the last updated first. */
	list(): AsyncIterable<readonly PickerSession[]>;
	/** Finds the sessions containing all words. */
	search(words: readonly string[]): AsyncIterable<readonly PickerMatch[]>;
	/** @throws {ChatError} if it cannot be read */
	preview(id: string): Promise<readonly PreviewText[]>;
	/**
	 * Returns the saved title.
	 *
	 * @throws {ChatError} if it cannot be changed
	 */
	rename(id: string, title: string): Promise<string>;
	/** @throws {ChatError} if it cannot be deleted */
	delete(id: string): Promise<void>;
	/** Stops the process, as Ctrl-Z does. */
	suspend(): void;
};

export interface Picker extends Store<PickerState, PickerAction, PickerEffect> {
	/** Resolves with the session id to resume; undefined if the user leaves. */
	readonly closed: Promise<string | undefined>;
	close(): void;
}

/** Pauses before effects; another effect of the same type replaces a waiting one. */
const pauses: Readonly<Partial<Record<PickerEffect['type'], number>>> = {
	// Holding a key down reads only the last session.
	preview: 60,
	search: 100,
};

export function openPicker(initial: PickerState, services: PickerServices): Picker {
	let isClosed = false;
	const store = createStore<PickerState, PickerAction, PickerEffect>(initial, (state, action) =>
		isClosed ? undefined : reducePicker(state, action),
	);
	const {dispatch} = store;
	const cancels = new Map<string, () => void>();
	let resolve: (resumeId: string | undefined) => void = () => {};
	const closed = new Promise<string | undefined>((settle) => {
		resolve = settle;
	});

	const arming = createArming(() => dispatch({type: 'question-armed'}));

	/** Reports a failure in the picker, which stays open. */
	const fail = (error: unknown) => dispatch({type: 'failed', text: toChatError(error).message});

	const start = (effect: PickerEffect) => {
		const run = () => void perform(effect).catch(fail);
		const pause = pauses[effect.type];
		if (pause === undefined) return run();
		cancels.get(effect.type)?.();
		cancels.set(effect.type, scheduleAfterInput(run, pause));
	};

	const perform = async (effect: PickerEffect): Promise<void> => {
		switch (effect.type) {
			case 'search':
				return await search(effect.words, effect.searchNumber);
			case 'preview': {
				const {id} = effect;
				return dispatch({type: 'previewed', id, texts: await services.preview(id)});
			}
			case 'rename': {
				const {id, title} = effect;
				return dispatch({type: 'renamed', id, title: await services.rename(id, title)});
			}
			case 'delete':
				// The question is gone from the screen before files are read.
				await readInput();
				await services.delete(effect.id);
				return dispatch({type: 'deleted', id: effect.id});
			case 'arm-question':
				return arming.restart();
			case 'suspend':
				return services.suspend();
			case 'close':
				return close(effect.resumeId);
			default:
				effect satisfies never;
		}
	};

	const list = async () => {
		for await (const sessions of services.list()) {
			if (isClosed) return;
			dispatch({type: 'listed', sessions, isWhole: false});
		}
		dispatch({type: 'listed', sessions: [], isWhole: true});
	};
	const listed = list().catch(fail);

	/** Searches the full texts once all sessions are listed, which also reads their files. */
	const search = async (words: readonly string[], searchNumber: number) => {
		await listed;
		if (words.length === 0) return;
		for await (const matches of services.search(words)) {
			if (isClosed || searchNumber !== store.getState().searchNumber) return;
			dispatch({type: 'matched', searchNumber, matches, isWhole: false});
		}
		dispatch({type: 'matched', searchNumber, matches: [], isWhole: true});
	};

	const close = (resumeId: string | undefined) => {
		isClosed = true;
		arming.cancel();
		for (const cancel of cancels.values()) cancel();
		resolve(resumeId);
	};

	store.subscribe((_action, _state, effects) => {
		for (const effect of effects) start(effect);
	});
	return {
		...store,
		closed,
		close: () => close(undefined),
	};
}
