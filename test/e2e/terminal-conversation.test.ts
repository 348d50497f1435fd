/** What the service is sent, turn after turn, whatever became of the turns before. */
import {execFileSync} from 'node:child_process';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {startServer} from '../../src/server/server.ts';
import {
	createGate,
	type ScriptedReply,
	type ScriptedService,
	say,
	startScripted,
} from '../helpers/scripted-service.ts';
import {openTerminal, type TestTerminal} from '../helpers/terminal.ts';
import {createDirectory, pixelPng} from '../input/input-helpers.ts';

const ready = 'Ask something; /help lists the commands';

type Stage = {readonly terminal: TestTerminal; readonly service: ScriptedService};

async function open(
	replies: readonly ScriptedReply[],
	argv: readonly string[] = [],
): Promise<Stage> {
	const service = await startScripted(...replies);
	const terminal = await openTerminal({argv, env: service.env});
	await terminal.untilText(ready);
	return {terminal, service};
}

test('files and images of the command line are attached to the first prompt', async () => {
	const service = await startScripted(say('Nice.'), say('Nice.'));
	const cwd = createDirectory({'notes.md': 'remember the milk\n', 'dot.png': pixelPng});
	const argv = ['-f', 'notes.md', '--image', 'dot.png'];
	const terminal = await openTerminal({argv, env: service.env, cwd});
	await terminal.untilText('[file notes.md] [image dot.png]');
	await ask({terminal, service}, 'and now?');
	const content = JSON.stringify(service.bodies[0]?.messages?.at(-1)?.content);
	expect(content).toContain('remember the milk');
	expect(content).toContain('and now?');
	expect(content).toContain('data:image/png;base64,');
	expect(terminal.screen().join('\n')).not.toContain('remember the milk');
});

test('a pipe is no file for a session, which goes on', async () => {
	const service = await startScripted(say('Nice.'));
	const cwd = createDirectory();
	execFileSync('mkfifo', [`${cwd}/pipe`]);
	const terminal = await openTerminal({env: service.env, cwd});
	await terminal.untilText(ready);
	terminal.type('/file pipe\r');
	await terminal.untilText('pipe is a pipe, not a file');
	await ask({terminal, service}, 'and now?');
	terminal.type('/exit\r');
	await terminal.exit;
});

test('a model that was chosen in the session is not said to be unset', async () => {
	const server = await startServer({host: '127.0.0.1', port: 0});
	const terminal = await openTerminal({env: {CHAT_BASE_URL: server.url}});
	await terminal.untilText(ready);
	terminal.type('/model zzz\r');
	await terminal.untilText('model changed to zzz');
	terminal.type('hi\r');
	await terminal.untilText('/model in a session');
	await terminal.untilText(/The service offers\s+MODEL-5.6-sol/);
	expect(terminal.screen().join('\n')).not.toContain('No model is set');
	await server.close();
});

describe('a key that is refused', () => {
	const argv = ['--api-key-file', 'key'];
	const refusal = /The next\s+prompt uses a new one that is stored there/;

	test('is read again before the next prompt, and the conversation goes on', async () => {
		const server = await startServer({host: '127.0.0.1', port: 0, apiKey: 'the-right-key-0123'});
		onTestFinished(() => server.close());
		const cwd = createDirectory({key: 'a-wrong-key-0123'});
		const terminal = await openTerminal({argv, env: {CHAT_BASE_URL: server.url}, cwd});
		await terminal.untilText(ready);
		terminal.type('My name is Ada\r');
		await terminal.untilText(refusal);
		await writeFile(join(cwd, 'key'), 'the-right-key-0123');
		terminal.press('enter');
		await terminal.untilText(/out\b/);
		await terminal.untilText(ready);
	});

	test('and the one that is read instead are shown nowhere', async () => {
		const denied = {status: 401, message: 'denied'};
		const service = await startScripted(denied, {status: 400, message: 'not a-new-key-0123'});
		const cwd = createDirectory({key: 'a-wrong-key-0123'});
		const terminal = await openTerminal({argv, env: service.env, cwd});
		await terminal.untilText(ready);
		terminal.type('hi\r');
		await terminal.untilText(refusal);
		await writeFile(join(cwd, 'key'), 'a-new-key-0123');
		terminal.press('enter');
		await terminal.untilText('not [redacted]');
	});
});

/** Types a line, and waits until the service was asked and all is quiet again. */
async function ask({terminal, service}: Stage, line: string): Promise<void> {
	const count = service.bodies.length;
	terminal.type(`${line}\r`);
	await terminal.until((screen) => service.bodies.length > count && screen.includes(ready));
}

/** The messages of a request, the last one by default, as `role: content`. */
function sent({bodies}: ScriptedService, index = -1): readonly string[] {
	return (bodies.at(index)?.messages ?? []).map(
		({role, content}) =>
			`${role}: ${typeof content === 'string' ? content : JSON.stringify(content)}`,
	);
}

test('the service knows what was said before', async () => {
	const server = await startServer({host: '127.0.0.1', port: 0});
	const terminal = await openTerminal({env: {CHAT_BASE_URL: server.url}});
	await terminal.untilText(ready);
	terminal.type('say Ada\r');
	await terminal.until((screen) => /Ada[\s\S]*Ada/.test(screen) && screen.includes(ready));
	terminal.type('/new\r');
	await terminal.untilText('new conversation');
	terminal.type('what did I say first?\r');
	await terminal.untilText('This is the first message');
	await terminal.untilText(ready);
	terminal.type('what did I say first?\r');
	await terminal.untilText('First you said: “what did I say first?”');
	terminal.press('ctrl+d');
	await terminal.exit;
	await server.close();
});

test('a second request holds the first prompt and its answer', async () => {
	const stage = await open([say('Hello Ada.'), say('You are Ada.')], ['-s', 'Be brief.']);
	await ask(stage, 'My name is Ada');
	await ask(stage, 'What is my name?');
	expect(sent(stage.service)).toEqual([
		'system: Be brief.',
		'user: My name is Ada',
		'assistant: Hello Ada.',
		'user: What is my name?',
	]);
});

describe('taking back', () => {
	test('/undo drops the last turn and brings its prompt back', async () => {
		const stage = await open([say('one'), say('two'), say('three')]);
		await ask(stage, 'first');
		await ask(stage, 'second');
		stage.terminal.type('/undo\r');
		await stage.terminal.untilText('> second\nMODEL');
		await ask(stage, ' changed');
		expect(sent(stage.service)).toEqual(['user: first', 'assistant: one', 'user: second changed']);
	});

	test('/retry asks the last prompt again, without the answer it had', async () => {
		const stage = await open([say('one'), say('two'), say('three')]);
		await ask(stage, 'first');
		await ask(stage, 'second');
		await ask(stage, '/retry');
		expect(sent(stage.service)).toEqual(['user: first', 'assistant: one', 'user: second']);
		await ask(stage, 'third');
		expect(sent(stage.service).slice(2)).toEqual([
			'user: second',
			'assistant: three',
			'user: third',
		]);
	});
});

describe('a turn that is interrupted', () => {
	test.each(['ctrl+c', 'escape'])(
		'by %s after some text keeps it, marked on the screen',
		async (key) => {
			const stage = await open([[{text: 'Partly '}, {gate: createGate()}], say('ok')]);
			const {terminal, service} = stage;
			terminal.type('begin\r');
			await terminal.untilText('Partly');
			terminal.press(key);
			await terminal.untilText(/Partly\n\[interrupted\]\n/);
			await ask(stage, 'go on');
			expect(sent(service)).toEqual([
				'user: begin',
				expect.stringMatching(/^assistant: Partly ?$/),
				'user: go on',
			]);
			expect(service.abandoned()).toBe(1);
		},
	);

	test('before any text leaves nothing, and the prompt comes back', async () => {
		const stage = await open([say('one'), [{reasoning: 'well'}, {gate: createGate()}], say('ok')]);
		const {terminal, service} = stage;
		await ask(stage, 'first');
		terminal.type('second\r');
		await terminal.untilText('│ well');
		terminal.press('ctrl+c');
		await terminal.untilText('> second\nMODEL-5.6-sol\n');
		await ask(stage, ', again');
		expect(sent(service)).toEqual(['user: first', 'assistant: one', 'user: second, again']);
	});

	test('stands above a newer draft', async () => {
		const stage = await open([[{gate: createGate()}], say('ok')]);
		const {terminal, service} = stage;
		terminal.type('older\r');
		await terminal.untilText('waiting for the service');
		terminal.type('newer');
		await terminal.untilText('> newer');
		terminal.press('ctrl+c');
		await terminal.untilText('> older\n  newer\n');
		await ask(stage, '!');
		expect(sent(service)).toEqual(['user: older\nnewer!']);
	});
});

describe('a turn that fails', () => {
	test('with a refusal leaves nothing, says why, and gives the prompt back', async () => {
		const stage = await open([say('one'), {status: 400, message: 'no such luck'}, say('ok')]);
		const {terminal, service} = stage;
		await ask(stage, 'first');
		terminal.type('second\r');
		await terminal.untilText('no such luck');
		await terminal.untilText('> second\nMODEL');
		await ask(stage, '?');
		expect(sent(service)).toEqual(['user: first', 'assistant: one', 'user: second?']);
	});

	test('with 500, again and again, stands above a newer draft', async () => {
		const failure = {status: 500, message: 'out of order'};
		const service = await startScripted(failure, failure, say('ok'));
		const terminal = await openTerminal({argv: ['--max-retries', '1'], env: service.env});
		await terminal.untilText(ready);
		terminal.type('older\r');
		await terminal.untilText(/retrying\s+in/);
		terminal.type('newer');
		await terminal.untilText('> older\n  newer\n');
		expect(terminal.screen().join('\n')).toContain('out of order');
		await ask({terminal, service}, '');
		expect(sent(service)).toEqual(['user: older\nnewer']);
	});

	test('when the stream is cut keeps what came, marked on the screen', async () => {
		const stage = await open([[{text: 'Half of'}, {isCut: true}], say('ok')]);
		const {terminal, service} = stage;
		terminal.type('begin\r');
		await terminal.untilText(/Half of\n\[incomplete\]\n/);
		await ask(stage, 'and?');
		expect(sent(service)).toEqual(['user: begin', 'assistant: Half of', 'user: and?']);
	});

	test('when the stream is cut before any text leaves nothing', async () => {
		const stage = await open([[{reasoning: 'hm'}, {isCut: true}], say('ok')]);
		const {terminal, service} = stage;
		terminal.type('begin\r');
		await terminal.untilText('> begin\nMODEL-5.6-sol\n');
		await ask(stage, ' anew');
		expect(sent(service)).toEqual(['user: begin anew']);
	});
});

describe('prompts that are typed ahead', () => {
	test('are sent one after the other when the answer is there', async () => {
		const gate = createGate();
		const stage = await open([[{text: 'one'}, {gate}], say('two'), say('three')]);
		const {terminal, service} = stage;
		terminal.type('first\r');
		await terminal.untilText('one');
		terminal.type('second\rthird\r');
		await terminal.untilText('next: second\nnext: third\n');
		expect(service.bodies).toHaveLength(1);
		gate.open();
		await terminal.until((screen) => service.bodies.length === 3 && screen.includes(ready));
		expect(sent(service)).toEqual([
			'user: first',
			'assistant: one',
			'user: second',
			'assistant: two',
			'user: third',
		]);
	});

	test('are held after an interrupt, and Enter sends them', async () => {
		const stage = await open([[{text: 'one'}, {gate: createGate()}], say('two'), say('three')]);
		const {terminal, service} = stage;
		terminal.type('first\r');
		await terminal.untilText('one');
		terminal.type('second\r');
		await terminal.untilText('next: second');
		terminal.press('escape');
		await terminal.untilText('held: second\n> Enter sends what is held');
		expect(service.bodies).toHaveLength(1);
		terminal.press('enter');
		await terminal.until((screen) => service.bodies.length === 2 && screen.includes(ready));
		expect(sent(service)).toEqual(['user: first', 'assistant: one', 'user: second']);
	});

	test('wait behind a failed prompt that has come back', async () => {
		const gate = createGate();
		const stage = await open([
			[{reasoning: 'hm'}, {gate}, {isCut: true}],
			say('two'),
			say('three'),
		]);
		const {terminal, service} = stage;
		terminal.type('first\r');
		await terminal.until(() => service.bodies.length === 1);
		terminal.type('second\r');
		await terminal.untilText('next: second');
		gate.open();
		await terminal.untilText('after this: second\n> first\n');
		expect(service.bodies).toHaveLength(1);
	});
});
