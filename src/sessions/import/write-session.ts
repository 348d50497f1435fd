/** Writes imported conversations with the recorder used for running ones. */
import {existsSync, rmSync, utimesSync} from 'node:fs';
import {type Conversation, type TreeTurn, treeOf} from '../../chat/conversation.ts';
import {ChatError} from '../../errors.ts';
import type {Redact} from '../../redact.ts';
import {createMediaStore} from '../media-store.ts';
import {readSession, withUnanswered} from '../read-session.ts';
import {
	createRecorder,
	type RecordedState,
	type Recorder,
	type SessionTarget,
} from '../recorder.ts';
import type {SessionFile} from '../session-files.ts';
import {mediaFolder, sessionPath} from '../session-path.ts';
import {titleOfPrompt} from '../session-title.ts';
import {isAnswered} from '../turn-records.ts';
import type {ImportedSession} from './foreign.ts';

export type ImportTarget = {
	/** The folder holding saved conversations. */
	readonly directory: string;
	/** The existing sessions, by their sources; imports are added. */
	readonly sources: Map<string, SessionFile>;
	readonly cwd: string;
	/** Masks the known secrets. */
	readonly redact: Redact;
	readonly createId: () => string;
	/** Milliseconds since 1970. */
	readonly date: () => number;
};

/**
 * @param now milliseconds since 1970
 * @returns its file
 * @throws {ChatError} `output` if it cannot be written; nothing is left of it
 */
export function writeSession(
	session: ImportedSession,
	source: string,
	now: number,
	target: ImportTarget,
): SessionFile {
	const {title, conversation, draft, settings, cwd = target.cwd} = session;
	const {directory, createId} = target;
	const id = createId();
	const created = limitTime(session.created ?? now, now);
	const updated = Math.max(created, limitTime(session.updated ?? created, now));
	const path = sessionPath(directory, id, created);
	const start = {created, cwd, forkOf: undefined, source};
	const state = () => ({settings, conversation});
	const write = (recorder: Recorder) => {
		if (title !== '') recorder.rename(title);
		const head = conversation.turns.at(-1)?.id ?? null;
		recorder.record({type: 'head-moved', at: head}, state);
		if (draft === undefined) return;
		recorder.record({type: 'turn-started', turn: draft, now: 0}, state);
	};
	try {
		record({directory, id, start, conversation}, write, target);
		// The list follows the conversations' order, not the import order.
		utimesSync(path, now / 1000, updated / 1000);
	} catch (cause) {
		// Half a session would count as imported.
		if (existsSync(path)) {
			rmSync(mediaFolder(path), {recursive: true, force: true});
			rmSync(path);
		}
		throw cannotSave(target.redact(titleOf(session)), cause);
	}
	return {id, path, updated};
}

/**
 * Adds the turns missing from a saved session. It continues where it did, if the user has gone on
 * with it here.
 *
 * @returns how many were added
 * @throws {ChatError} `output` if they cannot be written
 */
export function addTurns(
	file: SessionFile,
	session: ImportedSession,
	now: number,
	target: ImportTarget,
): number {
	const {directory} = target;
	const stored = readSession(file);
	const known = new Set(treeOf(withUnanswered(stored)).map(({turn}) => turn.id));
	const added = treeOf(session.conversation).filter(({turn}) => !known.has(turn.id));
	if (added.length === 0) return 0;
	const at = headOf(stored.conversation, session.conversation);
	const state = () => ({
		settings: stored.settings ?? session.settings,
		conversation: stored.conversation,
	});
	const write = (recorder: Recorder) => {
		for (const one of added) recordTurn(recorder, one, state);
		recorder.record({type: 'head-moved', at}, state);
	};
	try {
		record(
			{directory, id: file.id, start: stored, conversation: stored.conversation},
			write,
			target,
		);
		const updated = Math.max(file.updated, limitTime(session.updated ?? 0, now));
		utimesSync(file.path, now / 1000, updated / 1000);
	} catch (cause) {
		throw cannotSave(stored.title, cause);
	}
	return added.length;
}

/**
 * Returns where the session stands: where the user has gone on with it, or where the import does.
 */
function headOf(stored: Conversation, imported: Conversation): string | null {
	const ids = new Set(treeOf(imported).map(({turn}) => turn.id));
	const isContinued = treeOf(stored).some(({turn}) => !ids.has(turn.id));
	const {turns} = isContinued ? stored : imported;
	return turns.at(-1)?.id ?? null;
}

function recordTurn(
	{record}: Recorder,
	{turn, parent}: TreeTurn,
	state: () => RecordedState,
): void {
	record({type: 'head-moved', at: parent}, state);
	const start = {...turn, startedAt: turn.times.startedAt};
	record({type: 'turn-started', turn: start, now: 0}, state);
	record({type: 'turn-ended', id: turn.id, turn: isAnswered(turn) ? turn : undefined}, state);
}

/** @throws the system's error when something cannot be written */
function record(
	session: SessionTarget,
	write: (recorder: Recorder) => void,
	{redact, createId}: ImportTarget,
): void {
	const recorder = createRecorder(session, {
		redact,
		createMediaStore: (folder) => createMediaStore(folder, createId),
	});
	write(recorder);
	recorder.close();
	const failure = recorder.failure();
	if (failure !== undefined) throw failure;
}

/** Returns the title as shown in lists. */
export function titleOf({title, conversation, draft}: ImportedSession): string {
	const first = conversation.turns[0] ?? draft;
	return title || (first === undefined ? '' : titleOfPrompt(first.prompt));
}

function cannotSave(title: string, cause: unknown): ChatError {
	const {message} = cause as Error;
	return new ChatError('output', `cannot save "${title}": ${message}`, {cause});
}

/** Threat: a time before 1970, or in the future, where no other session could be the latest. */
function limitTime(time: number, now: number): number {
	return Math.min(Math.max(0, Math.round(time)), now);
}
