/** `chat sessions import`: saves conversations from other programs. */
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {alignColumns} from '../../../output/align-columns.ts';
import {printInfo, printList} from '../../../output/print.ts';
import {createKeyRedactor} from '../../../redact.ts';
import {readInput} from '../../../schedule-after-input.ts';
import type {ImportOutcome} from '../../../sessions/import/import-file.ts';
import {readSources} from '../../../sessions/import/known-sources.ts';
import type {ImportTarget} from '../../../sessions/import/write-session.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import {describeTurns, plural} from '../../../wording.ts';
import {untilInterrupted} from '../../run/until-interrupted.ts';
import {type ImportSource, openImport} from './import-source.ts';
import {type SessionRun, sessionVerb} from './session-verb.ts';

export const importAll = sessionVerb({
	args: '<file...>',
	summary:
		'save conversations from a file, or stdin (-): ChatGPT and Claude exports (ZIP), chat completions, llm logs --json',
	flags: {},
	complete: ['files'],
	run: (run) => untilInterrupted(run.environment, (signal) => importFiles(run, signal)),
});

async function importFiles(run: SessionRun, signal: AbortSignal): Promise<ExitCode> {
	const {words, settings, environment} = run;
	const outcomes: ImportOutcome[] = [];
	/** Files without readable conversations. */
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
				for await (const source of openImport(word, run, signal)) {
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

/** Whether an error costs one file, and no other one. */
function isOfFile(error: unknown): error is ChatError {
	return error instanceof ChatError && (error.kind === 'input' || error.kind === 'data');
}

function createTarget({directory, environment}: SessionRun): ImportTarget {
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
	{name, ...source}: ImportSource,
	target: ImportTarget,
	outcomes: ImportOutcome[],
	isAlone: boolean,
	signal: AbortSignal,
): Promise<void> {
	// The format readers outweigh all other verbs together.
	const {importFile} = await import('../../../sessions/import/import-file.ts');
	const before = outcomes.length;
	const context = {...source, now: target.date()};
	for (const outcome of importFile(source.chunks, context, target)) {
		const isNamed = isAlone || outcome.type !== 'left-out';
		outcomes.push(isNamed ? outcome : {...outcome, place: `${name}, ${outcome.place}`});
		await readInput();
		signal.throwIfAborted();
	}
	if (outcomes.length > before) return;
	throw new ChatError('data', `found no conversations in ${name}`, {
		hint: 'It reads conversations that chat exported, the data exports of ChatGPT and Claude (the ZIP file, or its conversations.json), messages of chat completions, llm logs --json, and logs of Claude Code, Codex and other programs.',
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

function describeOutcomes(
	outcomes: readonly ImportOutcome[],
	failures: readonly ChatError[],
): readonly string[] {
	// A single failure becomes the run's error.
	if (outcomes.length === 0 && failures.length < 2) return [];
	const imported = outcomes.filter((outcome) => outcome.type === 'imported');
	const saved = outcomes.filter((outcome) => outcome.type === 'known');
	const grown = saved.filter(({added}) => added > 0);
	const known = saved.filter(({added}) => added === 0);
	const leftOut = outcomes.filter((outcome) => outcome.type === 'left-out');
	const nameSaved = ({id, title}: {id: string; title: string}) => `${id} "${stripToLine(title)}"`;
	const groups = [
		{
			what: 'updated',
			lines: grown.map((one) => `${nameSaved(one)} (${plural(one.added, 'turn')} added)`),
		},
		{what: 'already there', lines: known.map(nameSaved)},
		{
			what: 'left out',
			lines: leftOut.map(({place, title, problem}) =>
				title === ''
					? `${stripToLine(place)} (${problem})`
					: `"${stripToLine(title)}" (${stripToLine(place)}: ${problem})`,
			),
		},
		{what: 'not imported', noun: 'file', lines: failures.map(({message}) => stripToLine(message))},
	].filter(({lines}) => lines.length > 0);
	const totals = groups.map(({what, noun, lines: {length}}) =>
		noun === undefined ? `${length} ${what}` : `${plural(length, noun)} ${what}`,
	);
	return [
		[`imported ${plural(imported.length, 'conversation')}`, ...totals].join(', '),
		...groups.flatMap(({what, lines}) => nameSome(what, lines)),
		...describeOmitted(imported),
	];
}

/** Maximum number of skipped conversations listed by name. */
const maxNamed = 20;

function nameSome(what: string, lines: readonly string[]): readonly string[] {
	const named = lines.slice(0, maxNamed).map((line) => `${what}: ${line}`);
	const more = lines.length - named.length;
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
	return named.length === 0 ? [] : [`not taken: ${named.join(', ')}`];
}
