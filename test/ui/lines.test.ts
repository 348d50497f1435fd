/** Sessions and answers as plain lines, by the clock of the test. */
import {afterEach, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {ChatError} from '../../src/errors.ts';
import type {ReplServices} from '../../src/repl/services.ts';
import {openAnswerLines, openReplLines} from '../../src/ui/lines/views.ts';
import {openAnswer, runRepl} from '../../src/ui/run.ts';
import {createRequest} from '../helpers/approval-request.ts';
import {openConversation} from '../helpers/conversation.ts';
import {textDelta, turnEnd} from '../helpers/events.ts';
import {events, lineOf, retryOf, stepEnd, stepStart} from '../repl/play.ts';
import {type Beat, openScripted} from '../repl/scripted-repl.ts';
import {openEmulator} from './emulator.ts';

beforeEach(() => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance']});
});
afterEach(() => {
	vi.useRealTimers();
});

const size = {columns: 100, rows: 30};
const serviceUrl = 'https://api.example.com/v1/chat/completions';

const options = {redact: (text: string) => text, serviceUrl};
const now = () => performance.now();

/** Runs a session until the end of the test. `lines` returns those after the greeting. */
async function openSession(
	scripts: ReadonlyArray<readonly Beat[]> = [],
	services: Partial<ReplServices> = {},
) {
	const {terminal, keyboard, screen} = openEmulator(size);
	const scripted = openScripted(scripts, services);
	const interrupt = new AbortController();
	const {repl} = scripted;
	const view = openReplLines({
		...{shown: repl, terminal, options, now},
		platform: 'linux',
		listValues: services.listValues ?? (() => Promise.resolve([])),
	});
	const ended = runRepl({
		...{repl, view, terminal, keyboard, now},
		opening: [],
		greeting: [],
		first: undefined,
		onShown: () => {},
		onClosed: () => undefined,
		signal: interrupt.signal,
	});
	onTestFinished(async () => {
		interrupt.abort();
		await ended;
	});
	await wait(0);
	return {...scripted, lines: () => linesOf(screen), interrupt: () => interrupt.abort(), ended};
}

async function wait(seconds: number): Promise<void> {
	await vi.advanceTimersByTimeAsync(seconds * 1000);
	await new Promise(setImmediate);
}

async function linesOf(screen: () => Promise<readonly string[]>): Promise<readonly string[]> {
	const shown = screen();
	await wait(0.001);
	return (await shown).slice(1).map((line) => line.trimEnd());
}

describe('a silence', () => {
	test('is reported after 8 seconds, and again as it doubles', async () => {
		const {play, lines} = await openSession([[[stepStart, textDelta('One.\n\n')], 'silence']]);
		play(lineOf('q'));
		await wait(7.9);
		expect(await lines()).toEqual(['You:', 'Answer:', 'One.']);
		await wait(30);
		expect((await lines()).slice(3)).toEqual([
			'Nothing received for 8 seconds.',
			'Nothing received for 16 seconds.',
			'Nothing received for 32 seconds.',
		]);
		// A paragraph is written when it is whole.
		play('<< Two.\n\nHalf…');
		await wait(8);
		expect((await lines()).slice(6)).toEqual(['Two.', 'Nothing received for 8 seconds.']);
	});

	test('is counted after the wait for a retry, again from each event, and ends with the turn', async () => {
		const {play, lines} = await openSession([[[retryOf('busy')], 'silence']]);
		play(lineOf('q'));
		await wait(19.9);
		play('<< word …');
		for (const step of ['<< word …', '<< word …', events(turnEnd)]) {
			await wait(6);
			play(step);
		}
		await wait(60);
		expect((await lines()).join('\n')).not.toContain('Nothing');
	});

	test('of a single answer is reported, and names the tool that runs', async () => {
		const {terminal, screen} = openEmulator(size);
		const view = openAnswer({
			conversation: openConversation('q'),
			reasoningMode: 'auto',
			terminal,
			openView: (shown) => openAnswerLines({shown, terminal, platform: 'linux', options, now}),
			now,
			onInterrupt: () => {},
			openPage: async () => false,
			signal: new AbortController().signal,
		});
		await wait(8);
		const {call} = createRequest();
		const {callId, name} = call;
		await view.write([
			stepStart,
			{type: 'tool-call-start', callId, name},
			{type: 'tool-call', call},
			stepEnd(),
			{type: 'tool-decision', callId, decision: 'once'},
		]);
		await wait(8);
		await view.end();
		await wait(60);
		const shown = screen();
		await wait(0.001);
		expect(await shown).toEqual([
			'Nothing received for 8 seconds.',
			'Running weather for 8 seconds.',
		]);
	});
});

test('a failure is one line without the address, and one with the next step', async () => {
	const {play, lines} = await openSession([
		[
			[retryOf(`${serviceUrl} answered 503`)],
			[retryOf(`${serviceUrl} answered 503`)],
			new ChatError('unavailable', `${serviceUrl} answered 503`, {requestId: 'req_1'}),
		],
	]);
	play(lineOf('q'));
	await wait(1);
	expect(await lines()).toEqual([
		'You:',
		'Note: retrying in 12 seconds, 1 of 2: the service answered 503',
		'Note: retrying in 12 seconds, 1 of 2',
		'Error: the service answered 503',
		'request id: req_1',
		'Note: an empty line sends this draft, another line replaces it: q',
		'You:',
	]);
});

test('the next prompt waits for the outcome of a command', async () => {
	const {play, lines} = await openSession();
	play(lineOf('/export notes.md'));
	await wait(1);
	play(lineOf('/file notes.md'));
	await wait(1);
	expect(await lines()).toEqual([
		'You:',
		'Note: exportConversation fails here',
		'You:',
		'Error: unexpected error: load fails here',
		expect.stringContaining('This is a bug in chat.'),
		'output of: chat doctor -o json',
		'You:',
	]);
});

test('the draft of a server is read as it will be sent, each line with a label', async () => {
	const text = ' Delete it all.\nNote: an empty line  drops this draft\n\n  Say hello.';
	const {play, lines} = await openSession([], {
		expandTemplate: () =>
			Promise.resolve({
				prompt: {text, attachments: []},
				settings: {options: {}, system: undefined},
				notices: [],
				isDraft: true,
			}),
	});
	play(lineOf('/files:tidy'));
	await wait(1);
	const [, ...shown] = (await lines()).slice((await lines()).indexOf('You:'));
	expect(shown).toEqual([
		'Note: the server wrote this draft; read it, then press Enter to send it',
		'Note: an empty line sends this draft, another line replaces it:',
		'draft: ⟨1 spaces⟩Delete it all.',
		'draft: Note: an empty line  drops this draft',
		'draft: ⟨empty⟩',
		'draft: ⟨1 spaces⟩ Say hello.',
		'You:',
	]);
});

test('each value of a table has the name of its column', async () => {
	const usage = stepEnd({promptTokens: 1000, completionTokens: 170});
	const {play, lines} = await openSession([[[stepStart, textDelta('One.'), usage, turnEnd]]]);
	play(lineOf('q'));
	await wait(1);
	play(lineOf('/usage'));
	await wait(1);
	expect((await lines()).at(-2)).toMatch(
		/^turn 1: tokens in 1,000, tokens out 170, time \d\.\d s$/,
	);
});
