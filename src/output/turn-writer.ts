/** The contract for turn writers. */
import type {ChatEventBatch} from '../chat/event.ts';
import type {Cost, Prices} from '../cost.ts';
import type {ChatError} from '../errors.ts';
import type {Redact} from '../redact.ts';
import type {WireName} from '../wire-name.ts';
import type {AnswerPart} from './select-output.ts';
import type {Streams} from './streams.ts';
import type {TurnResult} from './turn-result.ts';

/** Context of a result besides the events. */
export type ResultContext = {
	readonly part: AnswerPart;
	/** `built-in`, the base URL, or null if no service was reached. */
	readonly service: string | null;
	/** The request convention; null if no service was reached. */
	readonly wire: WireName | null;
	/** Returns the id of the saved conversation; null if nothing is saved. */
	readonly session: () => string | null;
	readonly redact: Redact;
};

export type WriterOptions = ResultContext & {
	readonly reasoning: 'auto' | 'show' | 'hide';
	readonly isUsageShown: boolean;
	/** Returns the prices of the model at its service. Only called if the output shows the cost. */
	readonly findPrices?: (() => Promise<Prices | undefined>) | undefined;
	readonly isQuiet: boolean;
	readonly isVerbose: boolean;
	/** Opens the live view, on a terminal that can draw one. */
	readonly openView?: (() => Promise<AnswerView>) | undefined;
};

/** A live view of the answer, drawn instead of written. */
export interface AnswerView {
	/** Resolves when more may come. */
	write(batch: ChatEventBatch): Promise<unknown>;
	/** Resolves when the answer is in the scrollback; fails when it could not be drawn. */
	end(): Promise<void>;
}

export type FinishedTurn = {
	readonly result: TurnResult;
	/** The part of the answer to print; undefined if the answer has no such part. */
	readonly selected?: string;
	/** Why the answer has no such part. */
	readonly dataError?: ChatError;
	/** Total cost for all requests, if the prices are known. */
	readonly cost?: Cost | undefined;
};

/** Turns events into bytes. Every method resolves when more may be written. */
export interface TurnWriter {
	/** Called after the notices that precede the request. */
	begin?(): void;
	write(batch: ChatEventBatch): Promise<void>;
	end(turn: FinishedTurn): Promise<void>;
}

export type CreateTurnWriter = (options: WriterOptions, streams: Streams) => TurnWriter;
