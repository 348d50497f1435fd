/** `chat sessions import`: saves the conversations of other programs. */
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {alignColumns} from '../../../output/align-columns.ts';
import {printInfo, printList} from '../../../output/print.ts';
import {createKeyRedactor} from '../../../redact.ts';
import {readInput} from '../../../schedule-after-input.ts';
import {type ImportOutcome, importFile} from '../../../sessions/import/import-file.ts';
import {readSources} from '../../../sessions/import/known-sources.ts';
import type {ImportTarget} from '../../../sessions/import/write-session.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import {describeTurns, plural} from '../../../wording.ts';
import {createFileSource} from '../../run/read-request.ts';
import {untilInterrupted} from '../../run/until-interrupted.ts';
import {type ImportSource, openImport, openStdin} from './import-source.ts';
import type {VerbRun} from './session-verb.ts';

export async function importSessions(run: VerbRun): Promise<ExitCode> {
	return await untilInterrupted(run.environment, (signal) => importAll(run, signal));
}

async function importAll(run: VerbRun, signal: AbortSignal): Promise<ExitCode> {
	const {words, settings, environment} = run;
	const outcomes: ImportOutcome[] = [];
	/** Files that cannot be read, or have no conversations. */
	const failures: ChatError[] = [];
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
				for await (const source of openSources(word, run, signal)) {
					await attempt(() => importSource(source, target, outcomes, words.length === 1, signal));
				}
			});
		}
		const [first] = failures;
		if (first !== undefined && failures.length === 1 && outcomes.length === 0) throw first;
	} finally {
		await printImported(outcomes, settings.output, environment);
		for (const line of describeOutcomes(outcomes, failures)) printInfo(line, environment);
	}
	if (outcomes.some(({type}) => type !== 'left-out')) return 0;
	return outcomes.length === 0 && failures.every(({kind}) => kind === 'input') ? 66 : 65;
}

function createTarget({directory, environment}: VerbRun): ImportTarget {
	return {
		directory,
		sources: readSources(directory),
		cwd: environment.cwd,
		redact: createKeyRedactor(environment.variables),
		createId: () => environment.createId(),
		date: () => environment.date(),
	};
}

/** Whether an error costs one file, and no other one. */
function isOfFile(error: unknown): error is ChatError {
	return error instanceof ChatError && (error.kind === 'input' || error.kind === 'data');
}

async function* openSources(
	word: string,
	{directory, environment}: VerbRun,
	signal: AbortSignal,
): AsyncGenerator<ImportSource, void, undefined> {
	if (word === '-') yield await openStdin(environment, signal, directory);
	else yield* openImport(word, directory, createFileSource(signal, environment));
}

async function importSource(
	{name, ...source}: ImportSource,
	target: ImportTarget,
	outcomes: ImportOutcome[],
	isAlone: boolean,
	signal: AbortSignal,
): Promise<void> {
	const before = outcomes.length;
	const context = {...source, now: target.date()};
	for (const outcome of importFile(source.chunks, context, target)) {
		outcomes.push(isAlone ? outcome : placeIn(name, outcome));
		await readInput();
		signal.throwIfAborted();
	}
	if (outcomes.length === before) throw unknownFormat(name);
}

function placeIn(name: string, outcome: ImportOutcome): ImportOutcome {
	return outcome.type === 'left-out' ? {...outcome, place: `${name}, ${outcome.place}`} : outcome;
}

function unknownFormat(name: string): ChatError {
	const words =
		'It reads conversations that chat exported, the data exports of ChatGPT and Claude (the ZIP file, or its conversations.json), messages of chat completions, llm logs --json, and ShareGPT.';
	return new ChatError('data', `found no conversations in ${name}`, {
		hint: words,
	});
}

async function printImported(
	outcomes: readonly ImportOutcome[],
	format: Settings['output'],
	environment: Environment,
): Promise<void> {
	const imported = outcomes.filter((outcome) => outcome.type === 'imported');
	await printList(
		imported,
		{
			format,
			toJson: ({id, title, turns, source}) => ({id, title, turns, source}),
			// Without a turn there is a prompt.
			toText: (all) =>
				alignColumns(
					all.map(({id, title, turns}) => [id, describeTurns(turns, true), stripToLine(title)]),
				),
		},
		environment,
	);
}

/** Maximum number of skipped conversations that are named. */
const maxNamed = 20;

function describeOutcomes(
	outcomes: readonly ImportOutcome[],
	failures: readonly ChatError[],
): readonly string[] {
	const imported = outcomes.filter((outcome) => outcome.type === 'imported');
	const saved = outcomes.filter((outcome) => outcome.type === 'known');
	const known = saved.filter(({added}) => added === 0);
	const grown = saved.filter(({added}) => added > 0);
	const leftOut = outcomes.filter((outcome) => outcome.type === 'left-out');
	const totals = [
		`imported ${plural(imported.length, 'conversation')}`,
		...(grown.length === 0 ? [] : [`${grown.length} updated`]),
		...(known.length === 0 ? [] : [`${known.length} already there`]),
		...(leftOut.length === 0 ? [] : [`${leftOut.length} left out`]),
		...(failures.length === 0 ? [] : [`${plural(failures.length, 'file')} not imported`]),
	];
	// A single failure is the error of the run.
	return outcomes.length === 0 && failures.length < 2
		? []
		: [
				totals.join(', '),
				...nameSome(failures, ({message}) => `not imported: ${stripToLine(message)}`),
				...nameSome(
					grown,
					({id, title, added}) =>
						`updated: ${id} "${stripToLine(title)}" (${plural(added, 'turn')} added)`,
				),
				...nameSome(known, ({id, title}) => `already there: ${id} "${stripToLine(title)}"`),
				...nameSome(leftOut, ({place, title, problem}) =>
					title === ''
						? `left out: ${stripToLine(place)} (${problem})`
						: `left out: "${stripToLine(title)}" (${stripToLine(place)}: ${problem})`,
				),
				...describeOmitted(imported),
			];
}

function nameSome<Outcome>(
	outcomes: readonly Outcome[],
	describe: (outcome: Outcome) => string,
): readonly string[] {
	const named = outcomes.slice(0, maxNamed).map(describe);
	const more = outcomes.length - named.length;
	return more === 0 ? named : [...named, `… and ${more} more`];
}

function describeOmitted(
	imported: ReadonlyArray<Extract<ImportOutcome, {readonly type: 'imported'}>>,
): readonly string[] {
	const counts = new Map<string, number>();
	for (const {omitted} of imported) {
		for (const [what, count] of Object.entries(omitted)) {
			counts.set(what, (counts.get(what) ?? 0) + count);
		}
	}
	const named = [...counts].flatMap(([what, count]) => (count === 0 ? [] : [plural(count, what)]));
	return named.length === 0 ? [] : [`not found or not readable: ${named.join(', ')}`];
}
