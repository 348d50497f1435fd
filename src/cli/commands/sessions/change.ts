/** `chat sessions rename`, `delete`, `prune` and `redact`: changes saved conversations. */
import {existsSync} from 'node:fs';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {printInfo} from '../../../output/print.ts';
import {createKeyRedactor} from '../../../redact.ts';
import {
	type DeletedFiles,
	deleteSessions,
	sizeOf,
	sumSizes,
} from '../../../sessions/delete-sessions.ts';
import {findSession, summarize} from '../../../sessions/find-session.ts';
import {findBlobs, findUnnamedBlobs} from '../../../sessions/old-blobs.ts';
import {oldHistoryPath} from '../../../sessions/old-history.ts';
import {containsText, redactFile} from '../../../sessions/redact-session.ts';
import {renameSession} from '../../../sessions/rename-session.ts';
import {listSessionFiles, type SessionFile} from '../../../sessions/session-files.ts';
import {createTextMask} from '../../../sessions/text-mask.ts';
import {inGroup, type OptionRow, optional, toggle} from '../../../settings/options/option-row.ts';
import {parseAge} from '../../../settings/options/parsers.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import {formatSize, plural} from '../../../wording.ts';
import {askSecret, confirm} from '../../ask.ts';
import {printSummaries} from './find.ts';
import {type SessionRun, sessionVerb} from './session-verb.ts';

export const rename = sessionVerb({
	args: '<id> <title>',
	summary: 'change the title',
	flags: {},
	complete: ['sessions'],
	async run({words: [word = '', text = ''], directory, environment}) {
		const file = findSession(directory, word);
		const title = renameSession(file, text, createKeyRedactor(environment.variables));
		printInfo(`${file.id} is now called "${title}"`, environment);
		return 0;
	},
});

const yes = toggle(false, {flags: ['-y, --yes'], summary: 'delete without a question'});

export const remove = sessionVerb({
	args: '[id...]',
	summary: 'delete these, with their attachments; --all: after a question',
	flags: inGroup('Options', {
		all: toggle(false, {flags: ['--all'], summary: 'all conversations'}),
		yes: {...yes, summary: 'with --all: delete without a question'},
	}),
	complete: ['sessions'],
	async run(run) {
		const {words, flags, directory, environment} = run;
		const hasIds = words.length > 0;
		if (hasIds === flags.all) {
			throw new ChatError('usage', 'sessions delete needs either ids or --all', {
				hint: 'chat sessions list --all prints the ids.',
			});
		}
		if (flags.all) return await deleteChosen(() => true, 'all ', run);
		// A single mistyped word cancels the whole deletion.
		const found = words.map((word) => findSession(directory, word));
		const files = [...new Map(found.map((file) => [file.id, file])).values()];
		const titles = new Map(files.map((file) => [file.id, summarize(file)?.title ?? '']));
		await deleteSessions(files, directory, false, ({id}) => {
			printInfo(`deleted ${id} "${stripToLine(titles.get(id) ?? '')}"`, environment);
		});
		return 0;
	},
});

/** A run may still wait for its answer. */
const answerGraceMs = 3_600_000;

export const prune = sessionVerb({
	args: '',
	summary:
		'delete all conversations older than --older-than, or those --unanswered, after a question',
	flags: inGroup('Options', {
		olderThan: optional(parseAge, {
			flags: ['--older-than <age>'],
			summary: 'delete conversations last updated longer ago, such as 90d',
		}),
		unanswered: toggle(false, {
			flags: ['--unanswered'],
			summary: 'only those without an answer, by default of an hour ago and older',
		}),
		dryRun: toggle(false, {
			flags: ['--dry-run'],
			summary: 'list what it would delete, and delete nothing',
		}),
		yes,
	}),
	async run(run) {
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
	},
});

/**
 * Deletes conversations after a question, then attachments left without one.
 *
 * @param how many all means, in the question: `all `
 */
async function deleteChosen(
	isChosen: (file: SessionFile) => boolean,
	how: '' | 'all ',
	{flags, directory, settings, environment}: SessionRun<{readonly yes: OptionRow<boolean>}>,
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
	// Another process may have continued a session during the question.
	const files = listSessionFiles(directory).filter(isChosen);
	let count = 0;
	const deleted = await deleteSessions(files, directory, true, () => {
		count += 1;
	});
	printInfo(`deleted ${describeSum(count, deleted)}`, environment);
	return 0;
}

async function printOld(old: readonly SessionFile[], run: Omit<SessionRun, 'flags'>) {
	const {directory, environment} = run;
	const ids = new Set(old.map(({id}) => id));
	const kept = listSessionFiles(directory, (id) => !ids.has(id));
	const unnamed = await findUnnamedBlobs(directory, kept);
	const sum = sumSizes([...old.map(sizeOf), ...unnamed]);
	const summaries = old.flatMap((file) => summarize(file) ?? []);
	await printSummaries(summaries, run);
	printInfo(`would delete ${describeSum(old.length, sum)}`, environment);
	return 0 as const;
}

function describeSum(sessions: number, {attachments, bytes}: DeletedFiles): string {
	if (sessions === 0 && attachments === 0) return 'nothing';
	const count = plural(attachments, 'attachment');
	return `${countSessions(sessions)} and ${count} (${formatSize(bytes)})`;
}

function countSessions(count: number): string {
	return plural(count, 'conversation');
}

export const redact = sessionVerb({
	args: '<id> [text|-]',
	summary:
		'mask a text in one; without the text, or with -, chat asks for it or reads a pipe, which keeps it out of your shell history',
	flags: {},
	complete: ['sessions'],
	async run({words: [word = '', given = '-'], directory, environment}) {
		const file = findSession(directory, word);
		const {id, path} = file;
		const question = {
			title: 'Text to mask',
			noun: 'text',
			fromFile: 'chat sessions redact <id> - < secret.txt',
		};
		const text = given === '-' ? await askSecret(question, environment) : given;
		const secret = text.replace(/\r?\n$/, '');
		if (secret.trim() === '') throw new ChatError('usage', 'the text to mask is empty');
		const mask = createTextMask(secret);
		const historyMask = createTextMask(secret);
		try {
			await redactFile(path, mask);
			const history = oldHistoryPath(directory);
			if (existsSync(history)) await redactFile(history, historyMask);
		} catch (cause) {
			const {message} = cause as Error;
			throw new ChatError('output', `cannot mask the text in ${id}: ${message}`, {cause});
		}
		// Read again: the title may have contained the masked text.
		const title = stripToLine(summarize(file)?.title ?? '');
		const name = `${id} "${title}"`;
		const inSession = plural(mask.count(), 'place');
		const inHistory = plural(historyMask.count(), 'place');
		const places = [
			...(mask.count() > 0 ? [`${inSession} of ${name}`] : []),
			...(historyMask.count() > 0 ? [`${inHistory} of the prompt history`] : []),
		];
		const found = `masked the text in ${places.join(' and ')}`;
		printInfo(places.length > 0 ? found : `the text is not in ${name}`, environment);
		const others = listSessionFiles(directory, (other) => other !== id).filter((other) =>
			containsText(other.path, mask),
		);
		if (others.length > 0) {
			const ids = others.map((other) => other.id).join(', ');
			printInfo(`the text also occurs in: ${ids}`, environment);
		}
		const {size} = findBlobs(file);
		if (size > 0) {
			const kept = `${plural(size, 'attachment')} of ${id} not searched (images, PDFs, recordings)`;
			printInfo(`${kept}; chat sessions delete removes them`, environment);
		}
		return places.length === 0 ? 1 : 0;
	},
});
