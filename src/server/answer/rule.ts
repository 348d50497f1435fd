/** A rule answers the prompts it knows. What it found becomes the reasoning of `sol`. */
import type {Prompt} from '../prompt/prompt.ts';

export type Answer = {
	readonly text: string;
	/** Why this rule answers, as a sentence. */
	readonly reason: string;
};

export type Rule = {
	readonly name: string;
	readonly answer: (prompt: Prompt) => Answer | undefined;
};
