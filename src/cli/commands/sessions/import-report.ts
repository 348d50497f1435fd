/** Reports the outcome of `chat sessions import`. */
import type {Environment} from '../../../environment.ts';
import type {ChatError} from '../../../errors.ts';
import {alignColumns} from '../../../output/align-columns.ts';
import {printList} from '../../../output/print.ts';
import type {ImportOutcome} from '../../../sessions/import/import-file.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import {describeTurns, plural} from '../../../wording.ts';

export type ImportReport = {
	readonly outcomes: ImportOutcome[];
	/** Files without readable conversations. */
	readonly failures: ChatError[];
	/** Why a found file has nothing to import: `no messages`. */
	readonly passedOver: string[];
	/** Whether they are conversations of a program, most of which may be known. */
	readonly isOfPrograms: boolean;
};

export function createReport(isOfPrograms: boolean): ImportReport {
	return {outcomes: [], failures: [], passedOver: [], isOfPrograms};
}

export async function printImported(
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

export function describeReport({
	outcomes,
	failures,
	passedOver,
	isOfPrograms,
}: ImportReport): readonly string[] {
	// A single failure becomes the run's error.
	const isError = failures.length === 1 || !isOfPrograms;
	if (outcomes.length === 0 && passedOver.length === 0 && failures.length < 2 && isError) return [];
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
		{what: 'already there', lines: known.map(nameSaved), isCounted: isOfPrograms},
		{
			what: 'left out',
			lines: leftOut.map(({place, title, problem}) =>
				title === ''
					? `${stripToLine(place)} (${problem})`
					: `"${stripToLine(title)}" (${stripToLine(place)}: ${problem})`,
			),
		},
		{what: 'passed over', noun: 'file', lines: passedOver, isCounted: true},
		{what: 'not imported', noun: 'file', lines: failures.map(({message}) => stripToLine(message))},
	].filter(({lines}) => lines.length > 0);
	const totals = groups.map(({what, noun, lines: {length}}) =>
		noun === undefined ? `${length} ${what}` : `${plural(length, noun)} ${what}`,
	);
	return [
		[`imported ${plural(imported.length, 'conversation')}`, ...totals].join(', '),
		...groups.flatMap(({what, lines, isCounted = false}) =>
			isCounted ? [] : nameSome(what, lines),
		),
		...[...countEach(passedOver)].map(
			([why, count]) => `passed over: ${plural(count, 'file')} (${why})`,
		),
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
	const words = imported.flatMap(({omitted}) => Object.entries(omitted));
	const counts = countEach(words.flatMap(([what, count]) => Array<string>(count).fill(what)));
	const named = [...counts].flatMap(([what, count]) => (count === 0 ? [] : [plural(count, what)]));
	return named.length === 0 ? [] : [`not taken: ${named.join(', ')}`];
}

function countEach(words: readonly string[]): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
	return counts;
}
