/** A single answer in a terminal: drawn while it streams, then kept as text. */
import {describe, expect, test} from 'vitest';
import {runChat} from '../helpers/run-chat.ts';
import {createGate, type ScriptedReply, startScripted} from '../helpers/scripted-service.ts';
import {startRecording} from '../helpers/start-service.ts';
import type {TerminalOptions} from '../helpers/terminal.ts';
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

	test('is drawn in parts also with CI, has weights with NO_COLOR, and rings if that is set', async () => {
		const gate = createGate();
		const service = await startScripted([{text: 'Already here, '}, {gate}, {text: '**bold**.'}]);
		const env = {...service.env, CI: '1', NO_COLOR: '1', CHAT_NOTIFY: 'bell'};
		const terminal = await openInProcess({argv: ['write'], env});
		await terminal.untilText('Already here,');
		gate.open();
		await terminal.exit;
		expect(terminal.screen()).toContain('Already here, bold.');
		expect(terminal.raw()).toContain('\x1b[1mbold\x1b[22m');
		expect(terminal.raw()).not.toMatch(colors);
		expect(terminal.raw().split('\u0007')).toHaveLength(2);
	});
});
