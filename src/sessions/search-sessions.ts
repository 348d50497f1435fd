/** Searches the prompts and answers of all sessions. */
import {readFileSync} from 'node:fs';
import {createRecordReader} from './read-records.ts';
import type {SessionFile} from './session-files.ts';
import type {SessionRecord} from './session-record.ts';

export type SearchMatch = {
	readonly role: 'user' | 'assistant';
	/** The place of the first text, and some words around it. */
	readonly excerpt: string;
};

/** Returns a form in which texts are equal whatever their case and their accents. */
function fold(text: string): string {
	// Most files are ASCII, and this takes a tenth of the time.
	const isPlain = !/[^\0-\x7f]/.test(text);
	return (isPlain ? text : text.normalize('NFKD').replace(/\p{M}/gu, '')).toLowerCase();
}

/**
 * Returns a search for sessions that have all of the texts, each in any of their prompts and answers.
 * It returns the first place, or undefined.
 */
export function createSearch(
	texts: readonly string[],
): (file: SessionFile) => SearchMatch | undefined {
	const needles = texts.map(fold);
	return (file) => {
		if (!mayMatch(file.path, needles)) return undefined;
		const missing = new Set(needles);
		let match: SearchMatch | undefined;
		for (const record of createRecordReader(file.path, false).records()) {
			for (const source of textsOf(record)) {
				const found = takeFound(source, missing);
				match ??= found;
			}
			if (missing.size === 0) return match;
		}
		return undefined;
	};
}

/** Removes the needles that the text has, and returns the place of the first one. */
function takeFound({role, text}: Source, missing: Set<string>): SearchMatch | undefined {
	const folded = fold(text);
	const found = [...missing].filter((needle) => folded.includes(needle));
	for (const needle of found) missing.delete(needle);
	const [first] = found;
	if (first === undefined) return undefined;
	return {role, excerpt: excerptOf(text, folded, folded.indexOf(first), first.length)};
}

type Source = {readonly role: SearchMatch['role']; readonly text: string};

/** Rules out most files before anything is parsed. */
function mayMatch(path: string, needles: readonly string[]): boolean {
	const inJson = needles.map((needle) => JSON.stringify(needle).slice(1, -1));
	try {
		const text = fold(readFileSync(path, 'utf8'));
		return inJson.every((needle) => text.includes(needle));
	} catch {
		// Longer than a text can be.
		return true;
	}
}

function textsOf(record: SessionRecord): readonly Source[] {
	if (record.type === 'user') return [{role: 'user', text: record.text}];
	if (record.type !== 'answer') return [];
	return record.messages.flatMap((message) =>
		message.role === 'tool'
			? []
			: message.parts.flatMap((part) =>
					part.type === 'text' ? [{role: 'assistant' as const, text: part.text}] : [],
				),
	);
}

const wordsAround = 30;

/** Folding may change the length of a text; then the folded one is shown. */
function excerptOf(text: string, folded: string, place: number, length: number): string {
	const shown = folded.length === text.length ? text : folded;
	const from = Math.max(0, place - wordsAround);
	const to = place + length + wordsAround;
	const before = from > 0 ? '…' : '';
	const after = to < shown.length ? '…' : '';
	return `${before}${shown.slice(from, to).replace(/\s+/g, ' ').trim()}${after}`;
}
