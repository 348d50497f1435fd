/**
 * File mentions in a prompt: `@path`, `@path:10-40`, `@"path with spaces"`. `\\@` is an at sign.
 */
import type {Fold, Prompt} from '../../chat/prompt.ts';
import {isSameAs, withNew} from '../commands/attachment-commands.ts';
import {atSign} from '../editor/signs.ts';
import type {LoadedMention} from '../services.ts';
import type {MenuValue} from './menu.ts';

/** Formats a path as a mention; a folder's path may go on. */
export function mentionValue({text: path, isPartial = false, ...value}: MenuValue): MenuValue {
	const isQuoted = /[\s"]/.test(path);
	const text = isQuoted ? `"${path}${isPartial ? '' : '"'}` : path;
	return {...value, text: isPartial ? text : `${text} `, label: path, isPartial};
}

/** The mentioning part of a text. */
type Mention = {readonly from: number; readonly to: number; readonly name: string};

/** Returns typed mentions; any other at sign is text. */
function mentionsIn({text, folds = [], signs = []}: Prompt): readonly Mention[] {
	const mentions: Mention[] = [];
	for (const from of signs) {
		const isInside = from < (mentions.at(-1)?.to ?? 0);
		if (text[from] !== '@' || isInside || /\S/.test(text.charAt(from - 1))) continue;
		const end = folds.find((fold) => fold.from > from)?.from;
		const [whole, quoted, plain = ''] =
			/^@(?:"([^"\n]+)"|([^\s"]+))/.exec(text.slice(from, end)) ?? [];
		if (whole !== undefined) mentions.push({from, to: from + whole.length, name: quoted ?? plain});
	}
	return mentions;
}

/** Returns the texts after the at signs, each once. */
export function findMentions(draft: Prompt): readonly string[] {
	return [...new Set(mentionsIn(draft).map(({name}) => name))];
}

/** Attaches the files, and links them to their places in the text. */
export function withMentions<Sent extends Prompt>(
	prompt: Sent,
	loaded: readonly LoadedMention[],
): Sent {
	const {text, folds = []} = prompt;
	const added = loaded.flatMap(({attachments}) => attachments);
	const attachments = added.reduce(withNew, prompt.attachments);
	const links = mentionsIn(prompt).flatMap(({from, to, name}): readonly Fold[] => {
		const found = loaded.find(({mention}) => mention === name);
		if (found === undefined) return [];
		const indices = found.attachments.map((one) => attachments.findIndex(isSameAs(one)));
		return [{from, to, label: text.slice(from, to), attachments: indices}];
	});
	const all = [...folds, ...links].sort((one, other) => one.from - other.from);
	return {...prompt, attachments, folds: all};
}

/** Returns a line for sending: an at sign typed after a backslash is text. */
export function unescapeMentions(line: string): string {
	return line.replace(escapedSign, '$1@');
}

const escapedSign = new RegExp(`(^|\\s)\\\\${atSign}`, 'g');
