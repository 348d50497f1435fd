/** Files that a prompt mentions: `@path`, `@path:10-40`, `@"path with spaces"`. `\\@` is an at sign. */
import type {EditorBuffer} from '../editor/buffer.ts';
import type {MenuValue} from './menu.ts';

/** Returns a path as a mention completes it; that of a folder may go on. */
export function mentionValue({text: path, isPartial = false}: MenuValue): MenuValue {
	const isQuoted = /[\s"]/.test(path);
	const text = isQuoted ? `"${path}${isPartial ? '' : '"'}` : path;
	return {text: isPartial ? text : `${text} `, label: path, isPartial};
}

/** At the start or after white space; the marks of pastes end it. */
const mention = /(?:^|\s)@(?:"([^"\u0080-\u009f]+)"|([^\s"\u0080-\u009f]+))/g;

/** Returns the texts after at signs, each once; not those in long pastes. */
export function findMentions({lines}: EditorBuffer): readonly string[] {
	const found = lines.flatMap((line) =>
		[...line.matchAll(mention)].map(([, quoted, plain = '']) => quoted ?? plain),
	);
	return [...new Set(found)];
}

/** Returns a line as it is sent. */
export function unescapeMentions(line: string): string {
	return line.replace(/(^|\s)\\@/g, '$1@');
}
