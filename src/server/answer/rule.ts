/**
 * What a rule is: a name, and a function that answers a prompt it knows. The words it finds in the
 * prompt are its reasons, and become the reasoning of `sol`.
 */
import type {JsonValue} from '../../json.ts';
import type {Prompt} from './prompt.ts';

export type Answer = {
	readonly text: string;
	/** The answer in as few words as possible, for those who want no more. */
	readonly essence?: JsonValue;
	/** What was found in the request, one sentence each. */
	readonly reasons: readonly string[];
};

export type Rule = {
	readonly name: string;
	readonly answer: (prompt: Prompt) => Answer | undefined;
};
