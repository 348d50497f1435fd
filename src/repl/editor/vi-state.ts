/** The modes of vi, and what its commands remember. */
import {type BufferPosition, type EditorBuffer, emptyBuffer} from './buffer.ts';

export type ViState = {
	readonly mode: 'insert' | 'normal';
	/** The keys of an unfinished command. */
	readonly pending: string;
	/** The last `f`, `F`, `t` or `T` with its character. */
	readonly find: string;
	/** The last change, for `.`: its keys, and the text that was inserted. */
	readonly change: {readonly keys: string; readonly inserted: EditorBuffer};
	/** Where the insertion began. */
	readonly insertFrom: BufferPosition;
	/** The groups of changes before the command that began the insertion. */
	readonly groupsBefore: number;
};

export const viStart: ViState = {
	mode: 'insert',
	pending: '',
	find: '',
	change: {keys: '', inserted: emptyBuffer},
	insertFrom: {line: 0, column: 0},
	groupsBefore: 0,
};
