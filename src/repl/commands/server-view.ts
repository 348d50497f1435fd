/** The MCP servers of the run as values. */
import type {ChatError} from '../../errors.ts';
import type {MenuValue} from '../list/menu.ts';

/** A server as the REPL shows it. All texts but its name are untrusted. */
export type ServerView = {
	readonly name: string;
	readonly state: 'known' | 'starting' | 'running' | 'failed';
	/** Why it failed. */
	readonly error?: ChatError;
	/** Whether it is known what the server offers. */
	readonly isRead: boolean;
	/** Whether its tools are offered. */
	readonly isEnabled: boolean;
	/** The number of its tools. */
	readonly tools: number;
	/** An estimate for the tools in a request. */
	readonly tokens: number;
	readonly prompts: readonly PromptView[];
	/** Resources as mentions name them, after the at sign. */
	readonly resources: readonly MenuValue[];
};

/** A prompt of a server, which is called like a command. */
export type PromptView = {
	/** `github:review` */
	readonly name: string;
	readonly description: string;
	readonly parameters: ReadonlyArray<{
		readonly name: string;
		readonly description: string;
		readonly isRequired: boolean;
	}>;
};

/** The verbs of `/mcp`; `show` is not written. */
export type ServerVerb = 'show' | 'on' | 'off' | 'log' | 'restart';
