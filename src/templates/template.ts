/** A prompt template as a value: what its file says, checked. */
import {basename} from 'node:path';
import type {Notice} from '../chat/event.ts';
import type {JsonObject} from '../json.ts';

/**
 * A `prompt` is the prompt with places for values, a `skill` is put in front of the prompt, and a
 * `system` template is the system message.
 */
export type TemplateKind = 'prompt' | 'skill' | 'system';

/** The file of a folder that is one template: a skill, or a pattern of fabric. */
export const mainFiles = ['SKILL.md', 'system.md'] as const;

export function mainFileOf(path: string): (typeof mainFiles)[number] | undefined {
	return mainFiles.find((name) => basename(path) === name);
}

/** A template whose file has not been read. */
export type FoundTemplate = {
	/** `review`, or `git:commit` for one in a folder. */
	readonly name: string;
	/** The file, absolute. */
	readonly path: string;
	/** Whether its settings do not count: they are meant for other programs. */
	readonly isTextOnly: boolean;
	/** The hash of the file that the user has agreed to: any other text is refused. */
	readonly agreedHash?: string | undefined;
};

export type Template = FoundTemplate & {
	/** The hash of the bytes that all this was read from. */
	readonly hash: string;
	/** The folder of the file, without links: its paths start there, and may not leave it. */
	readonly folder: string;
	readonly kind: TemplateKind;
	/** A single line with any characters. Empty if there is none. */
	readonly description: string;
	/** The arguments as a person reads them: `<file> [focus]`. One line; any characters. */
	readonly argumentHint: string;
	/** The declared parameters with their defaults; null for one that has to be given. */
	readonly params: Readonly<Record<string, string | null>>;
	/** The front matter. */
	readonly values: JsonObject;
	readonly body: string;
	/** Text that goes before the prompt: `user.md` beside a `system.md`. */
	readonly opening: string;
	/** The other files of a skill, relative to its folder. */
	readonly companions: readonly string[];
	/** Changes to the text when it was decoded. */
	readonly notices: readonly Notice[];
};

/** The values of one use of a template. */
export type TemplateInput = {
	/** All arguments, as typed. */
	readonly text: string;
	/** The arguments as a shell splits them. */
	readonly words: readonly string[];
	/** The text that was piped in. */
	readonly piped: string;
	/** Values of declared parameters, by name. */
	readonly params: Readonly<Record<string, string>>;
};
