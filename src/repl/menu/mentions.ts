/** Files that a prompt mentions: `@path`, `@path:10-40`, `@"path with spaces"`. `\\@` is an at sign. */
import type {MenuValue} from './menu.ts';

/** Returns a path as a mention completes it; that of a folder may go on. */
export function mentionValue({text: path, isPartial = false}: MenuValue): MenuValue {
	const isQuoted = /[\s"]/.test(path);
	const text = isQuoted ? `"${path}${isPartial ? '' : '"'}` : path;
	return {text: isPartial ? text : `${text} `, label: path, isPartial};
}
