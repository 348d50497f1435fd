/** Saves a file's conversations, each as its own session. */
import {isAnswered} from '../turn-records.ts';
import type {FoundSession, ImportContext, ImportFormat, JsonPiece, Unreadable} from './foreign.ts';
import {importFormats} from './formats.ts';
import {sourceOf} from './known-sources.ts';
import {ownFormat, readMarkdownFile} from './own.ts';
import {decode, splitJson} from './split-json.ts';
import {addTurns, type ImportTarget, titleOf, writeSession} from './write-session.ts';

export type ImportOutcome =
	| {
			readonly type: 'imported';
			readonly id: string;
			readonly title: string;
			readonly turns: number;
			readonly source: string;
			/** How many parts were left out, by what they are: `image`. */
			readonly omitted: Readonly<Record<string, number>>;
	  }
	/** Imported before; the new turns were added. */
	| {
			readonly type: 'known';
			readonly id: string;
			readonly title: string;
			readonly added: number;
	  }
	| {
			readonly type: 'left-out';
			/** The place for a person: `line 3`. */
			readonly place: string;
			/** Empty without one. */
			readonly title: string;
			readonly problem: string;
	  };

/**
 * @returns nothing at all for an unknown format
 * @throws {ChatError} `output` if a session cannot be written
 */
export function* importFile(
	chunks: Iterable<Uint8Array>,
	context: ImportContext,
	target: ImportTarget,
): Generator<ImportOutcome, void, undefined> {
	const {name, found} = readFile(chunks, context);
	for (const one of found) {
		if ('problem' in one) yield {type: 'left-out', title: '', ...one};
		else yield importSession(one, name, context.now, target);
	}
}

type FileContents = {readonly name: string; readonly found: Iterable<FoundSession | Unreadable>};

function readFile(chunks: Iterable<Uint8Array>, context: ImportContext): FileContents {
	const iterator = chunks[Symbol.iterator]();
	const first = iterator.next();
	if (first.done) return nothing;
	const all = chain([first.value], iterator);
	const start = Buffer.from(first.value.subarray(0, startBytes)).toString('latin1');
	if (!jsonStart.test(start)) return readText(all, context);
	const {format, pieces} = detectFormat(splitJson(all));
	if (format === undefined) return nothing;
	return {name: format.name, found: format.read(pieces, context)};
}

const nothing: FileContents = {name: '', found: []};

const startBytes = 1024;
/** Latin-1; after a byte order mark. */
const jsonStart = /^(?:\xef\xbb\xbf)?\s*[[{]/;

function readText(chunks: Iterable<Uint8Array>, {now}: ImportContext): FileContents {
	const text = decode([...chunks]);
	const isConversation = /^## (?:User|System)\b/m.test(text);
	return isConversation ? {name: ownFormat.name, found: [readMarkdownFile(text, now)]} : nothing;
}

/** Returns the format of the first piece having one, and all pieces. */
function detectFormat(pieces: Iterable<JsonPiece>): {
	readonly format: ImportFormat | undefined;
	readonly pieces: Iterable<JsonPiece>;
} {
	const read: JsonPiece[] = [];
	const iterator = pieces[Symbol.iterator]();
	for (let next = iterator.next(); !next.done; next = iterator.next()) {
		const piece = next.value;
		read.push(piece);
		const {value} = piece;
		const format = value && importFormats.find(({detect}) => detect(value));
		if (format !== undefined) return {format, pieces: chain(read, iterator)};
	}
	return {format: undefined, pieces: []};
}

function* chain<Item>(first: readonly Item[], rest: Iterator<Item>): Generator<Item> {
	yield* first;
	for (let next = rest.next(); !next.done; next = rest.next()) yield next.value;
}

function importSession(
	{session, place}: FoundSession,
	format: string,
	now: number,
	target: ImportTarget,
): ImportOutcome {
	const {omitted, conversation, draft} = session;
	const title = target.redact(titleOf(session));
	const turns = conversation.turns.length + conversation.otherTurns.length;
	if (turns === 0 && draft === undefined) {
		return {type: 'left-out', place, title, problem: 'no messages'};
	}
	const source = target.redact(sourceOf(format, session));
	const known = target.sources.get(source);
	if (known !== undefined) {
		return {type: 'known', id: known.id, title, added: addTurns(known, session, now, target)};
	}
	const file = writeSession(session, source, now, target);
	target.sources.set(source, file);
	const {id} = file;
	const answered = conversation.turns.filter(isAnswered).length;
	return {type: 'imported', id, title, turns: answered, source, omitted};
}
