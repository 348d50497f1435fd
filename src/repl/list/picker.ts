/** Runs the session picker: keeps the state, and does what its keys ask for. */
import {toChatError} from '../../errors.ts';
import {scheduleAfterInput} from '../../schedule-after-input.ts';
import {createArming} from '../question/ask.ts';
import type {PickerSession, PickerState, PreviewText} from './picker-state.ts';
import {
	type PickerAction,
	type PickerEffect,
	type PickerMatch,
	reducePicker,
} from './reduce-picker.ts';

/** Reads and changes the files. The iterables pause, so that keys are heard. */
export type PickerServices = {
	/** Lists the sessions, the last updated first. */
	list(): AsyncIterable<readonly PickerSession[]>;
	/** Finds the sessions that have all of the words. */
	search(words: readonly string[]): AsyncIterable<readonly PickerMatch[]>;
	/** @throws {ChatError} if it cannot be read */
	preview(id: string): Promise<readonly PreviewText[]>;
	/**
	 * Returns the title as it is saved.
	 *
	 * @throws {ChatError} if it cannot be changed
	 */
	rename(id: string, title: string): Promise<string>;
	/** @throws {ChatError} if it cannot be deleted */
	delete(id: string): Promise<void>;
	/** Stops the process, as Ctrl-Z does. */
	suspend(): void;
};

export interface Picker {
	getState(): PickerState;
	/** Returns a function that ends the subscription. */
	subscribe(listener: () => void): () => void;
	dispatch(action: PickerAction): void;
	/** Resolves with the id of the session to resume; undefined if the user leaves. */
	readonly closed: Promise<string | undefined>;
	close(): void;
}

/** A preview is read after a pause, so that holding a key down reads only the last session. */
const previewMs = 60;

/** Files are searched after a pause in typing. */
const searchMs = 100;

export function openPicker(initial: PickerState, services: PickerServices): Picker {
	let state = initial;
	let isClosed = false;
	let cancelPreview = () => {};
	let cancelSearch = () => {};
	const listeners = new Set<() => void>();
	let resolve: (resumeId: string | undefined) => void = () => {};
	const closed = new Promise<string | undefined>((settle) => {
		resolve = settle;
	});

	const dispatch = (action: PickerAction) => {
		if (isClosed) return;
		const next = reducePicker(state, action);
		state = next.state;
		for (const effect of next.effects) perform(effect);
		for (const listener of listeners) listener();
	};

	const arming = createArming(() => dispatch({type: 'delete-armed'}));

	/** Reports a failure in the picker, which stays open. */
	const fail = (error: unknown) => dispatch({type: 'failed', text: toChatError(error).message});

	const perform = (effect: PickerEffect) => {
		switch (effect.type) {
			case 'search':
				cancelSearch();
				if (effect.words.length === 0) break;
				cancelSearch = scheduleAfterInput(
					() => search(effect.words, effect.searchNumber).catch(fail),
					searchMs,
				);
				break;
			case 'preview':
				cancelPreview();
				cancelPreview = scheduleAfterInput(() => preview(effect.id).catch(fail), previewMs);
				break;
			case 'rename':
				rename(effect.id, effect.title).catch(fail);
				break;
			case 'delete':
				remove(effect.id).catch(fail);
				break;
			case 'arm-delete':
				arming.restart();
				break;
			case 'suspend':
				services.suspend();
				break;
			case 'close':
				close(effect.resumeId);
				break;
			default:
				effect satisfies never;
		}
	};

	const preview = async (id: string) =>
		dispatch({type: 'previewed', id, texts: await services.preview(id)});

	const rename = async (id: string, title: string) =>
		dispatch({type: 'renamed', id, title: await services.rename(id, title)});

	const remove = async (id: string) => {
		await services.delete(id);
		dispatch({type: 'deleted', id});
	};

	const search = async (words: readonly string[], searchNumber: number) => {
		for await (const matches of services.search(words)) {
			if (isClosed || searchNumber !== state.searchNumber) return;
			dispatch({type: 'matched', searchNumber, matches, isWhole: false});
		}
		dispatch({type: 'matched', searchNumber, matches: [], isWhole: true});
	};

	const list = async () => {
		for await (const sessions of services.list()) {
			if (isClosed) return;
			dispatch({type: 'listed', sessions, isWhole: false});
		}
		dispatch({type: 'listed', sessions: [], isWhole: true});
	};

	const close = (resumeId: string | undefined) => {
		isClosed = true;
		cancelPreview();
		cancelSearch();
		arming.cancel();
		resolve(resumeId);
	};

	list().catch(fail);
	return {
		getState: () => state,
		subscribe(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		dispatch,
		closed,
		close: () => close(undefined),
	};
}
