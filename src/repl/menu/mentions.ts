/** Files that a prompt mentions: `@path`, `@path:10-40`, `@"path with spaces"`. `\\@` is an at sign. */
import type {Fold, Prompt} from '../../chat/prompt.ts';
import type {LoadedMention} from '../action.ts';
import {isSameAs, withNew} from '../attachment-commands.ts';
import type {EditorBuffer} from '../editor/buffer.ts';
import type {MenuValue} from './menu.ts';

/** Returns a path as a mention completes it; that of a folder may go on. */
export function mentionValue({text: path, isPartial = false, ...value}: MenuValue): MenuValue {
	const isQuoted = /[\s"]/.test(path);
	const text = isQuoted ? `"${path}${isPartial ? '' : '"'}` : path;
	return {...value, text: isPartial ? text : `${text} `, label: path, isPartial};
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

/** Attaches the files, and links them to their places in the text. */
export function withMentions(prompt: Prompt, loaded: readonly LoadedMention[]): Prompt {
	const {text, folds = []} = prompt;
	const added = loaded.flatMap(({attachments}) => attachments);
	const attachments = added.reduce(withNew, prompt.attachments);
	const links = [...text.matchAll(mention)].flatMap((match): readonly Fold[] => {
		const [whole, quoted, plain] = match;
		const from = match.index + whole.indexOf('@');
		const to = match.index + whole.length;
		const found = loaded.find((candidate) => candidate.mention === (quoted ?? plain));
		const isInside = folds.some((fold) => from < fold.to && to > fold.from);
		if (found === undefined || isInside) return [];
		const indices = found.attachments.map((one) => attachments.findIndex(isSameAs(one)));
		return [{from, to, label: text.slice(from, to), attachments: indices}];
	});
	const all = [...folds, ...links].sort((one, other) => one.from - other.from);
	return {...prompt, attachments, folds: all};
}

/** Returns a text of somebody else, which must not attach a file of the user. */
export function escapeMentions(text: string): string {
	return text.replace(/(^|\s)@/g, '$1\\@');
}

/** Returns a line as it is sent. */
export function unescapeMentions(line: string): string {
	return line.replace(/(^|\s)\\@/g, '$1@');
}
