/** A single answer in a terminal: drawn while it streams, then kept as text. */
import {describe, expect, test} from 'vitest';
import {runChat} from '../helpers/run-chat.ts';
import {createGate, type ScriptedReply, say, startScripted} from '../helpers/scripted-service.ts';
import {startRecording} from '../helpers/start-service.ts';
import {openTerminal, type TerminalOptions} from '../helpers/terminal.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import {findForbidden} from '../helpers/terminal-output.ts';

const markdown = '# Title\n\nSome **bold** words and `code`.\n\n- one\n- two\n';

// biome-ignore lint/suspicious/noControlCharactersInRegex: SGR is what it looks for.
const colors = /\x1b\[[349][\d;]+m/;

/** Answers once, and returns the terminal after the program, with the lines that are not empty. */
async function answer(reply: ScriptedReply, {env, ...options}: TerminalOptions = {}) {
	const service = await startScripted(reply);
	const all = {argv: ['write'], ...options, env: {...service.env, ...env}};
	const terminal = await openInProcess(all);
	expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
	return {...terminal, lines: terminal.scrollback().filter((line) => line !== '')};
}

describe('an answer', () => {
	test('is rendered below its reasoning, and stays in the scrollback, every line once', async () => {
		const numbers = Array.from({length: 60}, (_, index) => `line ${index + 1}`);
		const text = `${markdown}\n${numbers.join('\n\n')}`;
		const reply = [{reasoning: 'first\nsecond'}, {text}];
		const {lines, raw, modes} = await answer(reply, {argv: ['--reasoning', 'show', 'q'], rows: 10});
		expect(lines).toEqual([
			expect.stringMatching(/^▾ Thought for (a moment|\d\.\d s)$/),
			...['│ first', '│ second', 'Title', 'Some bold words and code.', '• one', '• two'],
			...numbers,
		]);
		expect(raw()).toMatch(colors);
		expect(raw()).not.toContain('2004');
		expect(raw()).not.toContain('\u0007');
		expect(findForbidden(raw())).toEqual([]);
		expect(modes()).toEqual({
			...{isCursorShown: true, isPasteBracketed: false, keyboardFlags: 0, isModifyingKeys: false},
		});
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

	test('has no colours with NO_COLOR, but weights, and rings if that is set', async () => {
		const {screen, raw} = await answer(say(markdown), {env: {NO_COLOR: '1', CHAT_NOTIFY: 'bell'}});
		expect(screen()).toContain('Some bold words and `code`.');
		expect(raw()).toContain('\x1b[1mbold\x1b[22m');
		expect(raw()).not.toMatch(colors);
		expect(raw().split('\u0007')).toHaveLength(2);
	});

	test('is drawn in parts, also with CI=1', async () => {
		const gate = createGate();
		const service = await startScripted([{text: 'Already here, '}, {gate}, {text: 'and done.'}]);
		const terminal = await openInProcess({argv: ['write'], env: {...service.env, CI: '1'}});
		await terminal.untilText('Already here,');
		gate.open();
		await terminal.exit;
		expect(terminal.screen()).toContain('Already here, and done.');
	});
});

test('-i answers piped text, then reads the keyboard', async () => {
	const service = await startScripted(say('Three words.'), say('Indeed.'));
	const shell = 'echo one two three | chat -i "count the words"';
	const terminal = await openTerminal({shell, env: service.env});
	await terminal.untilText(/Three words\.\n\n─+\n› \(Ask/);
	terminal.type('really?\r');
	await terminal.untilText(/Indeed\.\n\n─+\n› \(Ask/);
	const sent = service.bodies[1]?.messages.map(({content}) => content);
	expect(sent).toEqual(['one two three\n\ncount the words', 'Three words.', 'really?']);
	terminal.press('ctrl+d');
	expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
});

test('Ctrl-C during an answer ends the program by SIGINT, and keeps the text so far', async () => {
	const service = await startScripted([{text: 'This much '}, {gate: createGate()}]);
	const terminal = await openTerminal({argv: ['write'], env: service.env});
	await terminal.untilText('This much');
	terminal.press('ctrl+c');
	expect(await terminal.exit).toMatchObject({signal: 2});
	expect(terminal.screen().slice(0, 3)).toEqual(['This much', '', '  ◐ interrupted']);
	expect(terminal.modes().isCursorShown).toBe(true);
});
