/** The interface of the streamer's parsers. */
import type {BlockOptions} from '../render/blocks.ts';
import type {Row} from '../render/span.ts';
import type {Definitions} from './lexer.ts';

/** Longest piece. The source alone decides where it is cut, so rows do not depend on the network. */
export const pieceLength = 256;

export interface BlockParser {
	add(piece: string): ParseStep;
	/** Ends the source. */
	end(): ParseStep;
	/** Returns the unfinished rest as if `partial` were the end, at least its last rows. */
	preview(partial: string, maxRows: number): readonly Row[];
}

export type ParseStep = {
	/** The rows that became final. */
	readonly rows: readonly Row[];
	/** A parser for the open block, whose source begins with `rest`. */
	readonly opened?: BlockParser;
	/** The source after this parser's block; without it the parser goes on. */
	readonly rest?: string;
};

/** The state that all parsers of a stream share. */
export type Stream = {
	/** Changes with the terminal, so read it each time. */
	options: BlockOptions;
	readonly definitions: Definitions;
};

/** Returns the options for text that is not final. */
export function previewOptions({options}: Stream): BlockOptions {
	return {...options, notes: options.notes.preview(), hasLongRows: false};
}
