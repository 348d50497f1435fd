/** Compares the cost of a late token in a long answer on the screen with that of an early one. */
import {openTerminal} from '../run-program.js';
import {lastToken} from './answers.js';
import {canReadCpu, readCpuMs, readMemory} from './cpu-time.js';
import {createVariables} from './program.js';
import {median, printGoals, printHeading, printTable, ratio} from './report.js';

const kinds = {prose: 'prose', code: 'one code block', paragraph: 'one paragraph'};
const size = {columns: 100, rows: 40};
const short = 5_000;
const long = 20_000;
/** Fast enough to end within ten seconds, slow enough for a line or two per frame. */
const rate = 2_000;
const settleMs = 300;

/** @param bench `{node, program, service, isQuick}` */
export async function benchGrowth({node, program, service, isQuick}) {
	if (!canReadCpu) {
		console.log('Long answers are not measured: only Linux tells the CPU time of other processes.');
		return;
	}
	printHeading(`${long} tokens at ${rate} tokens/s, 100x40`);
	const measure = async (kind, tokens) => {
		const variables = createVariables(program, service.baseUrl({kind, tokens, rate}));
		const {cpuMs, bytes, memory} = await measureAnswer([node, program.chat], variables);
		return {cpu: (cpuMs * 1000) / tokens, bytes: bytes / tokens, memory};
	};
	const runs = [];
	for (const kind of Object.keys(kinds)) {
		const run = {name: kinds[kind], short: [], long: []};
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
			run.name,
			...both(run, 'cpu', 0),
			...both(run, 'bytes', 1),
			...both(run, 'memory', 0),
		]),
	]);
	const figures = {cpu: 'CPU per token', bytes: 'bytes per token', memory: 'memory'};
	printGoals(
		runs.flatMap((run) =>
			Object.entries(figures).map(([field, what]) => [
				`${run.name}: ${what} at 20k to 5k`,
				ratio(of(run.long, field), of(run.short, field)),
				1.25,
			]),
		),
	);
}

/** Measures an answer from the prompt to the last token, without the start. */
async function measureAnswer(command, variables) {
	const terminal = openTerminal(command, size, variables, variables.HOME);
	try {
		await terminal.waitFor(/› /);
		await terminal.waitForQuiet(settleMs);
		const before = {cpuMs: readCpuMs(terminal.pid), bytes: terminal.bytes()};
		terminal.type('go\r');
		await terminal.waitFor(new RegExp(lastToken));
		await terminal.waitForQuiet(settleMs);
		return {
			cpuMs: readCpuMs(terminal.pid) - before.cpuMs,
			bytes: terminal.bytes() - before.bytes,
			memory: readMemory(terminal.pid),
		};
	} finally {
		await terminal.close();
	}
}
