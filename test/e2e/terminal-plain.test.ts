/** Sessions and answers as plain lines, for screen readers and terminals that cannot be drawn on. */
import {describe, expect, test} from 'vitest';
import {createGate, say, startScripted} from '../helpers/scripted-service.ts';
import {openTerminal, type TerminalOptions} from '../helpers/terminal.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';
import {callWeather, createTools, ranIn} from '../helpers/weather-tool.ts';
import {createDirectory} from '../input/input-helpers.ts';

const markdown =
	'# Title\n\nSome **bold** words and `code`.\n\n```js\nconst a = 1;\n```\n\n| A | B |\n|---|---|\n| 1 | 2 |\n';

const spoken = [
	'Answer:',
	'Heading 1: Title',
	'Some bold words and `code`.',
	'Code block 1, js, 1 line:',
	'const a = 1;',
	'End of code block 1.',
	'Table, 1 row, 2 columns:',
	'Row 1. A: 1. B: 2.',
	'End of table.',
	'Answer complete. 1 heading, 1 paragraph, 1 code block, 1 table.',
];

const help = 'Note: /help lists the commands; Ctrl-C stops an answer, Ctrl-D exits';

const wide = {columns: 200, rows: 50};

/** @param open `openTerminal` where Ctrl-C must become a signal. */
async function openPlain(
	options: TerminalOptions = {},
	open: (options: TerminalOptions) => Promise<TestTerminal> = openInProcess,
): Promise<TestTerminal> {
	const terminal = await open({...wide, argv: ['--plain'], ...options});
	await terminal.untilText(/Ctrl-D exits\nYou:/);
	return terminal;
}

/** Returns the lines after the greeting, without blank ones at the end. */
function linesOf(terminal: TestTerminal): readonly string[] {
	const lines = terminal.scrollback().join('\n').trimEnd().split('\n');
	return lines.slice(lines.indexOf(help) + 1);
}

describe('a session', () => {
	test('labels each part, and writes it whole and once', async () => {
		const service = await startScripted([{reasoning: 'Well.'}, {text: markdown}]);
		const env = {...service.env, INK_SCREEN_READER: 'true'};
		const terminal = await openPlain({argv: [], env});
		terminal.type('write\r');
		await terminal.untilText(/table\.\nYou:/);
		expect(linesOf(terminal)).toEqual([
			'You: write',
			'Thinking.',
			'Thought for 1 second. /reasoning 1 reads it.',
			...spoken,
			'You:',
		]);
		terminal.type('/reasoning\r');
		await terminal.untilText('Reasoning:\nWell.\nEnd of reasoning.\nYou:');
		terminal.press('ctrl+d');
		expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
		expect(terminal.raw()).not.toContain('\x1b');
	});

	test('writes a paragraph when it is whole', async () => {
		const [first, second] = [createGate(), createGate()];
		const service = await startScripted([
			{text: 'One para'},
			{gate: first},
			{text: 'graph.\n\nAnother'},
			{gate: second},
			{text: ' one.'},
		]);
		const terminal = await openPlain({env: service.env});
		terminal.type('write\r');
		await terminal.untilText('Answer:');
		first.open();
		await terminal.untilText('One paragraph.');
		expect(terminal.screen().join('\n')).not.toContain('Another');
		second.open();
		await terminal.untilText('Another one.\nAnswer complete. 2 paragraphs.');
	});

	test('Ctrl-C stops the answer and keeps it; a second one while idle exits', async () => {
		const service = await startScripted([{text: 'This much '}, {gate: createGate()}], say('Fine.'));
		const terminal = await openPlain({env: service.env}, openTerminal);
		terminal.type('write\r');
		await terminal.untilText('Answer:');
		terminal.press('ctrl+c');
		await terminal.untilText('This much\nAnswer interrupted. 1 paragraph.\nYou:');
		terminal.type('go on\r');
		await terminal.untilText('Fine.');
		expect(service.bodies[1]?.messages.map(({content}) => content)).toEqual([
			'write',
			'This much ',
			'go on',
		]);
		await terminal.untilText(/complete.*\nYou:/);
		terminal.press('ctrl+c');
		await terminal.untilText('Note: press Ctrl-C again to exit');
		terminal.press('ctrl+c');
		expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
	});

	test('sends lines that end with a backslash, or are pasted, as one prompt', async () => {
		const service = await startScripted(say('Fine.'));
		const terminal = await openPlain({env: service.env});
		terminal.type('one\\\r');
		await terminal.untilText('More:');
		terminal.type('two\r');
		await terminal.untilText('complete');
		terminal.type('three\rfour\r');
		await terminal.until((screen) => screen.split('complete').length === 3);
		const sent = service.bodies.map(({messages}) => messages.at(-1)?.content);
		expect(sent).toEqual(['one\ntwo', 'three\nfour']);
	});

	test('goes to another branch by its number', async () => {
		const service = await startScripted(say('Red.'), say('Blue.'));
		const terminal = await openPlain({env: service.env});
		for (const line of ['colour', '/retry']) {
			terminal.type(`${line}\r`);
			await terminal.untilText(
				line === 'colour' ? 'Red.\nAnswer complete' : 'Blue.\nAnswer complete',
			);
		}
		terminal.type('/tree\r');
		await terminal.untilText(/Turns: 2 choices\.\n1\. turn 1, now, colour\n2\. .*not sent, colour/);
		await terminal.untilText('Number:');
		terminal.type('3\r');
		await terminal.untilText(
			'Error: the answer is a number from 1 to 2, a part of a name, or an empty line.',
		);
		terminal.type('2\r');
		await terminal.untilText(/Note: back to "colour"\nYou: colour\nAnswer:\nRed\./);
	});

	test('resumes a conversation with its last two turns, chosen by number', async () => {
		const service = await startScripted(say('Red.'), say('**Blue.**'), say('Green.'));
		const folder = createDirectory({});
		const env = {...service.env, CHAT_SAVE: 'true', CHAT_SESSIONS_DIR: folder};
		const cwd = createDirectory({});
		for (const argv of [['one'], ['-c', 'two'], ['-c', 'three']]) {
			await (await openInProcess({argv, env, cwd})).exit;
		}
		const past = ['You: two', 'Answer:', 'Blue.', 'You: three', 'Answer:', 'Green.'];
		const resumed = await openPlain({argv: ['--plain', '-c'], env, cwd});
		expect(resumed.screen().join('\n')).toContain(['1 earlier turn', ...past].join('\n'));
		const terminal = await openPlain({env, cwd});
		terminal.type('/sessions\r');
		await terminal.untilText(/Sessions: 1 choice\.\n1\. one, just now/);
		await terminal.untilText('Number:');
		terminal.type('1\r');
		await terminal.untilText(past.join('\n'));
	});

	test('announces the draft of a resumed conversation, and notices before the next prompt', async () => {
		const service = await startScripted(say('Red.'), {status: 401, message: 'no key'});
		const env = {...service.env, CHAT_SAVE: 'true', CHAT_SESSIONS_DIR: createDirectory({})};
		const cwd = createDirectory({});
		const terminal = await openPlain({env, cwd});
		terminal.type('one\r');
		await terminal.untilText(/complete.*\nNote: conversations are saved in .*\nYou:/);
		terminal.type('two\r');
		await terminal.untilText(/replaces it: two\nYou:/);
		terminal.type('/name Colours\r');
		await terminal.untilText(/You: \/name Colours\nNote: .* is now called "Colours"\nYou:/);
		terminal.press('ctrl+d');
		await terminal.exit;
		const resumed = await openTerminal({...wide, argv: ['--plain', '-c'], env, cwd});
		await resumed.untilText(
			/Ctrl-D exits\nNote: an empty line sends this draft, another line replaces it: two\nYou:/,
		);
		resumed.type('/sessions\r');
		await resumed.untilText('Number:');
		resumed.type('7\r');
		await resumed.untilText('Error: the answer is 1, a part of a name, or an empty line.');
	});
});

describe('a question', () => {
	test('spells out the call, and takes a number', async () => {
		const cwd = createTools();
		const service = await startScripted(callWeather('O\u202eslo'), callWeather(), say('Sunny.'));
		const argv = ['--plain', '--tools', 'tools.json'];
		const terminal = await openPlain({argv, env: service.env, cwd});
		terminal.type('weather?\r');
		await terminal.untilText('Question: run weather?');
		await terminal.untilText('stdin: {"city":"O⟨U+202E⟩slo"}');
		await terminal.untilText('Number:');
		terminal.type('yes\r');
		await terminal.untilText(
			/Error: the answer is a number from 1 to 5\.\s+1 run it once, 2 run for this session/,
		);
		expect(await ranIn(cwd)).toBe('');
		terminal.type('4\r');
		await terminal.untilText('Reason:');
		terminal.type('too odd\r');
		await terminal.untilText('Tool failed: The user denied this call. The reason: too odd');
		await terminal.untilText(/"Oslo"[\s\S]*Number:/);
		terminal.type('1\r');
		await terminal.untilText('Result: sunny\nAnswer:\nSunny.');
		expect(await ranIn(cwd)).toBe('x');
	});

	test('of a single answer runs a call, and leaves later lines to the shell', async () => {
		const cwd = createTools();
		const service = await startScripted(callWeather(), say('Sunny.'));
		const terminal = await openTerminal({
			...wide,
			shell: 'chat --plain --tools tools.json weather; read line; echo "got $line"',
			env: service.env,
			cwd,
		});
		await terminal.untilText('Number:');
		terminal.type('1\r');
		await terminal.untilText('Result: sunny\nAnswer:\nSunny.\nAnswer complete. 1 paragraph.');
		terminal.type('more\r');
		await terminal.untilText('got more');
		expect(await ranIn(cwd)).toBe('x');
		expect(terminal.raw()).not.toContain('\x1b');
	});
});

describe('a single answer', () => {
	test.each([{TERM: 'dumb'}, {CHAT_PLAIN: 'true'}, {ACCESSIBLE: '1'}, {INK_SCREEN_READER: 'true'}])(
		'with %o has the same labels, and no hint at commands',
		async (variables) => {
			const service = await startScripted([{reasoning: 'Well.'}, {text: markdown}]);
			const env = {...service.env, ...variables};
			const terminal = await openInProcess({...wide, argv: ['write'], env});
			expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
			expect(linesOf(terminal)).toEqual(['Thinking.', 'Thought for 1 second.', ...spoken]);
			expect(terminal.raw()).not.toContain('\x1b');
		},
	);

	test('in a pipe is exact', async () => {
		const service = await startScripted(say(markdown));
		const terminal = await openTerminal({
			...wide,
			shell: 'chat --plain write | cat',
			env: service.env,
		});
		await terminal.exit;
		expect(linesOf(terminal).join('\n')).toBe(markdown.trimEnd());
	});
});
