/** Saves the conversations of a file, each as a session of its own. */
import {rmSync, utimesSync} from 'node:fs';
import {ChatError} from '../../errors.ts';
import type {Redact} from '../../redact.ts';
import {shorten} from '../../wording.ts';
import {createBlobStore} from '../blobs.ts';
import {createRecorder} from '../recorder.ts';
import {sessionPath} from '../session-path.ts';
import type {ImportContext, ImportedSession, ImportFormat, JsonPiece} from './foreign.ts';
import {importFormats} from './formats.ts';
import {sourceOf} from './known-sources.ts';

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
	/** It was imported before, and nothing was written. */
	| {readonly type: 'known'; readonly id: string; readonly title: string}
	| {
			readonly type: 'left-out';
			/** For a person: `line 3`. */
			readonly place: string;
			/** Empty without one. */
			readonly title: string;
			readonly problem: string;
	  };

export type ImportTarget = {
	/** The folder of saved conversations. */
	readonly directory: string;
	/** The ids of what is there, by their sources; imports are added. */
	readonly sources: Map<string, string>;
	readonly cwd: string;
	/** Masks the known secrets. */
	readonly redact: Redact;
	readonly createId: () => string;
};

/**
 * @returns nothing at all if no piece is of a known format
 * @throws {ChatError} `output` if a session cannot be written
 */
export function* importFile(
	pieces: Iterable<JsonPiece>,
	context: ImportContext,
	target: ImportTarget,
): Generator<ImportOutcome, void, undefined> {
	const {format, all} = detectFormat(pieces);
	if (format === undefined) return;
	for (const found of format.read(all, context)) {
		if ('problem' in found) yield {type: 'left-out', title: '', ...found};
		else yield importSession(found.session, found.place, format, context, target);
	}
}

/** Returns the format of the first piece that has one, and all pieces. */
function detectFormat(pieces: Iterable<JsonPiece>): {
	readonly format: ImportFormat | undefined;
	readonly all: Iterable<JsonPiece>;
} {
	const read: JsonPiece[] = [];
	const iterator = pieces[Symbol.iterator]();
	for (let next = iterator.next(); !next.done; next = iterator.next()) {
		const piece = next.value;
		read.push(piece);
		const {value} = piece;
		const format = value && importFormats.find(({detect}) => detect(value));
		if (format !== undefined) return {format, all: chain(read, iterator)};
	}
	return {format: undefined, all: []};
}

function* chain<Item>(first: readonly Item[], rest: Iterator<Item>): Generator<Item> {
	yield* first;
	for (let next = rest.next(); !next.done; next = rest.next()) yield next.value;
}

function importSession(
	session: ImportedSession,
	place: string,
	{code}: ImportFormat,
	{now}: ImportContext,
	target: ImportTarget,
): ImportOutcome {
	const {omitted, conversation, draft} = session;
	const title = target.redact(titleOf(session));
	const turns = conversation.turns.length + conversation.otherTurns.length;
	if (turns === 0 && draft === undefined) {
		return {type: 'left-out', place, title, problem: 'no messages'};
	}
	const source = target.redact(sourceOf(code, session));
	const known = target.sources.get(source);
	if (known !== undefined) return {type: 'known', id: known, title};
	const id = writeSession(session, source, now, target);
	target.sources.set(source, id);
	return {type: 'imported', id, title, turns: conversation.turns.length, source, omitted};
}

/** Returns the title as a list shows it. */
function titleOf({title, conversation, draft}: ImportedSession): string {
	const first = conversation.turns[0] ?? draft;
	return title || shorten(first?.prompt.text.trim().split('\n')[0] ?? '', maxTitleLength);
}

const maxTitleLength = 60;

/** @returns the id of the session */
function writeSession(
	{title, conversation, draft, settings, ...session}: ImportedSession,
	source: string,
	now: number,
	{directory, cwd, redact, createId}: ImportTarget,
): string {
	const id = createId();
	const created = limitTime(session.created ?? now, now);
	const updated = Math.max(created, limitTime(session.updated ?? created, now));
	const path = sessionPath(directory, id, created);
	const recorder = createRecorder(
		{directory, id, start: {created, cwd, forkOf: undefined, source}, conversation},
		{redact, storePart: createBlobStore(directory, id, () => now)},
	);
	if (title !== '') recorder.rename(title);
	const head = conversation.turns.at(-1)?.id ?? null;
	recorder.record({type: 'head-moved', at: head}, () => settings);
	if (draft !== undefined) {
		const turn = {...draft, startedAt: draft.times.startedAt};
		recorder.record({type: 'turn-started', turn, now: 0}, () => settings);
	}
	recorder.close();
	try {
		const failure = recorder.failure();
		if (failure !== undefined) throw failure;
		// The list has the order of the conversations, not of their import.
		utimesSync(path, now / 1000, updated / 1000);
	} catch (cause) {
		// Half a session would count as imported.
		rmSync(path, {force: true});
		const {message} = cause as Error;
		throw new ChatError('output', `cannot save "${title}": ${message}`, {cause});
	}
	return id;
}

/** Threat: a time before 1970, or in the future, where no other session could be the latest. */
function limitTime(time: number, now: number): number {
	return Math.min(Math.max(0, Math.round(time)), now);
}
