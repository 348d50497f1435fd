/** `chat sessions import`: saves the conversations of other programs. */
import type {Environment} from '../../environment.ts';
import {ChatError, type ExitCode} from '../../errors.ts';
import {checkFile} from '../../input/read-bytes.ts';
import {printInfo, printList} from '../../output/print.ts';
import {createKeyRedactor} from '../../redact.ts';
import {type ImportOutcome, importFile} from '../../sessions/import/import-file.ts';
import {readSources} from '../../sessions/import/known-sources.ts';
import type {Settings} from '../../settings/options/settings.ts';
import {stripToLine} from '../../terminal/safe-text.ts';
import {describeTurns, plural} from '../../wording.ts';
import {openImportFile, openStdin} from './import-source.ts';
import type {VerbRun} from './session-verb.ts';

export async function importSessions(run: VerbRun): Promise<ExitCode> {
	const {words, directory, settings, environment} = run;
	const {cwd} = environment;
	// A mistake in one of the names imports nothing.
	for (const word of words) if (word !== '-') checkFile(word, cwd, true);
	const target = {
		directory,
		sources: readSources(directory),
		cwd,
		redact: createKeyRedactor(environment.variables),
		createId: () => environment.createId(),
		date: () => environment.date(),
	};
	const outcomes: ImportOutcome[] = [];
	try {
		for (const word of words) {
			const source =
				word === '-' ? await openStdin(environment, directory) : openImportFile(word, cwd);
			const before = outcomes.length;
			const context = {...source, now: environment.date()};
			for (const outcome of importFile(source.chunks, context, target)) outcomes.push(outcome);
			if (outcomes.length === before) throw unknownFormat(source.name);
		}
	} finally {
		await printImported(outcomes, settings.output, environment);
		for (const line of describeOutcomes(outcomes)) printInfo(line, environment);
	}
	return outcomes.some(({type}) => type !== 'left-out') ? 0 : 65;
}

function unknownFormat(name: string): ChatError {
	const words =
		'It reads conversations that chat exported, the data exports of ChatGPT and Claude (conversations.json), messages of chat completions, llm logs --json, and ShareGPT.';
	return new ChatError('data', `found no conversations in ${name}`, {
		hint: {code: 'own-words', words},
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
			toLine: ({id, title, turns}) =>
				`${id}  ${describeTurns(turns, true).padEnd(12)}  ${stripToLine(title)}`,
		},
		environment,
	);
}

/** Of the conversations that are not imported, at most so many are named. */
const maxNamed = 20;

function describeOutcomes(outcomes: readonly ImportOutcome[]): readonly string[] {
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
	];
	return outcomes.length === 0
		? []
		: [
				totals.join(', '),
				...nameSome(
					grown,
					({id, title, added}) =>
						`updated: ${id} "${stripToLine(title)}" (${plural(added, 'turn')} added)`,
				),
				...nameSome(known, ({id, title}) => `already there: ${id} "${stripToLine(title)}"`),
				...nameSome(leftOut, ({place, title, problem}) =>
					title === ''
						? `left out: ${place} (${problem})`
						: `left out: "${stripToLine(title)}" (${place}: ${problem})`,
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
