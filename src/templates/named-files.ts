/** The files that a template names, and whether it may. */
import {realpathSync} from 'node:fs';
import {dirname, resolve, sep} from 'node:path';
import {withoutLines, withoutPunctuation} from '../input/line-range.ts';
import type {Template} from './template.ts';

/** Whether the text has commands for a shell: `` !`git diff` `` or `!{git diff}`. They are never run. */
export function hasCommands({body}: Pick<Template, 'body'>): boolean {
	return /(?:^|\s)!`[^`\n]+`|!\{[^}\n]+\}/.test(body);
}

/** Returns the words of a text that may be paths of files: `@docs/rules.md`. */
export function findMentions({body}: Pick<Template, 'body'>): readonly string[] {
	const words = [...body.matchAll(/(?<![^\s("'[])@([^\s`"'()[\]<>]+)/g)];
	const paths = words.map(([, path = '']) => withoutPunctuation(path));
	return [...new Set(paths)].filter((path) => /[\p{L}\p{N}]/u.test(path));
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
