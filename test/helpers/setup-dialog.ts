/** Drives the dialog of `chat setup`. */
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {LocalService} from './local-service.ts';
import {openTerminal, type TerminalOptions} from './terminal.ts';
import {openInProcess} from './terminal-in-process.ts';
import type {TestTerminal} from './terminal-screen.ts';

export const key = 'sk-0123456789abcdef';

/** Opens the dialog, in this process unless a shell is named. */
export async function openSetup(
	options: TerminalOptions = {},
	start: typeof openTerminal | typeof openInProcess = options.shell === undefined
		? openInProcess
		: openTerminal,
): Promise<TestTerminal> {
	const terminal = await start({argv: ['setup'], ...options});
	await terminal.untilText('Which service?');
	return terminal;
}

/** Waits for a question, and answers it. */
export async function answer(terminal: TestTerminal, question: string | RegExp, typed: string) {
	await terminal.untilText(question);
	terminal.type(typed);
}

export async function enterUrl(terminal: TestTerminal, {host}: LocalService): Promise<void> {
	await answer(terminal, 'Which service?', `http://${host}\r`);
}

/** Reads the config file, or the stored keys. */
export function readSettings(terminal: TestTerminal, name: string): unknown {
	const path = join(terminal.home, '.config', 'chat', `${name}.json`);
	return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}
