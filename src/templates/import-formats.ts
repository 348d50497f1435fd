/** Finds and converts templates of other programs. */
import {ChatError} from '../errors.ts';
import {isJsonObject, type JsonValue} from '../json.ts';
import {isPromptText} from './expand-template.ts';
import {findInFolder, isFolder, maxDepth, templateAt, walkTemplates} from './find-templates.ts';
import {readYaml, splitFrontMatter} from './front-matter.ts';
import type {FoundTemplate} from './template.ts';
import {formatTemplate} from './write-template.ts';

export type TemplateFormat = {
	/** Whether a file in a folder may have this format, by its path. */
	readonly fits: (path: string) => boolean;
	/**
	 * Returns the text as a template; undefined if it has another format.
	 *
	 * @throws {ChatError} `data` for a mistake in the YAML, or a variable that ours cannot express
	 */
	readonly convert: (
		text: string,
		path: string,
	) => string | undefined | Promise<string | undefined>;
};

/** The first one that can convert a text does. */
export const templateFormats: readonly TemplateFormat[] = [
	{fits: (path) => /\.ya?ml$/i.test(path), convert: convertLlm},
	{fits: (path) => /\.md$/i.test(path), convert: convertAichat},
	{fits: (path) => /\.md$/i.test(path), convert: convertMarkdown},
];

/**
 * Threat: a link in the folder of somebody else, to a file of the user that would be copied.
 *
 * @param path of a file or a folder, absolute
 */
export function findForeignTemplates(path: string): readonly FoundTemplate[] {
	if (!isFolder(path)) return [templateAt(path)];
	const single = findInFolder(path, false);
	if (single !== undefined) return [templateAt(single)];
	const fits = (file: string) => templateFormats.some((format) => format.fits(file));
	return walkTemplates(path, {fits, maxDepth, hasLinks: false});
}

/** Commands and prompts of other programs are prompts also without front matter. */
function convertMarkdown(text: string, path: string): string {
	const isCommand = /(?:^|[\\/])(?:commands?|prompts)[\\/]/.test(path);
	const isPrompt = /^\ufeff?---[ \t]*\r?\n/.test(text) || isPromptText(text);
	return isCommand && !isPrompt ? `---\n---\n${text}` : text;
}

/** The places of ours where a prompt of other programs has all that is typed or piped in. */
const inputPlaces = '$ARGUMENTS$INPUT';

/** A role is Markdown with `__INPUT__` where the prompt goes; without it, a system message. */
async function convertAichat(text: string, path: string): Promise<string | undefined> {
	const isRole = /(?:^|[\\/])roles[\\/][^\\/]+$/.test(path) || text.includes('__INPUT__');
	if (!isRole) return undefined;
	const {values = {}, body} = await splitFrontMatter(unixLines(text), path);
	const {model, ...others} = values;
	// `openai:gpt-4o` has the name of a client before it.
	const named = typeof model === 'string' ? {model: model.replace(/^[^:]*:/, '')} : {};
	// Dollars that would be variables of ours.
	const prompt = body.trim().replace(/\$(?=[$1-9]|ARGUMENTS\b|INPUT\b)/g, '$$$$');
	const isPrompt = prompt.includes('__INPUT__');
	const system = isPrompt ? {} : {system: prompt};
	return await formatTemplate(
		'Imported from a role of aichat',
		{...named, ...others, ...system},
		isPrompt ? prompt.replaceAll('__INPUT__', () => inputPlaces) : '',
	);
}

/** `$name` or `${name}`, two dollars, which are one in both, or a dollar that ours would read otherwise. */
const llmVariable = /\$(?:\$|\{([a-z_]\w*)\}(?=(\w?))|([a-z_]\w*)|(?=[1-9]))/gi;

/** A template is YAML; its variables become parameters, but for `$input`. */
async function convertLlm(text: string, path: string): Promise<string | undefined> {
	const isYaml = /^(?:prompt|system)\s*:/m.test(text) && !(path === '-' && text.startsWith('---'));
	if (!isYaml) return undefined;
	const clean = unixLines(text).replace(/^\ufeff/, '');
	const {prompt, system, defaults, schema_object, ...others} = await readYaml(clean, path, 1);
	const given = isJsonObject(defaults) ? defaults : {};
	const params: Record<string, JsonValue> = {};
	const convert = (written: string) =>
		written.replace(llmVariable, (whole, braced?: string, next = '', plain?: string) => {
			const name = braced ?? plain;
			if (name === undefined) return '$$';
			if (name === 'input') return inputPlaces;
			if (next !== '') {
				const problem = `a letter follows ${whole}, which would be a part of the name here`;
				throw new ChatError('data', `${path}: ${problem}`);
			}
			params[name] = Object.hasOwn(given, name) ? (given[name] ?? null) : null;
			return `$${name}`;
		});
	const body = typeof prompt === 'string' ? convert(prompt).trim() : '';
	const role = typeof system === 'string' ? convert(system) : undefined;
	const values = {
		...others,
		...(schema_object !== undefined && {'json-schema': schema_object}),
		...(role !== undefined && {system: role}),
		...(Object.keys(params).length > 0 && {params}),
	};
	return await formatTemplate('Imported from a template of llm', values, body);
}

function unixLines(text: string): string {
	return text.replace(/\r\n?/g, '\n');
}
