/** The formats of templates of other programs. */
import {isPromptText} from '../expand-template.ts';
import {convertAichat} from './aichat.ts';
import {convertLlm} from './llm.ts';

export type ImportFormat = {
	/** Whether a file in a folder may have this format, by its path. */
	readonly fits: (path: string) => boolean;
	/** Returns the text as a template; undefined if it has another format. */
	readonly convert: (
		text: string,
		path: string,
	) => string | undefined | Promise<string | undefined>;
};

/** The first one that can convert a text does. */
export const importFormats: readonly ImportFormat[] = [
	{fits: (path) => /\.ya?ml$/i.test(path), convert: convertLlm},
	{fits: (path) => /\.md$/i.test(path), convert: convertAichat},
	{fits: (path) => /\.md$/i.test(path), convert: convertMarkdown},
];

/** Commands and prompts of other programs are prompts also without front matter. */
function convertMarkdown(text: string, path: string): string {
	const isCommand = /(?:^|[\\/])(?:commands?|prompts)[\\/]/.test(path);
	const isPrompt = /^\ufeff?---[ \t]*\r?\n/.test(text) || isPromptText(text);
	return isCommand && !isPrompt ? `---\n---\n${text}` : text;
}
