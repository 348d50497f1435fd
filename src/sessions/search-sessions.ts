/** Searches the texts of all sessions. */
import {foldText} from '../fold-text.ts';
import {escapeForJson} from '../json.ts';
import {readLines} from './read-lines.ts';
import {createRecordReader} from './read-records.ts';
import type {SessionFile} from './session-files.ts';
import type {RecordOf, SessionRecord} from './session-record.ts';

/** Whose texts: for tools, their arguments and results. */
export type SearchRole = 'user' | 'assistant' | 'reasoning' | 'tool';

export type SearchMatch = {
	readonly role: SearchRole | 'title';
	/** The first text's place, and some words around it. */
	readonly excerpt: string;
};

/** A longer text is searched only at its start and its end, where the question is. */
export const longText = 1_048_576;

const edgeLength = longText / 4;

/** A character takes at most 6 bytes in a record. */
const longLine = 6 * longText;
const edgeBytes = 6 * edgeLength + 65_536;

function shortenText(text: string): string {
	if (text.length <= longText) return text;
	return `${text.slice(0, edgeLength)} … ${text.slice(-edgeLength)}`;
}

/** Line breaks and indentation separate a phrase's words, too. */
function flatten(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

/**
 * Returns a search for sessions having all the texts, each in any prompt or answer. It returns the
 * first place, or undefined.
 *
 * @param roles those to search instead of prompts, answers and titles
 * @param onShortened called for a session in which a text was too long for a complete search
 */
export function createSearch(
	texts: readonly string[],
	roles: readonly SearchRole[] = [],
	onShortened: (id: string) => void = () => {},
): (file: SessionFile) => SearchMatch | undefined {
	const needles = texts.map((text) => foldText(flatten(text)));
	const searched: ReadonlyArray<SearchMatch['role']> =
		roles.length === 0 ? ['user', 'assistant', 'title'] : roles;
	return ({id, path}) => {
		const report = () => onShortened(id);
		if (!mayMatch(path, needles, report)) return undefined;
		const missing = new Set(needles);
		let match: SearchMatch | undefined;
		for (const source of sourcesOf(createRecordReader(path, false).records())) {
			if (!searched.includes(source.role)) continue;
			if (source.text.length > longText) report();
			const found = takeFound(source, missing);
			match ??= found;
			if (missing.size === 0) return match;
		}
		return undefined;
	};
}

/** Removes the needles found in the text, and returns the first one's place. */
function takeFound({role, text}: Source, missing: Set<string>): SearchMatch | undefined {
	const flat = flatten(shortenText(text));
	const folded = foldText(flat);
	const found = [...missing].filter((needle) => folded.includes(needle));
	for (const needle of found) missing.delete(needle);
	const [first] = found;
	if (first === undefined) return undefined;
	return {role, excerpt: excerptOf(flat, folded, folded.indexOf(first), first.length)};
}

/** Rules out most files before anything is parsed. */
function mayMatch(path: string, needles: readonly string[], onShortened: () => void): boolean {
	const missing = new Set(needles.flatMap((needle) => needle.split(' ')).map(escapeForJson));
	try {
		for (const line of readLines(path)) {
			if (missing.size === 0) return true;
			if (line.length > longLine) {
				// The text may end before its line.
				if (!hasNoAttachments(line)) return true;
				onShortened();
			}
			const text = foldText(edgesOf(line));
			for (const word of missing) if (text.includes(word)) missing.delete(word);
		}
		return missing.size === 0;
	} catch {
		// Another run may delete files.
		return false;
	}
}

function hasNoAttachments(line: Buffer): boolean {
	return line.lastIndexOf('"attachments":[]') > line.length - edgeBytes;
}

function edgesOf(line: Buffer): string {
	if (line.length <= longLine) return line.toString('utf8');
	return line.toString('utf8', 0, edgeBytes) + line.toString('utf8', line.length - edgeBytes);
}

type Source = {readonly role: SearchMatch['role']; readonly text: string};

/** Yields every text in a session, and its last title; for an unfinished answer, its saved part. */
function* sourcesOf(records: Iterable<SessionRecord>): Generator<Source, void, undefined> {
	const partials = new Map<string, Array<RecordOf<'partial'>>>();
	let title = '';
	for (const record of records) {
		switch (record.type) {
			case 'user':
				yield {role: 'user', text: record.text};
				break;
			case 'title':
				title = record.text;
				break;
			case 'partial':
				partials.set(record.of, [...(partials.get(record.of) ?? []), record]);
				break;
			case 'answer':
				partials.delete(record.of);
				yield* record.messages.flatMap(textsOfMessage);
				break;
			case 'session':
			case 'settings':
			case 'compact':
			case 'uncompact':
			case 'head':
				break;
			default:
				record satisfies never;
		}
	}
	yield {role: 'title', text: title};
	for (const parts of partials.values()) yield* textsOfEvents(parts.flatMap(({events}) => events));
}

function textsOfMessage(message: RecordOf<'answer'>['messages'][number]): readonly Source[] {
	return message.parts.flatMap((part): readonly Source[] => {
		switch (part.type) {
			case 'text':
				return [{role: message.role, text: part.text}];
			case 'refusal':
				return [{role: 'assistant', text: part.text}];
			case 'reasoning':
				return [{role: 'reasoning', text: part.text}];
			case 'tool-call':
				return [{role: 'tool', text: `${part.call.name} ${part.call.arguments}`}];
			case 'json':
				return [{role: 'tool', text: JSON.stringify(part.value)}];
			case 'image':
				return [];
			default:
				return part satisfies never;
		}
	});
}

function textsOfEvents(events: RecordOf<'partial'>['events']): readonly Source[] {
	const text = (type: string) =>
		events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');
	const calls = events.flatMap((event) =>
		event.type === 'tool-call' ? [`${event.call.name} ${event.call.arguments}`] : [],
	);
	return [
		{role: 'assistant', text: text('text-delta')},
		{role: 'reasoning', text: text('reasoning-delta')},
		{role: 'tool', text: calls.join('\n')},
	];
}

const wordsAround = 30;

/** Folding may change a text's length; then the folded one is shown. */
function excerptOf(text: string, folded: string, place: number, length: number): string {
	const shown = folded.length === text.length ? text : folded;
	const from = Math.max(0, place - wordsAround);
	const to = place + length + wordsAround;
	const before = from > 0 ? '…' : '';
	const after = to < shown.length ? '…' : '';
	return `${before}${shown.slice(from, to).trim()}${after}`;
}
