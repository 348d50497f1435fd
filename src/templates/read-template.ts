/** Reads the file of a template. */
import {existsSync, realpathSync} from 'node:fs';
import {dirname, extname, join, resolve, sep} from 'node:path';
import {ChatError, toChatError} from '../errors.ts';
import {hashOf} from '../files/trust.ts';
import {withoutLines} from '../input/line-range.ts';
import {decodeText, loadTextFile} from '../input/load-text.ts';
import {readFileBytes} from '../input/read-bytes.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../json.ts';
import {mebibyte, shorten} from '../wording.ts';
import {isPromptText} from './expand-template.ts';
import {splitFrontMatter} from './front-matter.ts';
import {listFiles} from './list-files.ts';
import {type FoundTemplate, mainFileOf, type Template, type TemplateKind} from './template.ts';

const maxBytes = mebibyte;

/**
 * @throws {ChatError} `input` for a file that cannot be read, `data` for one that is too large, not
 * text, or has a mistake in its front matter
 */
export async function readTemplate(found: FoundTemplate): Promise<Template> {
	const {path, agreedHash} = found;
	const bytes = await readFileBytes(path, maxBytes, {cwd: dirname(path), isPipeAllowed: false});
	const hash = hashOf(bytes);
	// Threat: a file that is exchanged after it was found among those that the user has agreed to.
	if (agreedHash !== undefined && hash !== agreedHash) {
		throw new ChatError('input', `${path} has changed since you agreed to it`);
	}
	const folder = dirname(findTarget(path));
	const {text, notices} = decodeText(bytes, path);
	const parsed = await parseTemplate(text, found);
	const {kind} = parsed;
	return {
		...found,
		...parsed,
		hash,
		folder,
		// The user has not agreed to the file beside it.
		opening:
			mainFileOf(path) === 'system.md' && agreedHash === undefined ? await readOpening(folder) : '',
		companions: kind === 'skill' ? listCompanions(folder) : [],
		notices,
	};
}

/**
 * Follows links, as to one of the user's dotfiles. Threat: a link to a file that is not a template, such
 * as a key, among templates from elsewhere.
 *
 * @throws {ChatError} `data` for such a link
 */
function findTarget(path: string): string {
	const target = realpathSync(path);
	if (target === resolve(path) || extname(target) === extname(path)) return target;
	throw new ChatError('data', `${path} is a link to ${target}, which is not a template`);
}

export type TemplateReading =
	| {readonly template: Template}
	| {readonly found: FoundTemplate; readonly problem: ChatError};

/** Reads templates to choose from: a mistake in one is reported in its place. */
export async function readTemplates(
	all: readonly FoundTemplate[],
): Promise<readonly TemplateReading[]> {
	const readings: TemplateReading[] = [];
	// Sequential: a process may open only so many files at once.
	for (const found of all) {
		try {
			readings.push({template: await readTemplate(found)});
		} catch (error) {
			readings.push({found, problem: toChatError(error)});
		}
	}
	return readings;
}

type ParsedTemplate = Pick<
	Template,
	'kind' | 'description' | 'argumentHint' | 'params' | 'values' | 'body'
>;

/** @throws {ChatError} `data` for a mistake in the front matter */
async function parseTemplate(
	text: string,
	{path}: Pick<FoundTemplate, 'path'>,
): Promise<ParsedTemplate> {
	const {values, body} = await splitFrontMatter(text.replace(/\r\n?/g, '\n'), path);
	const {description, 'argument-hint': hint, system} = values ?? {};
	const written = oneLine(textOf(description ?? null), 1024);
	return {
		kind: kindOf(path, values, body),
		description: written || firstSentence(body) || firstSentence(textOf(system ?? null)),
		argumentHint: oneLine(textOf(hint ?? null), 200),
		params: readDeclared(values ?? {}, path),
		values: values ?? {},
		body: body.trim(),
	};
}

function kindOf(path: string, values: JsonObject | undefined, body: string): TemplateKind {
	const main = mainFileOf(path);
	if (main !== undefined) return main === 'SKILL.md' ? 'skill' : 'system';
	return values === undefined && !isPromptText(body) ? 'system' : 'prompt';
}

/** `argument-hint: [message]` is a list in YAML, and means the text. */
function textOf(value: JsonValue): string {
	if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`;
	return value === null || typeof value === 'object' ? '' : String(value);
}

function oneLine(text: string, maxLength: number): string {
	return shorten(text.replace(/\s+/g, ' ').trim(), maxLength);
}

/** Returns the beginning of the first line that is not a heading. */
function firstSentence(text: string): string {
	const line = text.split('\n').find((candidate) => /^\s*[^#\s<`-]/.test(candidate)) ?? '';
	return oneLine(line, 100);
}

/** `params: {name: default}`, where null has no default, or a list of names. */
function readDeclared({params = null}: JsonObject, path: string): Template['params'] {
	const entries: ReadonlyArray<readonly [JsonValue, JsonValue]> = Array.isArray(params)
		? params.map((name: JsonValue) => [name, null] as const)
		: Object.entries(isJsonObject(params) ? params : {});
	const isKnown = params === null || typeof params === 'object';
	const wrong = entries.find(
		([name, value]) =>
			typeof name !== 'string' ||
			!/^[A-Za-z_]\w*$/.test(name) ||
			name === 'ARGUMENTS' ||
			name === 'INPUT' ||
			(value !== null && typeof value === 'object'),
	);
	if (!isKnown || wrong !== undefined) {
		const shown = wrong === undefined ? params : wrong[0];
		const problem = `params has ${JSON.stringify(shown)}, but needs names with texts: {language: English}`;
		throw new ChatError('data', `${path}: ${problem}`);
	}
	return Object.fromEntries(
		entries.map(([name, value]) => [String(name), value === null ? null : String(value)]),
	);
}

/** @throws {ChatError} for a file that is there and cannot be read */
async function readOpening(folder: string): Promise<string> {
	const name = 'user.md';
	if (!existsSync(join(folder, name)) || !isInside(folder, name)) return '';
	const {text} = await loadTextFile(name, {cwd: folder, isPipeAllowed: false}, maxBytes);
	return text.trim();
}

/** Whether a path is in the folder once its links are resolved. It may end in lines or a pattern. */
export function isInside(folder: string, path: string): boolean {
	return `${resolveLinks(resolve(folder, path))}${sep}`.startsWith(`${folder}${sep}`);
}

function resolveLinks(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		const file = withoutLines(path);
		if (file !== path) return resolveLinks(file);
		return dirname(path) === path ? path : resolve(resolveLinks(dirname(path)), '_');
	}
}

/** More would fill the prompt. */
const maxCompanions = 50;

function listCompanions(folder: string): readonly string[] {
	return listFiles(folder)
		.filter((path) => path !== 'SKILL.md' && /^[^\p{C}]+$/u.test(path))
		.slice(0, maxCompanions);
}
