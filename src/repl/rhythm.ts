/** Decides where a screen leaves an empty row. */
import type {TranscriptEntry} from './state.ts';

/** A screen block. */
export type Block =
	| 'header'
	| 'prompt'
	/** The reasoning line or pane. */
	| 'thought'
	/** Reasoning in the scrollback. */
	| 'reasoning'
	| 'answer'
	| 'tool'
	| 'question'
	/** A notice, a failure, or an end mark. */
	| 'notice'
	/** A slash command, above its output. */
	| 'command'
	| 'output'
	/** The place where a prompt is written. */
	| 'editor';

/** The blocks following without an empty row. */
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
	sources: 'output',
	quotations: 'notice',
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
