/** Writes templates into the user's own folder, for the user alone. */
import {existsSync, renameSync, rmdirSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {ChatError} from '../errors.ts';
import {makeFolders} from '../files/private-files.ts';
import type {JsonObject} from '../json.ts';
import {findInFolder, isTemplateName} from './find-templates.ts';

/**
 * Returns the file of a new template.
 *
 * @param own the user's own folder
 * @param main the file in a folder that is one template: `SKILL.md`
 * @throws {ChatError} `usage` for a name that cannot be one, or that the other kind has
 */
export function fileOf(own: string, name: string, main?: string): string {
	if (!isTemplateName(name)) {
		const rule = 'use letters, digits, and . _ + - between them; git:commit is in the folder git';
		throw new ChatError('usage', `"${name}" is not a valid name for a template: ${rule}`);
	}
	const folder = join(own, ...name.split(':'));
	const file = main === undefined ? `${folder}.md` : join(folder, main);
	const single = findInFolder(folder);
	const other = single ?? `${folder}.md`;
	if (other === file || !existsSync(other)) return file;
	throw new ChatError('usage', `the template ${name} exists as ${other}, which is in the way`);
}

/** Returns the text of a template. */
export async function formatTemplate(
	comment: string,
	values: JsonObject,
	body: string,
): Promise<string> {
	const {default: yaml} = await import('yaml');
	const hasValues = Object.keys(values).length > 0;
	const text = hasValues ? yaml.stringify(values, {lineWidth: 0}) : '';
	return `---\n# ${comment}\n${text}---\n${body === '' ? '' : `${body}\n`}`;
}

/**
 * Moves the file or the folder of a template.
 *
 * @param own the user's own folder, which both are in
 */
export function moveTemplate(from: string, to: string, own: string): void {
	makeFolders(dirname(to));
	renameSync(from, to);
	removeEmpty(dirname(from), own);
}

/** Removes the file or the folder of a template in the user's own folder. */
export function removeTemplate(path: string, own: string): void {
	rmSync(path, {recursive: true});
	removeEmpty(dirname(path), own);
}

/** Removes folders that only grouped what is gone. */
function removeEmpty(folder: string, own: string): void {
	if (folder === own) return;
	try {
		rmdirSync(folder);
	} catch {
		return;
	}
	removeEmpty(dirname(folder), own);
}
