/** Sessions and answers as plain lines, for screen readers and terminals that cannot be drawn on. */
import {describe, expect, test} from 'vitest';
import {say, startScripted} from '../helpers/scripted-service.ts';
import type {TerminalOptions} from '../helpers/terminal.ts';
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

async function openPlain(options: TerminalOptions = {}) {
	const terminal = await openInProcess({...wide, argv: ['--plain'], ...options});
	await terminal.untilText(/Ctrl-D exits\n(?:Note: .*\n)?You:/);
	const say = async (line: string, ...shown: ReadonlyArray<string | RegExp>) => {
		terminal.type(`${line}\r`);
		for (const text of shown) await terminal.untilText(text);
	};
	return {terminal, say};
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
		const {terminal, say} = await openPlain({argv: [], env});
		await say('write', /table\.\nYou:/);
		expect(linesOf(terminal)).toEqual([
			...['You: write', 'Thinking.', 'Thought for 1 second. /reasoning 1 reads it.'],
			...[...spoken, 'You:'],
		]);
		await say('/reasoning', 'Reasoning:\nWell.\nEnd of reasoning.\nYou:');
		terminal.press('ctrl+d');
		expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
		expect(terminal.raw()).not.toContain('\x1b');
	});

	test('sends lines that end with a backslash, or are pasted, as one prompt', async () => {
		const service = await startScripted(say('Fine.'));
		const {terminal, say: enter} = await openPlain({env: service.env});
		await enter('one\\', 'More:');
		await enter('two', 'complete');
		terminal.type('three\rfour\r');
		await terminal.until((screen) => screen.split('complete').length === 3);
		const sent = service.bodies.map(({messages}) => messages.at(-1)?.content);
		expect(sent).toEqual(['one\ntwo', 'three\nfour']);
	});

	test('resumes a conversation with its last two turns or its draft, chosen by number', async () => {
		const denied = {status: 401, message: 'no key'};
		const replies = [say('Red.'), say('**Blue.**'), say('Green.'), denied];
		const service = await startScripted(...replies);
		const saving = {CHAT_SAVE: 'true', CHAT_SESSIONS_DIR: createDirectory({})};
		const options = {env: {...service.env, ...saving}, cwd: createDirectory({})};
		const first = await openPlain(options);
		// Notices come before the next prompt.
		await first.say('one', /complete.*\nNote: conversations are saved in .*\nYou:/);
		first.terminal.press('ctrl+d');
		await first.terminal.exit;
		for (const prompt of ['two', 'three']) {
			await (await openInProcess({argv: ['-c', prompt], ...options})).exit;
		}
		const past = ['You: two', 'Answer:', 'Blue.', 'You: three', 'Answer:', 'Green.'].join('\n');
		const resumed = await openPlain({argv: ['--plain', '-c'], ...options});
		expect(resumed.terminal.screen().join('\n')).toContain(`1 earlier turn\n${past}`);
		await resumed.say('four', /replaces it: four\nYou:/);
		const named = /You: \/name Colours\nNote: .* is now called "Colours"\nYou:/;
		await resumed.say('/name Colours', named);
		resumed.terminal.press('ctrl+d');
		await resumed.terminal.exit;
		const again = await openPlain({argv: ['--plain', '-c'], ...options});
		const draft = 'Note: an empty line sends this draft, another line replaces it: four\nYou:';
		expect(again.terminal.screen().join('\n')).toContain(draft);
		await again.say('/sessions', /Sessions: 1 choice\.\n1\. Colours, just now/, 'Number:');
		await again.say('7', 'Error: the answer is 1, a part of a name, or an empty line.');
		await again.say('1', new RegExp(`${past}[\\s\\S]*${past}`));
	});
});

test('a question spells out the call, and takes a number', async () => {
	const cwd = createTools();
	const service = await startScripted(callWeather('O\u202eslo'), callWeather(), say('Sunny.'));
	const argv = ['--plain', '--tools', 'tools.json'];
	const {say: enter} = await openPlain({argv, env: service.env, cwd});
	const stdin = 'stdin: {"city":"O⟨U+202E⟩slo"}';
	await enter('weather?', 'Question: run weather?', stdin, 'Number:');
	const range = /the answer is a number from 1 to 5\.\s+1 run it once, 2 run for this session/;
	await enter('yes', range);
	expect(await ranIn(cwd)).toBe('');
	await enter('4', 'Reason:');
	const denied = 'Tool failed: The user denied this call. The reason: too odd';
	await enter('too odd', denied, /"Oslo"[\s\S]*Number:/);
	await enter('1', 'Result: sunny\nAnswer:\nSunny.');
	expect(await ranIn(cwd)).toBe('x');
});
