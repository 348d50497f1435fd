/**
 * The screen of a session while an answer grows to 20,000 tokens, at 200 tokens/s of a simulated
 * clock and on a terminal that only counts. Prints what the tokens before each mark have cost.
 *
 * `node grow-answer.js <kind>`
 */

import {EventEmitter} from 'node:events';
import {writeSync} from 'node:fs';
import {PassThrough} from 'node:stream';
import {createBatchQueue} from '../../../src/cli/batch-queue.ts';
import {createPrompt} from '../../../src/repl/prompt.ts';
import {createSession} from '../../../src/repl/session.ts';
import {createReplState} from '../../../src/repl/state.ts';
import {runReplScreen} from '../../../src/ui/ink/run-repl.ts';
import {createAnswer} from '../answers.js';
import {advance} from './simulated-clock.js';

const marks = [1_000, 5_000, 20_000];
const tokensPerFrame = 7;
const frameMs = 35;
const size = {columns: 100, rows: 40};

function createCountingTerminal() {
	let bytes = 0;
	const output = Object.assign(new EventEmitter(), size, {
		isTTY: true,
		writable: true,
		write(data, ...rest) {
			bytes += Buffer.byteLength(data);
			rest.find((item) => typeof item === 'function')?.();
			return true;
		},
	});
	const never = () => () => {};
	return {output, size: () => size, onResize: never, onExit: never, bytes: () => bytes};
}

/** Asks at once; what is pushed is the answer. */
function openScreen(terminal) {
	const batches = createBatchQueue();
	const now = () => performance.now();
	const session = createSession(
		createReplState({
			options: {model: 'bench', isStreaming: true},
			family: '',
			reasoningMode: 'auto',
			...size,
		}),
		{openTurn: () => batches, load: () => Promise.reject(new Error('nothing to load')), now},
	);
	const options = {hasColor: true, hasLinks: true, hasReflow: true, redact: (text) => text};
	void runReplScreen({
		session,
		terminal,
		keyboard: {stream: new PassThrough(), close() {}},
		options,
		greeting: [],
		first: createPrompt('go'),
		now,
		signal: new AbortController().signal,
	});
	return batches;
}

function cpuUs() {
	const {user, system} = process.cpuUsage();
	return user + system;
}

const tokens = createAnswer(process.argv[2], marks.at(-1));
const terminal = createCountingTerminal();
const batches = openScreen(terminal);
const look = (count) => ({count, cpuUs: cpuUs(), bytes: terminal.bytes()});
const found = {};
let windowStart;

batches.push([{type: 'step-start', model: 'bench', requestedModel: 'bench', id: '', attempts: 1}]);
for (let count = 0; count < tokens.length; ) {
	const mark = marks.find((place) => place > count);
	if (windowStart === undefined && count >= 0.9 * mark) windowStart = look(count);
	const next = Math.min(count + tokensPerFrame, mark);
	for (const text of tokens.slice(count, next)) batches.push([{type: 'text-delta', text}]);
	count = next;
	await advance(frameMs);
	if (count < mark) continue;
	const end = look(count);
	found[mark] = {
		cpuUs: (end.cpuUs - windowStart.cpuUs) / (end.count - windowStart.count),
		bytes: (end.bytes - windowStart.bytes) / (end.count - windowStart.count),
		memory: process.memoryUsage.rss() / 2 ** 20,
	};
	windowStart = undefined;
}
writeSync(1, JSON.stringify(found));
process.exit();
