/** The files a template names: in its front matter, and as `@path` in its text. */
import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {ChatError, toChatError} from '../../../errors.ts';
import {withoutLines, withoutPunctuation} from '../../../input/line-range.ts';
import type {JsonObject, JsonValue} from '../../../json.ts';
import {loadTemplate} from '../../../settings/options/load-settings.ts';
import {isSchemaPath} from '../../../settings/options/parsers.ts';
import {createTemplateLayer, type TemplateLayer} from '../../../settings/options/template-layer.ts';
import {isInside, type TemplateReading} from '../../../templates/read-template.ts';
import type {Template} from '../../../templates/template.ts';

export type NamedFile = {
	/** The path as written in the template. */
	readonly path: string;
	/** The path's base folder, absolute. */
	readonly cwd: string;
	/** Whether it is in the template's folder. */
	readonly isInside: boolean;
	/** Whether the run needs it. A mention can stay text. */
	readonly isNeeded: boolean;
	/** Whether it goes with the prompt; otherwise a setting reads it. */
	readonly isAttached: boolean;
};

/** Files and settings are named there, and in the body. */
type FrontMatter = Pick<Template, 'path' | 'folder' | 'values' | 'isTextOnly' | 'body'>;

/**
 * Reads a template's settings; none if they do not count.
 *
 * @throws {ChatError} `data` for malformed settings
 */
export function readLayer({path, folder, values, isTextOnly}: FrontMatter): TemplateLayer {
	return createTemplateLayer(isTextOnly ? {} : values, {
		location: `in ${path}`,
		directory: folder,
	});
}

/** @throws {ChatError} `data` unless `files` is a list of paths, and as `readLayer` does */
export function findNamedFiles(
	template: FrontMatter,
	cwd: string,
	layer = readLayer(template),
): readonly NamedFile[] {
	const {folder, path: file, isTextOnly} = template;
	const needed = (isAttached: boolean) => (path: string) => ({
		path,
		cwd: folder,
		isInside: isInside(folder, path),
		isNeeded: true,
		isAttached,
	});
	return [
		...readFiles(isTextOnly ? {} : template.values, file).map(needed(true)),
		...pathsOfSettings(layer).map(needed(false)),
		...findMentions(template).flatMap((path) => findMentioned(path, folder, cwd)),
	];
}

function readFiles({files = []}: JsonObject, file: string): readonly string[] {
	const paths = [files].flat();
	const isText = (path: JsonValue): path is string => typeof path === 'string' && path !== '';
	if (paths.every(isText)) return paths;
	throw new ChatError('data', `${file}: files has to be a list of paths`);
}

/** Uses setting names, because config keys have several spellings. */
function pathsOfSettings({values: {system, tools, jsonSchema}}: TemplateLayer): readonly string[] {
	const textsOf = (setting: typeof system) =>
		[setting?.json ?? []].flat().filter((value) => typeof value === 'string');
	return [
		...textsOf(system).flatMap((text) => (text.startsWith('@') ? text.slice(1) : [])),
		...textsOf(tools),
		...textsOf(jsonSchema).filter(isSchemaPath),
	];
}

/** Returns words resembling file paths: `@docs/rules.md`. */
function findMentions({body}: FrontMatter): readonly string[] {
	const words = [...body.matchAll(/(?<![^\s("'[])@([^\s`"'()[\]<>]+)/g)];
	const paths = words.map(([, path = '']) => withoutPunctuation(path));
	return [...new Set(paths)].filter((path) => /[\p{L}\p{N}]/u.test(path));
}

/** A path without a file is text, such as a user name. */
function findMentioned(path: string, folder: string, cwd: string): readonly NamedFile[] {
	const mention = {path, isNeeded: false, isAttached: true};
	const exists = (base: string) => existsSync(resolve(base, withoutLines(path)));
	if (exists(folder)) return [{...mention, cwd: folder, isInside: isInside(folder, path)}];
	return /[./\\]/.test(path) && exists(cwd) ? [{...mention, cwd, isInside: false}] : [];
}

/** Whether the text has commands for a shell: `` !`git diff` `` or `!{git diff}`. They are never run. */
export function hasCommands({body}: Template): boolean {
	return /(?:^|\s)!`[^`\n]+`|!\{[^}\n]+\}/.test(body);
}

/** Returns a template's mistake, if any. */
export function findMistake(
	reading: TemplateReading,
	{cwd}: Pick<Environment, 'cwd'>,
): ChatError | undefined {
	if ('problem' in reading) return reading.problem;
	try {
		const layer = readLayer(reading.template);
		loadTemplate(layer);
		findNamedFiles(reading.template, cwd, layer);
		return undefined;
	} catch (error) {
		return toChatError(error);
	}
}
