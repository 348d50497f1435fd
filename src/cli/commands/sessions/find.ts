/** `chat sessions list`, `search` and `path`: finds conversations. */
import type {ExitCode} from '../../../errors.ts';
import {alignColumns} from '../../../output/align-columns.ts';
import {printExact, printInfo, printList} from '../../../output/print.ts';
import {findSession, type SessionSummary, summarize} from '../../../sessions/find-session.ts';
import {createSearch, longText} from '../../../sessions/search-sessions.ts';
import {listSessionFiles, type SessionFile} from '../../../sessions/session-files.ts';
import {inGroup, optional, toggle} from '../../../settings/options/option-row.ts';
import {integerFrom, oneOf, parseAge, parseName} from '../../../settings/options/parsers.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import {describeTime, describeTurns, formatSize, plural} from '../../../wording.ts';
import {type SessionRun, sessionVerb} from './session-verb.ts';

const choosingRows = inGroup('Options', {
	limit: optional(integerFrom(1), {
		flags: ['-n, --limit <n>'],
		summary: 'print at most this many, the latest ones',
	}),
	since: optional(parseAge, {
		flags: ['--since <age>'],
		summary: 'updated since then: 12h, 7d, 2w, 3mo or 1y ago',
	}),
	model: optional(parseName, {
		flags: ['-m, --model <name>'],
		summary: 'only models with this in their name',
	}),
	here: toggle(false, {
		flags: ['--here'],
		summary: "only this folder's conversations",
	}),
});

const listRows = {
	...choosingRows,
	...inGroup('Options', {
		all: toggle(false, {flags: ['--all'], summary: 'also those without an answer'}),
	}),
};

const parseRole = oneOf('user', 'assistant', 'reasoning', 'tool');

type Role = ReturnType<typeof parseRole>;

const searchRows = {
	...choosingRows,
	...inGroup('Options', {
		role: {
			flags: ['--role <role>'],
			values: parseRole.words,
			summary: 'only texts of user, assistant, reasoning or tool; repeatable',
			defaultValue: [] as readonly Role[],
			parse: (text: string, previous: readonly Role[]) => [...previous, parseRole(text)],
		},
	}),
};

const listing = {
	args: '',
	summary:
		'print the conversations with an answer, the latest first (without a command: in a pipe)',
	flags: listRows,
};

export const list = sessionVerb({...listing, run: listSessions});

/** Lets the user choose a session, if both ends are terminals and no flag decides. */
export const listOrBrowse = sessionVerb({
	...listing,
	async run(run, flags) {
		const {directory, settings, environment} = run;
		const {stdin, stdout} = environment;
		const isList = Object.keys(listRows).some((name) => flags[name] !== undefined);
		if (!isList && settings.output === 'text' && stdin.kind === 'terminal' && stdout.isTerminal) {
			const {browseSessions} = await import('../../run/saving/browse-sessions.ts');
			const exitCode = await browseSessions(flags, directory, settings, environment);
			if (exitCode !== undefined) return exitCode;
		}
		return await listSessions(run);
	},
});

export const search = sessionVerb({
	args: '<text...>',
	summary: 'print conversations with all these texts in title, prompts and answers',
	flags: searchRows,
	run: searchSessions,
});

export const path = sessionVerb({
	args: '[id]',
	summary: 'print the path of one, or of their folder',
	flags: {},
	complete: ['sessions'],
	run: ({words: [word], directory, environment}) =>
		printExact(word === undefined ? directory : findSession(directory, word).path, environment),
});

async function listSessions(run: SessionRun<typeof listRows>): Promise<ExitCode> {
	let leftOut = 0;
	const isListed = ({isAnswered}: SessionSummary) => {
		if (isAnswered || run.flags.all) return true;
		leftOut += 1;
		return false;
	};
	const listed = chooseSessions(run, () => ({}), isListed);
	const exitCode = await printSummaries(listed, run);
	if (leftOut > 0) {
		const count = plural(leftOut, 'conversation');
		printInfo(`${count} without an answer not listed; --all lists all`, run.environment);
	}
	return exitCode;
}

async function searchSessions(run: SessionRun<typeof searchRows>): Promise<ExitCode> {
	const {words, flags, settings, environment} = run;
	const shortened = new Set<string>();
	const matchFile = createSearch(words, flags.role, (id) => shortened.add(id));
	const found = chooseSessions(run, matchFile);
	const now = environment.date();
	await printList(
		found,
		{
			format: settings.output,
			toJson: ({role, excerpt, ...summary}) => ({...summaryToJson(summary), role, excerpt}),
			toText: (all) =>
				alignColumns(
					all.map(({id, updated, title, excerpt}) => [
						id,
						describeTime(updated, now),
						`"${stripToLine(title)}"`,
						stripToLine(excerpt),
					]),
					{numbers: [1], maxWidth: 42},
				),
		},
		environment,
	);
	if (shortened.size > 0) {
		const count = plural(shortened.size, 'conversation');
		const message = `searched only the start and the end of texts over ${formatSize(longText)}, in ${count}`;
		printInfo(message, environment);
	}
	if (found.length > 0) return 0;
	if (environment.stdout.isTerminal) printInfo('no conversation has all these texts', environment);
	return 1;
}

/**
 * Returns the conversations chosen by flags, with their search results, the last updated first.
 *
 * @param find returns undefined for an unwanted session
 * @param isListed called for sessions chosen by the flags
 */
function chooseSessions<Found extends object>(
	{directory, flags, environment}: SessionRun<typeof choosingRows>,
	find: (file: SessionFile) => Found | undefined,
	isListed: (summary: SessionSummary) => boolean = () => true,
): ReadonlyArray<SessionSummary & Found> {
	const {limit = Number.POSITIVE_INFINITY, here, model, since} = flags;
	const oldest = since === undefined ? Number.NEGATIVE_INFINITY : environment.date() - since;
	const isWanted = (summary: SessionSummary) =>
		(!here || summary.cwd === environment.cwd) &&
		(model === undefined || summary.model?.toLowerCase().includes(model.toLowerCase()));
	const chosen: Array<SessionSummary & Found> = [];
	for (const file of listSessionFiles(directory)) {
		if (chosen.length >= limit || file.updated < oldest) break;
		const found = find(file);
		if (found === undefined) continue;
		const summary = summarize(file);
		if (summary === undefined) printInfo(`${file.id} cannot be read`, environment);
		else if (isWanted(summary) && isListed(summary)) chosen.push({...summary, ...found});
	}
	return chosen;
}

export async function printSummaries(
	summaries: readonly SessionSummary[],
	{settings, environment}: Pick<SessionRun, 'settings' | 'environment'>,
): Promise<ExitCode> {
	const now = environment.date();
	const toRow = ({id, updated, turns, hasDraft, title}: SessionSummary) => [
		id,
		describeTime(updated, now),
		describeTurns(turns, hasDraft),
		stripToLine(title),
	];
	const toText = (all: readonly SessionSummary[]) => alignColumns(all.map(toRow), {numbers: [1]});
	const format = {format: settings.output, toJson: summaryToJson, toText};
	return await printList(summaries, format, environment);
}

function summaryToJson({id, title, created, updated, turns, model, cwd}: SessionSummary) {
	const times = {created: isoTime(created), updated: isoTime(updated)};
	return {id, title, ...times, turns, model: model ?? null, cwd: cwd ?? null};
}

function isoTime(ms: number): string {
	return new Date(ms).toISOString();
}
