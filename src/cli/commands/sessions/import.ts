/** `chat sessions import`: saves conversations from other programs. */
import {ChatError, type ExitCode} from '../../../errors.ts';
import {printInfo} from '../../../output/print.ts';
import {createKeyRedactor} from '../../../redact.ts';
import {readInput} from '../../../schedule-after-input.ts';
import {readSources} from '../../../sessions/import/known-sources.ts';
import {isProgramName, type ProgramName, programs} from '../../../sessions/import/programs.ts';
import type {ImportTarget} from '../../../sessions/import/write-session.ts';
import {inGroup, optional} from '../../../settings/options/option-row.ts';
import {parseAge} from '../../../settings/options/parsers.ts';
import type {FlagTexts} from '../../command-line/command.ts';
import {untilInterrupted} from '../../run/until-interrupted.ts';
import {createReport, describeReport, type ImportReport, printImported} from './import-report.ts';
import {type ImportSource, openFound, openImport} from './import-source.ts';
import {type SessionRun, sessionVerb} from './session-verb.ts';

const flagRows = inGroup('Options', {
	since: optional(parseAge, {
		flags: ['--since <age>'],
		summary: "of a program's conversations, only those updated since then, without a question: 30d",
	}),
});

const names = Object.keys(programs);

export const importAll = sessionVerb({
	args: '<file|program...>',
	summary: `save conversations from a file, or stdin (-): ChatGPT and Claude exports (ZIP), chat completions, llm logs --json, logs of other programs; or from where a program keeps them: ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`,
	flags: flagRows,
	complete: ['files'],
	async run(run, flags) {
		const {words} = run;
		const [word = ''] = words;
		if (run.flags.since !== undefined && !words.every(isProgramName)) {
			throw new ChatError('usage', `--since is for programs: ${names.join(', ')}`);
		}
		const chosen = isProgramName(word) && (await chooseOne(word, run));
		const {report, exitCode} = await untilInterrupted(run.environment, (signal) =>
			importWords(run, chosen || undefined, signal),
		);
		const id = chosen ? idOf(report) : undefined;
		return id === undefined ? exitCode : await continueSession(id, flags, run);
	},
});

/** Lets the user choose, if both ends are terminals and nothing decides. */
async function chooseOne(
	name: ProgramName,
	run: SessionRun<typeof flagRows>,
): Promise<string | undefined> {
	const {words, flags, settings, environment} = run;
	const {stdin, stdout} = environment;
	const isAsked = words.length === 1 && flags.since === undefined && settings.output === 'text';
	if (!isAsked || stdin.kind !== 'terminal' || !stdout.isTerminal) return undefined;
	const {chooseLog} = await import('./choose-log.ts');
	return await chooseLog(name, run);
}

function idOf({outcomes}: ImportReport): string | undefined {
	const [outcome] = outcomes.filter(({type}) => type !== 'left-out');
	return outcome !== undefined && 'id' in outcome ? outcome.id : undefined;
}

async function continueSession(
	id: string,
	flags: FlagTexts,
	{environment}: Pick<SessionRun, 'environment'>,
): Promise<ExitCode> {
	const {runChat} = await import('../../run/run-chat.ts');
	const line = {argv: [], flags: {...flags, resume: [id]}, words: [], failure: undefined};
	return await runChat(line, environment);
}

/** @param chosen the path of the only file to import */
async function importWords(
	run: SessionRun<typeof flagRows>,
	chosen: string | undefined,
	signal: AbortSignal,
): Promise<{readonly report: ImportReport; readonly exitCode: ExitCode}> {
	const {words, flags, settings, environment} = run;
	const report = createReport(words.some(isProgramName));
	const {outcomes, failures} = report;
	const attempt = async (work: () => Promise<void>) => {
		try {
			await work();
		} catch (error) {
			if (!isOfFile(error)) throw error;
			failures.push(error);
		}
	};
	try {
		const target = createTarget(run);
		for (const word of words) {
			await attempt(async () => {
				const sources = isProgramName(word)
					? openFound(word, {...flags, chosen}, environment)
					: openImport(word, run, signal);
				for await (const source of sources) {
					await attempt(() => importSource(source, target, report, words.length === 1, signal));
				}
			});
		}
		const [first] = failures;
		if (first !== undefined && failures.length === 1 && outcomes.length === 0) throw first;
	} finally {
		if (chosen === undefined) await printImported(outcomes, settings.output, environment);
		for (const line of describeReport(report)) printInfo(line, environment);
	}
	return {report, exitCode: exitCodeOf(report)};
}

function exitCodeOf({outcomes, failures, isOfPrograms}: ImportReport): ExitCode {
	if (outcomes.some(({type}) => type !== 'left-out')) return 0;
	// There may be nothing new.
	if (isOfPrograms && failures.length === 0) return 0;
	return outcomes.length === 0 && failures.every(({kind}) => kind === 'input') ? 66 : 65;
}

/** Whether an error costs one file, and no other one. */
function isOfFile(error: unknown): error is ChatError {
	return error instanceof ChatError && (error.kind === 'input' || error.kind === 'data');
}

function createTarget({
	directory,
	environment,
}: Pick<SessionRun, 'directory' | 'environment'>): ImportTarget {
	return {
		directory,
		sources: readSources(directory),
		cwd: environment.cwd,
		redact: createKeyRedactor(environment.variables),
		createId: () => environment.createId(),
		date: () => environment.date(),
	};
}

async function importSource(
	{name, isFound = false, updated, ...source}: ImportSource,
	target: ImportTarget,
	{outcomes, passedOver}: ImportReport,
	isAlone: boolean,
	signal: AbortSignal,
): Promise<void> {
	// The format readers outweigh all other verbs together.
	const {importFile} = await import('../../../sessions/import/import-file.ts');
	let count = 0;
	const context = {...source, now: Math.min(updated ?? target.date(), target.date())};
	for (const outcome of importFile(source.chunks, context, target)) {
		count += 1;
		const isWhole = outcome.type === 'left-out' && outcome.place === wholeFile;
		const isNamed = outcome.type !== 'left-out' || (isAlone && !isFound);
		if (isFound && isWhole) passedOver.push(outcome.problem);
		else outcomes.push(isNamed ? outcome : {...outcome, place: `${name}, ${outcome.place}`});
		await readInput();
		signal.throwIfAborted();
	}
	if (count > 0) return;
	if (isFound) passedOver.push('no conversation');
	else {
		throw new ChatError('data', `found no conversations in ${name}`, {
			hint: 'It reads conversations that chat exported, the data exports of ChatGPT and Claude (the ZIP file, or its conversations.json), messages of chat completions, llm logs --json, and logs of Claude Code, Codex and other programs.',
		});
	}
}

/** The place of a conversation that is a whole file. */
const wholeFile = 'all';
