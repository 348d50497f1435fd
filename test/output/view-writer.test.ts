/** One answer drawn live: what the view and stderr get, and in which order. */
import {tmpdir} from 'node:os';
import {Readable, Writable} from 'node:stream';
import {describe, expect, test} from 'vitest';
import type {ChatEvent, ChatEventBatch} from '../../src/chat/event.ts';
import {createOutputStream, type Environment} from '../../src/environment.ts';
import {ChatError} from '../../src/errors.ts';
import {type OutputOptions, writeTurn} from '../../src/output/write-turn.ts';
import {stepEnd, stepStart, textDelta, turnEnd} from '../helpers/events.ts';

const text = textDelta('Hello \x1b[31myou');

function notice(code: 'retry' | 'fallback' | 'image-large', message: string): ChatEvent {
	return {type: 'notice', notice: {code, message}};
}

type Script = {
	readonly before?: readonly ChatEvent[];
	readonly batches: readonly ChatEventBatch[];
	readonly options?: Partial<OutputOptions>;
};

/** A run on a terminal whose output goes to the log. */
function createTerminalEnvironment(log: string[]): Environment {
	const createStream = (name: string) => {
		const write = (chunk: Buffer, _: BufferEncoding, done: () => void) => {
			log.push(`${name}: ${chunk}`);
			done();
		};
		return createOutputStream(new Writable({write}), true);
	};
	return {
		stdin: {kind: 'none', read: () => Readable.from([])},
		stdout: createStream('stdout'),
		stderr: createStream('stderr'),
		terminal: undefined,
		platform: 'linux',
		homedir: undefined,
		runProgram: () => Promise.reject(new Error('no program is run here')),
		program: {path: undefined, nodePath: '', nodeVersion: ''},
		processes: {holdSignals: () => () => {}, signal: () => false},
		variables: {},
		cwd: tmpdir(),
		now: () => 0,
		date: () => 0,
		createId: () => '',
		onInterrupt: () => () => {},
	};
}

/** Writes a turn with a view, and logs what each of them got, in order. */
async function watch({before = [], batches, options}: Script) {
	const log: string[] = [];
	const environment = createTerminalEnvironment(log);
	const exitCode = await writeTurn(
		{
			opening: before,
			events: (async function* () {
				yield* batches;
			})(),
		},
		{
			format: 'text',
			part: {type: 'all'},
			reasoning: 'auto',
			isUsageShown: false,
			isQuiet: false,
			isVerbose: false,
			session: () => null,
			service: 'http://127.0.0.1',
			wire: 'chat',
			redact: (message) => message.replaceAll('sk-1234', '[redacted]'),
			async openView() {
				log.push('view opens');
				return {
					async write(batch) {
						log.push(`view: ${batch.map(({type}) => type).join(', ')}`);
					},
					async end() {
						log.push('view ends');
					},
				};
			},
			...options,
		},
		environment,
	).catch((error: unknown) => error);
	return {log, exitCode};
}

describe('a live view', () => {
	test('gets every batch as it comes, and nothing else is written', async () => {
		expect(await watch({batches: [[stepStart], [text], [stepEnd()], [turnEnd]]})).toEqual({
			log: [
				'view opens',
				'view: step-start',
				'view: text-delta',
				'view: step-end',
				'view: turn-end',
				'view ends',
			],
			exitCode: 0,
		});
	});

	test('opens after the notices that precede the request', async () => {
		const {log} = await watch({
			before: [notice('image-large', 'a.png is large')],
			batches: [[stepStart, text, stepEnd(), turnEnd]],
		});
		expect(log.slice(0, 2)).toEqual(['stderr: chat: a.png is large\n', 'view opens']);
	});

	test('is not interrupted by notices; only the view shows a retry', async () => {
		const {log} = await watch({
			batches: [
				[notice('retry', 'again in 2 s')],
				[stepStart, notice('fallback', 'asked again, sk-1234')],
				[text, stepEnd(), turnEnd],
			],
		});
		expect(log).toEqual([
			'view opens',
			'view: notice',
			'view: step-start, notice',
			'view: text-delta, step-end, turn-end',
			'view ends',
			'stderr: chat: asked again, [redacted]\n',
		]);
	});

	test('is finished before the failure is printed', async () => {
		const error = new ChatError('incomplete', 'the stream was cut');
		const {log, exitCode} = await watch({batches: [[stepStart, text], [{type: 'error', error}]]});
		expect(log.slice(-2)).toEqual(['view ends', 'stderr: chat: the stream was cut\n']);
		expect(exitCode).toBe(79);
	});

	test('shows a refusal, and the line on stderr does not repeat it', async () => {
		const refusal: ChatEvent = {type: 'refusal-delta', text: 'I cannot do that.'};
		const {log, exitCode} = await watch({batches: [[stepStart, refusal, stepEnd(), turnEnd]]});
		expect(log.slice(-2)).toEqual(['view ends', 'stderr: chat: the model refused to answer\n']);
		expect(exitCode).toBe(79);
	});

	test('is followed by unanswered calls, made safe, and by the usage', async () => {
		const call = {callId: 'a', name: 'look\x1b[2Jup', arguments: '{}', isRunnable: true};
		const {log} = await watch({
			batches: [[stepStart, {type: 'tool-call', call}, stepEnd(), turnEnd]],
			options: {isUsageShown: true},
		});
		const [ending, calls, usage] = log.slice(-3);
		expect(ending).toBe('view ends');
		expect(calls).toBe('stdout: look\\u001b[2Jup {}\n');
		expect(usage).toMatch(/^stderr: /);
	});

	test('ends when a batch could not be drawn: its clock would keep the process', async () => {
		const failure = new Error('a row has no width');
		let isEnded = false;
		const openView = async () => ({
			write: () => Promise.reject(failure),
			end: async () => {
				isEnded = true;
			},
		});
		const {exitCode} = await watch({batches: [[stepStart, text]], options: {openView}});
		expect(exitCode).toBe(failure);
		expect(isEnded).toBe(true);
	});
});

describe('there is no view', () => {
	test.each([
		['for another format', {format: 'json'}],
		['for a part of the answer', {part: {type: 'code', block: 1}}],
		['where none can be opened', {openView: undefined}],
	] satisfies [string, Partial<OutputOptions>][])('%s', async (_, options) => {
		const code: ChatEvent = {type: 'text-delta', text: '```\ncode\n```\n'};
		const {log, exitCode} = await watch({
			batches: [[stepStart, code, stepEnd(), turnEnd]],
			options,
		});
		expect(log.some((line) => line.startsWith('view'))).toBe(false);
		expect(log.join('')).toContain('code');
		expect(exitCode).toBe(0);
	});
});
