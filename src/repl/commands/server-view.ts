/** The run's MCP servers as values. */
import type {ChatError} from '../../errors.ts';
import type {MenuValue} from '../list/menu.ts';

/** A server as shown in the REPL. All texts but its name are untrusted. */
export type ServerView = {
	readonly name: string;
	readonly state: 'known' | 'starting' | 'running' | 'failed';
	/** The failure reason. */
	readonly error?: ChatError;
	/** Whether the server's offer is known. */
	readonly isRead: boolean;
	/** Whether its tools are offered. */
	readonly isEnabled: boolean;
	/** The number of tools. */
	readonly tools: number;
	/** An estimate for the tools in a request. */
	readonly tokens: number;
	readonly prompts: readonly PromptView[];
	/** Resources as mentions name them, after the at sign. */
	readonly resources: readonly MenuValue[];
};

/** A server prompt, called like a command. */
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

/** `/mcp` verbs; `show` is never typed. */
export type ServerVerb = 'show' | 'on' | 'off' | 'log' | 'restart';
