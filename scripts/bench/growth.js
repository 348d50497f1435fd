/** Compares the cost of a late token in a long answer with that of an early one. */
import {createVariables} from './program.js';
import {goal, printGoals, printHeading, printTable} from './report.js';
import {median, ratio} from './statistics.js';
import {askInTerminal} from './terminal.js';

const kinds = {prose: 'prose', code: 'one code block', paragraph: 'one paragraph'};
const short = 5_000;
const long = 20_000;
/** Fast enough to end within ten seconds, slow enough for a line or two per frame. */
const rate = 2_000;

/** @param bench `{node, program, service, isQuick}` */
export async function benchGrowth({node, program, service, isQuick}) {
	printHeading(`${long} tokens at ${rate} tokens/s, 100x40`);
	const measure = async (kind, tokens) => {
		const variables = createVariables(program, service.baseUrl({kind, tokens, rate}));
		const {cpuMs, bytes, memory} = await askInTerminal([node, program.chat], variables);
		return {cpu: (cpuMs * 1000) / tokens, bytes: bytes / tokens, memory};
	};
	const runs = [];
	for (const kind of Object.keys(kinds)) {
		const run = {kind, short: [], long: []};
		for (let round = 0; round < (isQuick ? 1 : 3); round++) {
			run.short.push(await measure(kind, short));
			run.long.push(await measure(kind, long));
		}
		runs.push(run);
	}
	const of = (values, field) => values.map((value) => value[field]);
	const both = (run, field, digits) =>
		[run.short, run.long].map((values) => median(of(values, field)).toFixed(digits));
	printTable([
		['', '5k us/token', '20k', '5k B/token', '20k', '5k MiB', '20k'],
		...runs.map((run) => [
			kinds[run.kind],
			...both(run, 'cpu', 0),
			...both(run, 'bytes', 1),
			...both(run, 'memory', 0),
		]),
	]);
	const compare = (run, what, field) =>
		goal(
			`${kinds[run.kind]}: ${what} at 20k to 5k`,
			ratio(of(run.long, field), of(run.short, field)),
			1.25,
		);
	printGoals(
		runs.flatMap((run) => [
			compare(run, 'CPU per token', 'cpu'),
			compare(run, 'bytes per token', 'bytes'),
			compare(run, 'memory', 'memory'),
		]),
	);
}
