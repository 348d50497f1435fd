/** `chat sessions prune`: deletes old conversations, and attachments that none has. */
import {statSync} from 'node:fs';
import {ChatError, type ExitCode} from '../../errors.ts';
import {printInfo} from '../../output/print.ts';
import {deleteSessions} from '../../sessions/delete-sessions.ts';
import {summarize} from '../../sessions/find-session.ts';
import {deleteBlobs, findLooseBlobs} from '../../sessions/loose-blobs.ts';
import {listSessionFiles, type SessionFile} from '../../sessions/session-files.ts';
import {formatSize, plural} from '../../wording.ts';
import {askConfirm} from '../ask-user.ts';
import {printSummaries} from './list-sessions.ts';
import type {VerbRun} from './session-verb.ts';

/** A run may be about to name an attachment that it has just stored. */
const blobGraceMs = 3_600_000;

export async function pruneSessions(run: VerbRun): Promise<ExitCode> {
	const {flags, directory, settings, environment} = run;
	const {olderThan, dryRun, yes} = flags;
	if (olderThan === undefined) {
		throw new ChatError('usage', 'sessions prune needs --older-than', {
			hint: {code: 'own-words', words: 'Write: chat sessions prune --older-than 90d'},
		});
	}
	const now = environment.date();
	const isOld = ({updated}: SessionFile) => updated < now - olderThan;
	const old = listSessionFiles(directory).filter(isOld);
	if (dryRun) return await printOld(old, run);
	if (old.length > 0 && !yes) {
		const question = `Delete ${countSessions(old.length)}?`;
		const isWanted = await askConfirm(question, environment, settings.plain);
		if (isWanted === undefined) throw noTerminal(old.length);
		if (!isWanted) {
			printInfo('nothing was deleted', environment);
			return 0;
		}
	}
	// One of them may have been continued during the question.
	const files = listSessionFiles(directory).filter(isOld);
	let count = 0;
	const deleted = await deleteSessions(files, directory, now, () => {
		count += 1;
	});
	const loose = findLooseBlobs(directory, listSessionFiles(directory), now - blobGraceMs);
	const others = deleteBlobs(loose, now - blobGraceMs);
	const blobs = deleted.blobs + others.blobs;
	const sum = describeSum(count, blobs, deleted.bytes + others.bytes);
	printInfo(`deleted ${sum}`, environment);
	return 0;
}

async function printOld(old: readonly SessionFile[], run: VerbRun): Promise<ExitCode> {
	const {directory, environment} = run;
	const ids = new Set(old.map(({id}) => id));
	const kept = listSessionFiles(directory, (id) => !ids.has(id));
	const loose = findLooseBlobs(directory, kept, environment.date() - blobGraceMs);
	const sizes = [
		...old.map(({path}) => statSync(path, {throwIfNoEntry: false})?.size ?? 0),
		...loose.map(({bytes}) => bytes),
	];
	const bytes = sizes.reduce((sum, size) => sum + size, 0);
	await printSummaries(
		old.flatMap((file) => summarize(file) ?? []),
		run,
	);
	printInfo(`would delete ${describeSum(old.length, loose.length, bytes)}`, environment);
	return 0;
}

function noTerminal(count: number): ChatError {
	const message = `prune would delete ${countSessions(count)}, and there is no terminal to ask on`;
	return new ChatError('usage', message, {
		hint: {code: 'own-words', words: '--yes deletes them, --dry-run lists them.'},
	});
}

function describeSum(sessions: number, blobs: number, bytes: number): string {
	if (sessions === 0 && blobs === 0) return 'nothing';
	return `${countSessions(sessions)} and ${plural(blobs, 'attachment')} (${formatSize(bytes)})`;
}

function countSessions(count: number): string {
	return plural(count, 'conversation');
}
