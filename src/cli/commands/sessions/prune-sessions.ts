/** `chat sessions prune`: deletes old conversations, and attachments that none has. */
import {statSync} from 'node:fs';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {printInfo} from '../../../output/print.ts';
import {deleteSessions} from '../../../sessions/delete-sessions.ts';
import {summarize} from '../../../sessions/find-session.ts';
import {deleteBlobs, findLooseBlobs} from '../../../sessions/loose-blobs.ts';
import {listSessionFiles, type SessionFile} from '../../../sessions/session-files.ts';
import {formatSize, plural} from '../../../wording.ts';
import {confirm} from '../../ask.ts';
import {printSummaries} from './list-sessions.ts';
import type {VerbRun} from './session-verb.ts';

/** A run may be about to name an attachment that it has just stored. */
const blobGraceMs = 3_600_000;

/** A run may still wait for its answer. */
const answerGraceMs = 3_600_000;

export async function pruneSessions(run: VerbRun): Promise<ExitCode> {
	const {flags, environment} = run;
	const {olderThan = flags.unanswered ? answerGraceMs : undefined, unanswered, dryRun} = flags;
	if (olderThan === undefined) {
		throw new ChatError('usage', 'sessions prune needs --older-than or --unanswered', {
			hint: 'Write: chat sessions prune --older-than 90d',
		});
	}
	const oldest = environment.date() - olderThan;
	const isOld = (file: SessionFile) =>
		file.updated < oldest && !(unanswered && summarize(file)?.isAnswered !== false);
	if (dryRun) return await printOld(listSessionFiles(run.directory).filter(isOld), run);
	return await deleteChosen(isOld, '', run);
}

/**
 * Deletes conversations after a question, and attachments that none has.
 *
 * @param how many of all they are, in the question: `all `
 */
export async function deleteChosen(
	isChosen: (file: SessionFile) => boolean,
	how: '' | 'all ',
	{flags, directory, settings, environment}: VerbRun,
): Promise<ExitCode> {
	const {length} = listSessionFiles(directory).filter(isChosen);
	const question = `Delete ${how}${countSessions(length)}?`;
	const command = `chat sessions ${how === '' ? 'prune' : 'delete'}`;
	const policy = {command, isYes: flags.yes, isPlain: settings.plain};
	const isWanted = length === 0 || (await confirm(question, policy, environment));
	if (!isWanted) {
		printInfo('nothing was deleted', environment);
		return 0;
	}
	const now = environment.date();
	// One of them may have been continued during the question.
	const files = listSessionFiles(directory).filter(isChosen);
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

function describeSum(sessions: number, blobs: number, bytes: number): string {
	if (sessions === 0 && blobs === 0) return 'nothing';
	return `${countSessions(sessions)} and ${plural(blobs, 'attachment')} (${formatSize(bytes)})`;
}

function countSessions(count: number): string {
	return plural(count, 'conversation');
}
