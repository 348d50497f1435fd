/** What a writer of turns is, and what it is told. */
import type {ChatEventBatch} from '../chat/event.ts';
import type {ChatError} from '../errors.ts';
import type {ResultContext} from './json-shape.ts';
import type {StderrWriter, StdoutWriter} from './streams.ts';
import type {TurnResult} from './turn-result.ts';

export type WriterOptions = ResultContext & {
	readonly reasoning: 'auto' | 'show' | 'hide';
	readonly isUsageShown: boolean;
	readonly isQuiet: boolean;
	readonly isVerbose: boolean;
	/** Opens the live view, on a terminal that can draw one. */
	readonly openView?: (() => AnswerView) | undefined;
};

/** Where a live view of the answer is drawn instead of written. */
export interface AnswerView {
	/** Resolves when more may come. */
	write(batch: ChatEventBatch): Promise<void>;
	/** Resolves when the answer stands as it stays; fails when it could not be drawn. */
	end(): Promise<void>;
}

export type Streams = {readonly stdout: StdoutWriter; readonly stderr: StderrWriter};

export type FinishedTurn = {
	readonly result: TurnResult;
	/** What of the answer is printed; undefined if it has no such part. */
	readonly selected: string | undefined;
	/** Why it has none. */
	readonly dataError: ChatError | undefined;
};

/** Events to bytes. Every method resolves when more may be written. */
export interface TurnWriter {
	/** What is known before the request is made has been written. */
	begin?(): void;
	write(batch: ChatEventBatch): Promise<void>;
	end(turn: FinishedTurn): Promise<void>;
}

export type CreateTurnWriter = (options: WriterOptions, streams: Streams) => TurnWriter;
