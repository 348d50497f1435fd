/**
 * What the streamer's parts have in common. The source comes in pieces that are cut by the source
 * alone, never by how it arrived: so what is shown in the end does not depend on the network.
 */
import type {BlockOptions} from './blocks.ts';
import type {Definitions} from './lexer.ts';
import type {Row} from './span.ts';

/** Longest piece; a line is cut at each multiple of it, and behind its newline. */
export const pieceLength = 256;

export interface BlockParser {
	/** Takes the next piece. */
	add(piece: string): ParseStep;
	/** The source has ended. */
	end(): ParseStep;
	/** The unfinished rest as it would look if `partial` were the end; the last rows suffice. */
	preview(partial: string, maxRows: number): readonly Row[];
}

export type ParseStep = {
	/** What is final now. */
	readonly rows: readonly Row[];
	/** A block that goes on by itself, beginning with `rest`. */
	readonly opened?: BlockParser;
	/** Source for the section that comes after this one; without it this one goes on. */
	readonly rest?: string;
};

/** What all sections of one stream share. */
export type Stream = {
	/** Changes when the terminal does; read it anew each time. */
	options: BlockOptions;
	readonly definitions: Definitions;
};
