/**
 * Compares a session that draws an answer with a program that only writes its text, and measures the
 * delay of keys meanwhile and the cost of an idle screen.
 */
import {setTimeout as pause} from 'node:timers/promises';
import {openTerminal} from '../run-program.js';
import {lastToken} from './answers.js';
import {canReadCpu, readCpuMs} from './cpu-time.js';
import {createVariables} from './program.js';
import {median, printGoals, printHeading, printTable, ratio} from './report.js';

const size = {columns: 100, rows: 40};
const tokens = 3_000;
/** The speed of a fast model. */
const rate = 200;
const settleMs = 300;
const idleMs = 3_000;
const echoKeys = 30;
/** Cyrillic occurs in no answer. Each key is another letter, unlike any redraw. */
const firstKey = 0x430;

/** @param bench `{node, program, service, isQuick}` */
export async function benchScreen({node, program, service, isQuick}) {
	if (!canReadCpu) {
		console.log('The screen is not measured: only Linux tells the CPU time of other processes.');
		return;
	}
	printHeading(`${tokens} tokens of prose at ${rate} tokens/s, 100x40`);
	const baseUrl = service.baseUrl({kind: 'prose', tokens, rate});
	const variables = createVariables(program, baseUrl);
	const open = (command) => openTerminal(command, size, variables, variables.HOME);
	const screens = [];
	const writers = [];
	for (let round = 0; round < (isQuick ? 1 : 3); round++) {
		// Both run at the same time, on a core each, and see the same load.
		const [screen, writer] = await Promise.all([
			measureSession(open([node, program.chat])),
			measureAnswer(open([node, program.httpLoop, baseUrl, '--ask']), /> /, '\n'),
		]);
		screens.push(screen);
		writers.push(writer);
	}
	const of = (runs, field) => runs.map((run) => run[field]);
	const row = (name, runs) => [
		name,
		((median(of(runs, 'cpuMs')) * 1000) / tokens).toFixed(0),
		(median(of(runs, 'bytes')) / tokens).toFixed(1),
	];
	printTable([['', 'us/token', 'B/token'], row('plain writer', writers), row('session', screens)]);
	const echoes = of(screens, 'echoMs').flat();
	console.log(`\n  echo of a key: ${median(echoes).toFixed(0)} ms (median of ${echoes.length})`);
	console.log(`  idle: ${(median(of(screens, 'idleShare')) * 100).toFixed(2)} % of a core`);
	printGoals([
		['CPU of an answer to the plain writer', ratio(of(screens, 'cpuMs'), of(writers, 'cpuMs')), 4],
	]);
}

async function measureSession(terminal) {
	const cost = await measureAnswer(terminal, /› /, 'go\r', true);
	const echoMs = await measureEcho(terminal);
	await terminal.waitForQuiet(1000);
	const before = readCpuMs(terminal.pid);
	await pause(idleMs);
	const idleShare = (readCpuMs(terminal.pid) - before) / idleMs;
	await terminal.close();
	return {...cost, echoMs, idleShare};
}

/** Measures an answer from the prompt to the last token, without the start. */
async function measureAnswer(terminal, prompt, typed, isKept = false) {
	await terminal.waitFor(prompt);
	await terminal.waitForQuiet(settleMs);
	const before = {cpuMs: readCpuMs(terminal.pid), bytes: terminal.bytes()};
	terminal.type(typed);
	await terminal.waitFor(new RegExp(lastToken));
	await terminal.waitForQuiet(settleMs);
	const cost = {
		cpuMs: readCpuMs(terminal.pid) - before.cpuMs,
		bytes: terminal.bytes() - before.bytes,
	};
	if (!isKept) await terminal.close();
	return cost;
}

/** Repeats the answer; the keys meet its frames at different moments. */
async function measureEcho(terminal) {
	terminal.type('go\r');
	await terminal.waitFor(/tokens\/s/);
	const echoes = [];
	for (let count = 0; count < echoKeys; count++) {
		await pause(120 + ((count * 37) % 80));
		const key = String.fromCodePoint(firstKey + count);
		const typedAt = performance.now();
		terminal.type(key);
		await terminal.waitFor(new RegExp(key));
		echoes.push(performance.now() - typedAt);
	}
	terminal.type('\x1b');
	await terminal.waitFor(/◐ interrupted/);
	return echoes;
}
