/** Runs a command in a pseudo-terminal of 100 by 40, and measures it from outside. */
import {readdirSync, readFileSync} from 'node:fs';
import {stripVTControlCharacters} from 'node:util';
import {spawn} from '@lydell/node-pty';
import {lastToken} from './answers.js';

const size = {cols: 100, rows: 40};
const settleMs = 300;
const patienceMs = 60_000;
/** Long enough for a text split between two reads. */
const keptLength = 4096;

/** CPU time of all threads of a running process, in milliseconds. Linux only. */
function readCpuMs(pid) {
	const folder = `/proc/${pid}/task`;
	const nanoseconds = readdirSync(folder).map((thread) =>
		Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0]),
	);
	return nanoseconds.reduce((sum, time) => sum + time, 0) / 1e6;
}

/** Resident memory of a running process in MiB. Linux only. */
function readMemory(pid) {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	return Number(/VmRSS:\s*(\d+)/.exec(status)[1]) / 1024;
}

export function canReadCpu() {
	try {
		return readCpuMs('self') > 0;
	} catch {
		return false;
	}
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The caller closes it, unless it ends by itself. */
export function openTerminal([file, ...words], variables) {
	const started = performance.now();
	const child = spawn(file, words, {...size, env: variables, cwd: variables.HOME, encoding: null});
	const decoder = new TextDecoder();
	let bytes = 0;
	let unread = '';
	let heardAt = started;
	const forget = () => {
		unread = '';
	};
	let onData = forget;
	child.onData((data) => {
		heardAt = performance.now();
		bytes += data.length;
		unread += decoder.decode(data, {stream: true});
		onData();
	});
	const exited = new Promise((resolve) => child.onExit(resolve));

	/** Resolves with the time of the data that made it true. Ignores output before the call. */
	const waitFor = (test) => {
		unread = '';
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => {
				reject(new Error(`${words.join(' ')} stays at ${JSON.stringify(unread.slice(-500))}`));
			}, patienceMs);
			onData = () => {
				if (test(stripVTControlCharacters(unread))) {
					clearTimeout(timer);
					onData = forget;
					resolve(heardAt);
				}
				unread = unread.slice(-keptLength);
			};
		});
	};

	return {
		started,
		exited,
		waitFor,
		/** Resolves after this time without output. */
		async waitForQuiet(ms) {
			while (performance.now() - heardAt < ms) await sleep(ms / 4);
		},
		type: (text) => child.write(text),
		bytes: () => bytes,
		cpuMs: () => readCpuMs(child.pid),
		memory: () => readMemory(child.pid),
		async close() {
			child.kill('SIGKILL');
			await exited;
		},
	};
}

/** Whether the prompt is shown: that of `chat`, or of the programs it is compared with. */
export function hasPrompt(text) {
	return /[›>] /.test(text);
}

/**
 * Starts a program with a prompt, sends one prompt, and closes it.
 *
 * @returns the cost of the answer, without the start
 */
export async function askInTerminal(command, variables, enter = '\r') {
	const terminal = openTerminal(command, variables);
	await terminal.waitFor(hasPrompt);
	const cost = await measureAnswer(terminal, enter);
	await terminal.close();
	return cost;
}

/** From the prompt to the last token. */
export async function measureAnswer(terminal, enter = '\r') {
	await terminal.waitForQuiet(settleMs);
	const cpuBefore = terminal.cpuMs();
	const bytesBefore = terminal.bytes();
	const isOver = terminal.waitFor((text) => text.includes(lastToken));
	terminal.type(`go${enter}`);
	await isOver;
	await terminal.waitForQuiet(settleMs);
	return {
		cpuMs: terminal.cpuMs() - cpuBefore,
		bytes: terminal.bytes() - bytesBefore,
		memory: terminal.memory(),
	};
}
