/** Plain lines under job control, and after their terminal is gone. */
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createGate, say, startScripted} from '../helpers/scripted-service.ts';
import {interactiveShell, openTerminal} from '../helpers/terminal.ts';
import {callWeather, createTools, ranIn} from '../helpers/weather-tool.ts';
import {createDirectory} from '../input/input-helpers.ts';

const wide = {columns: 200, rows: 50};

describe('a session', () => {
	test('Ctrl-C stops the answer and keeps it; a second one while idle exits', async () => {
		const service = await startScripted([{text: 'This much '}, {gate: createGate()}], say('Fine.'));
		const terminal = await openTerminal({...wide, argv: ['--plain'], env: service.env});
		await terminal.untilText('You:');
		terminal.type('write\r');
		await terminal.untilText('Answer:');
		terminal.press('ctrl+c');
		await terminal.untilText('This much\nAnswer interrupted. 1 paragraph.\nYou:');
		terminal.type('go on\r');
		await terminal.untilText(/Fine\.\n.*complete.*\nYou:/);
		const sent = service.bodies[1]?.messages.map(({content}) => content);
		expect(sent).toEqual(['write', 'This much ', 'go on']);
		terminal.press('ctrl+c');
		await terminal.untilText('Note: press Ctrl-C again to exit');
		terminal.press('ctrl+c');
		expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
	});

	test('stops on Ctrl-Z, and goes on after fg', async () => {
		const gate = createGate();
		const service = await startScripted([{text: 'One.'}, {gate}, {text: '\n\nTwo.'}]);
		const terminal = await openTerminal({
			...wide,
			shell: interactiveShell,
			env: service.env,
		});
		await terminal.untilText('$ ');
		terminal.type('chat --plain\r');
		await terminal.untilText('You:');
		terminal.type('go\r');
		await terminal.untilText('Answer:');
		terminal.press('ctrl+z');
		await terminal.untilText(/Stopped.*\n\$/);
		gate.open();
		terminal.type('fg\r');
		await terminal.untilText('Two.\nAnswer complete. 2 paragraphs.\nYou:');
		terminal.press('ctrl+d');
		await terminal.untilText(/You: ?\n\$/);
		terminal.type('exit\r');
		await terminal.exit;
	});

	test('ends by SIGHUP when its terminal is closed', async () => {
		const cwd = createDirectory({});
		const shell = "trap '' HUP; setsid -w chat --plain; echo $? >code";
		const terminal = await openTerminal({shell, cwd});
		await terminal.untilText('You:');
		terminal.hangUp();
		await terminal.exit;
		expect(await readFile(join(cwd, 'code'), 'utf8')).toBe('129\n');
	});
});

describe('a question', () => {
	test('of a single answer is asked again after fg, and says what came too early', async () => {
		const cwd = createTools();
		const gate = createGate();
		const service = await startScripted([{text: 'Hm.'}, {gate}, ...callWeather()], say('Sunny.'));
		const terminal = await openTerminal({
			...wide,
			shell: interactiveShell,
			env: service.env,
			cwd,
		});
		await terminal.untilText('$ ');
		terminal.type('chat --plain --tools tools.json weather\r');
		await terminal.untilText('Answer:');
		terminal.type('1\r');
		gate.open();
		await terminal.untilText('Note: that came before the question could be answered');
		await terminal.untilText('Number:');
		terminal.press('ctrl+z');
		await terminal.untilText(/Stopped.*\n\$/);
		terminal.type('fg\r');
		await terminal.untilText(/fg\n.*\nNumber:/);
		terminal.type('3\r');
		await terminal.untilText('Sunny.');
		expect(await ranIn(cwd)).toBe('');
		terminal.type('exit\r');
		await terminal.exit;
	});
});
