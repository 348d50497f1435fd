/** Where a screen leaves an empty row: the one place that decides it. */
import type {TranscriptEntry} from './state.ts';

/** A part of the screen that a reader sees as one thing. */
export type Block =
	| 'header'
	| 'prompt'
	/** The line of the reasoning, or the pane with it. */
	| 'thought'
	/** Reasoning in the scrollback. */
	| 'reasoning'
	| 'answer'
	| 'tool'
	| 'question'
	/** A notice, a failure, or the mark of an answer that is not whole. */
	| 'notice'
	/** A slash command, above its output. */
	| 'command'
	| 'output'
	/** The place where a prompt is written. */
	| 'editor';

/** The blocks that follow without an empty row. */
const joined: Readonly<Partial<Record<Block, readonly Block[]>>> = {
	answer: ['answer'],
	thought: ['thought', 'reasoning'],
	reasoning: ['reasoning'],
	tool: ['tool'],
	notice: ['notice'],
	command: ['notice', 'output', 'reasoning', 'tool'],
};

/** Whether exactly one empty row belongs between two blocks; none is above the first one. */
export function isApart(before: Block | undefined, after: Block): boolean {
	return before !== undefined && joined[before]?.includes(after) !== true;
}

const blockOfType = {
	answer: 'answer',
	prompt: 'prompt',
	notice: 'notice',
	error: 'notice',
	'reasoning-summary': 'thought',
	truncation: 'notice',
	tool: 'tool',
	question: 'question',
	answered: 'notice',
	reasoning: 'reasoning',
	header: 'header',
	earlier: 'output',
	command: 'command',
	text: 'output',
	table: 'output',
	numbers: 'output',
} as const satisfies Record<TranscriptEntry['type'], Block>;

export function blockOf({type}: TranscriptEntry): Block {
	return blockOfType[type];
}
