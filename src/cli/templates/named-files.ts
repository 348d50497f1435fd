/** The files that a template names: in its front matter, and as `@path` in its text. */
import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {ChatError} from '../../errors.ts';
import type {JsonObject, JsonValue} from '../../json.ts';
import {isSchemaPath} from '../../settings/options/parsers.ts';
import {findMentions, isInside} from '../../templates/named-files.ts';
import type {Template} from '../../templates/template.ts';

export type NamedFile = {
	/** As the template has it. */
	readonly path: string;
	/** The folder that the path starts from, absolute. */
	readonly cwd: string;
	/** Whether it is in the folder of the template. */
	readonly isInside: boolean;
	/** Whether the run cannot do without it. A mention can stay text. */
	readonly isNeeded: boolean;
	/** Whether it goes with the prompt; a setting reads it otherwise. */
	readonly isAttached: boolean;
};

/** @throws {ChatError} `data` for `files` that are not a list of paths */
export function findNamedFiles(template: Template, cwd: string): readonly NamedFile[] {
	const {folder, path: file, isTextOnly} = template;
	const front = isTextOnly ? {} : template.values;
	const needed = (isAttached: boolean) => (path: string) => ({
		path,
		cwd: folder,
		isInside: isInside(folder, path),
		isNeeded: true,
		isAttached,
	});
	return [
		...readFiles(front, file).map(needed(true)),
		...pathsOfSettings(front).map(needed(false)),
		...findMentions(template).flatMap((path) => findMentioned(path, folder, cwd)),
	];
}

function readFiles({files = []}: JsonObject, file: string): readonly string[] {
	const paths = [files].flat();
	const isText = (path: JsonValue): path is string => typeof path === 'string' && path !== '';
	if (paths.every(isText)) return paths;
	throw new ChatError('data', `${file}: files has to be a list of paths`);
}

function pathsOfSettings(front: JsonObject): readonly string[] {
	const {system, tools = [], 'json-schema': schema} = front;
	const texts = [tools].flat().filter((path) => typeof path === 'string');
	return [
		...(typeof system === 'string' && system.startsWith('@') ? [system.slice(1)] : []),
		...texts,
		...(typeof schema === 'string' && isSchemaPath(schema) ? [schema] : []),
	];
}

/** A path that no file has is text, such as the name of a user. */
function findMentioned(path: string, folder: string, cwd: string): readonly NamedFile[] {
	const mention = {path, isNeeded: false, isAttached: true};
	const exists = (base: string) => existsSync(resolve(base, path.replace(/:\d+(?:-\d*)?$/, '')));
	if (exists(folder)) return [{...mention, cwd: folder, isInside: isInside(folder, path)}];
	return /[./\\]/.test(path) && exists(cwd) ? [{...mention, cwd, isInside: false}] : [];
}
