/** A single answer in a terminal: drawn while it streams, then kept as text. */
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {runChat} from '../helpers/run-chat.ts';
import {createGate, say, startScripted} from '../helpers/scripted-service.ts';
import {startRecording} from '../helpers/start-service.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import {findForbidden} from '../helpers/terminal-output.ts';

const markdown = '# Title\n\nSome **bold** words and `code`.\n\n- one\n- two\n';

// biome-ignore lint/suspicious/noControlCharactersInRegex: SGR is what it looks for.
const colors = /\x1b\[[349][\d;]+m/;

describe('an answer', () => {
	test('is rendered, and stays in the scrollback after the program', async () => {
		const service = await startScripted([{reasoning: 'Headings help.'}, {text: markdown}]);
		const terminal = await openInProcess({argv: ['write'], env: service.env});
		expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
		expect(terminal.scrollback().filter((line) => line !== '')).toEqual([
			expect.stringMatching(/^▸ Thought for (a moment|\d\.\d s)$/),
			'Title',
			'Some bold words and code.',
			'• one',
			'• two',
		]);
		expect(terminal.raw()).toMatch(colors);
		expect(terminal.raw()).not.toContain('2004');
		expect(findForbidden(terminal.raw())).toEqual([]);
		expect(terminal.modes()).toEqual({
			isCursorShown: true,
			isPasteBracketed: false,
			keyboardFlags: 0,
			isModifyingKeys: false,
		});
	});

	test('leaves the reasoning above it with --reasoning show', async () => {
		const service = await startScripted([{reasoning: 'first\nsecond'}, {text: 'The answer.'}]);
		const terminal = await openInProcess({argv: ['--reasoning', 'show', 'q'], env: service.env});
		expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
		expect(terminal.scrollback().filter((line) => line !== '')).toEqual([
			expect.stringMatching(/^▾ Thought for (a moment|\d\.\d s)$/),
			...['│ first', '│ second', 'The answer.'],
		]);
	});

	test('has its sources below, numbered, each page once', async () => {
		const citations = ['https://a.test/1', 'https://b.test/2', 'https://a.test/1'];
		const pages = [{url: 'https://b.test/2', title: 'B'}];
		const reply = {choices: [{index: 0, delta: {content: 'Yes.'}, finish_reason: 'stop'}]};
		const body = {...reply, citations, search_results: pages};
		const bodyChunks = [`data: ${JSON.stringify(body)}\n\n`, 'data: [DONE]\n\n'];
		const headers = {'content-type': 'text/event-stream'};
		const {variables: env} = await startRecording({status: 200, headers, bodyChunks});
		for (const argv of [['q'], ['--plain', 'q']]) {
			const terminal = await openInProcess({argv, env});
			expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
			const rows = terminal.scrollback().map((row) => row.replace(/^\s*(?:Source )?/, ''));
			const sources = rows.slice(rows.findIndex((row) => row.startsWith('[1]')));
			expect(sources.slice(0, 2)).toEqual(['[1] https://a.test/1', '[2] B: https://b.test/2']);
		}
		const piped = await runChat(['q'], {variables: env});
		expect(piped).toMatchObject({stdout: 'Yes.\n', stderr: ''});
	});

	test('longer than the window scrolls, every line once', async () => {
		const lines = Array.from({length: 300}, (_, index) => `line ${index + 1}`);
		const service = await startScripted(say(lines.join('\n\n')));
		const terminal = await openInProcess({argv: ['write'], env: service.env, rows: 10});
		expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
		expect(terminal.scrollback().filter((line) => line !== '')).toEqual(lines);
	});

	test('that is cut off keeps its text, and sets the exit code', async () => {
		const service = await startScripted([{text: 'Half of'}, {isCut: true}]);
		const terminal = await openInProcess({argv: ['write'], env: service.env});
		expect(await terminal.exit).toEqual({exitCode: 79, signal: 0});
		expect(terminal.screen().slice(0, 3)).toEqual(['Half of', '', '  ◐ incomplete']);
		expect(terminal.screen().join('\n')).toContain('chat:');
	});

	test('that is refused is reported as an error', async () => {
		const service = await startScripted({status: 401, message: 'no key'});
		const terminal = await openInProcess({argv: ['write'], env: service.env});
		expect(await terminal.exit).toEqual({exitCode: 77, signal: 0});
		expect(terminal.scrollback().join('\n')).toContain('no key');
		expect(terminal.modes().isCursorShown).toBe(true);
	});
});

describe('the environment', () => {
	test('NO_COLOR removes colours, not weights', async () => {
		const service = await startScripted(say(markdown));
		const terminal = await openInProcess({
			argv: ['write'],
			env: {...service.env, NO_COLOR: '1'},
		});
		await terminal.exit;
		expect(terminal.screen()).toContain('Some bold words and `code`.');
		expect(terminal.raw()).toContain('\x1b[1mbold\x1b[22m');
		expect(terminal.raw()).not.toMatch(colors);
	});

	test('CI=1 still draws', async () => {
		const gate = createGate();
		const service = await startScripted([{text: 'Already here, '}, {gate}, {text: 'and done.'}]);
		const terminal = await openInProcess({argv: ['write'], env: {...service.env, CI: '1'}});
		await terminal.untilText('Already here,');
		gate.open();
		await terminal.exit;
		expect(terminal.screen()).toContain('Already here, and done.');
	});
});

describe('with stdin from elsewhere', () => {
	test('reads a file, and draws the answer', async () => {
		const service = await startScripted(say(markdown));
		const file = join((await openTerminal({shell: 'true'})).home, 'notes.txt');
		await writeFile(file, 'remember the milk\n');
		const terminal = await openTerminal({
			argv: ['sum this up'],
			stdinFile: file,
			env: service.env,
		});
		expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
		expect(service.bodies[0]?.messages.at(-1)?.content).toBe('remember the milk\n\nsum this up');
		expect(terminal.screen()).toContain('Some bold words and code.');
	});

	test('-i answers piped text, then reads the keyboard', async () => {
		const service = await startScripted(say('Three words.'), say('Indeed.'));
		const terminal = await openTerminal({
			shell: 'echo one two three | chat -i "count the words"',
			env: service.env,
		});
		await terminal.untilText(/Three words\.\n\n─+\n› \(Ask/);
		expect(service.bodies[0]?.messages.at(-1)?.content).toBe('one two three\n\ncount the words');
		terminal.type('really?\r');
		await terminal.untilText(/Indeed\.\n\n─+\n› \(Ask/);
		expect(service.bodies[1]?.messages.map(({role}) => role)).toEqual([
			'user',
			'assistant',
			'user',
		]);
		terminal.press('ctrl+d');
		expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
	});
});

describe('keys during an answer', () => {
	test('Ctrl-C ends the program by SIGINT, and keeps the text so far', async () => {
		const service = await startScripted([{text: 'This much '}, {gate: createGate()}]);
		const terminal = await openTerminal({argv: ['write'], env: service.env});
		await terminal.untilText('This much');
		terminal.press('ctrl+c');
		expect(await terminal.exit).toMatchObject({signal: 2});
		expect(terminal.screen().slice(0, 3)).toEqual(['This much', '', '  ◐ interrupted']);
		expect(terminal.modes().isCursorShown).toBe(true);
	});
});
