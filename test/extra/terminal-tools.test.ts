/** Tools in a terminal: approved, run, shown as text, and ended with the program. */
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {isRunning} from '../helpers/is-running.ts';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {callWeather, createTools, ranIn} from '../helpers/weather-tool.ts';

const armed = 'y runs it once';

const argv = ['--tools', 'tools.json'];
const stubborn = `
	for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
	require('node:fs').writeFileSync('ran', String(process.pid));
	setInterval(() => {}, 1000);
`;

/** Resolves when the stubborn tool is ready. */
async function pidOf(cwd: string): Promise<number> {
	for (;;) {
		const pid = Number(await ranIn(cwd));
		if (pid > 0) return pid;
		await delay(10);
	}
}

describe('a single answer', () => {
	test('asks, runs an approved call, and continues: call, result, second call, answer', async () => {
		const service = await startScripted(
			[{text: 'Let me see.'}, ...callWeather()],
			callWeather('Rome', 'b'),
			say('It is sunny.'),
		);
		const cwd = createTools();
		const terminal = await openTerminal({argv: [...argv, 'p'], env: service.env, cwd});
		await terminal.untilText(armed);
		expect(await ranIn(cwd)).toBe('');
		expect(terminal.screen().join('\n')).toContain('{"city":"Oslo"}');
		terminal.type('y');
		await terminal.until((screen) => screen.includes('Rome') && screen.includes(armed));
		terminal.type('n');
		expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
		expect(await ranIn(cwd)).toBe('x');
		expect(terminal.scrollback().filter((line) => line !== '')).toEqual([
			'Let me see.',
			'▸ weather {"city":"Oslo"}',
			'  │ sunny',
			'▸ weather {"city":"Rome"}',
			'  │ The user denied this call.',
			'It is sunny.',
		]);
		expect(service.bodies[2]?.messages.map(({role}) => role)).toEqual([
			'user',
			'assistant',
			'tool',
			'assistant',
			'tool',
		]);
		expect(terminal.modes()).toEqual({
			isCursorShown: true,
			isPasteBracketed: false,
			keyboardFlags: 0,
			isModifyingKeys: false,
		});
	});

	test('ends by SIGHUP when the terminal is gone, even without the signal', async () => {
		const service = await startScripted(callWeather());
		const cwd = createTools();
		const shell = `trap '' HUP; setsid -w chat ${argv.join(' ')} p; echo $? >code`;
		const terminal = await openTerminal({shell, env: service.env, cwd});
		await terminal.untilText(armed);
		terminal.hangUp();
		await terminal.exit;
		expect(await readFile(join(cwd, 'code'), 'utf8')).toBe('129\n');
	});

	test('kills a tool that ignores signals, however often Ctrl-C is pressed', async () => {
		const service = await startScripted(callWeather());
		const cwd = createTools(stubborn);
		const command = [...argv, '--allow-tool', 'weather', 'p'];
		const terminal = await openTerminal({argv: command, env: service.env, cwd});
		const pid = await pidOf(cwd);
		terminal.press('ctrl+c', 'ctrl+c');
		await terminal.until(() => !isRunning(pid));
		terminal.press('ctrl+c');
		expect(await terminal.exit).toEqual({exitCode: 0, signal: 2});
	});
});
