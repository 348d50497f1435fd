/** A session on a terminal, whose service plays a script: what is typed, and what must be shown. */
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {
	type ScriptedReply,
	type ScriptedService,
	startScripted,
} from '../helpers/scripted-service.ts';
import type {TerminalOptions} from '../helpers/terminal.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';

/** The empty prompt of a screen, which is shown when nothing is under way. */
export const ready = 'Ask something';

export type Story = {
	readonly terminal: TestTerminal;
	readonly service: ScriptedService;
	/** Enters a line; waits for what it shows, and then for an empty prompt. */
	ask(line: string, shown: string | RegExp): Promise<void>;
	/** Enters a prompt; waits for its request, and then for an empty prompt. */
	send(prompt: string): Promise<void>;
	/** The contents of the last request's messages. */
	sent(): readonly unknown[];
	/** Leaves the session. */
	leave(): Promise<void>;
	/** Opens another session of the same user in the same folder. */
	again(options?: TerminalOptions): Promise<Story>;
};

export async function openStory(
	replies: readonly ScriptedReply[],
	options: TerminalOptions = {},
): Promise<Story> {
	return await openWith(await startScripted(...replies), options);
}

async function openWith(service: ScriptedService, options: TerminalOptions): Promise<Story> {
	const terminal = await openInProcess({...options, env: {...service.env, ...options.env}});
	await terminal.untilText(options.argv?.includes('--plain') ? 'You:' : ready);
	return {
		terminal,
		service,
		async ask(line, shown) {
			terminal.type(`${line}\r`);
			await terminal.untilText(shown);
			await terminal.untilText(ready);
		},
		async send(prompt) {
			const count = service.bodies.length;
			terminal.type(`${prompt}\r`);
			await terminal.until((screen) => service.bodies.length > count && screen.includes(ready));
		},
		sent: () => (service.bodies.at(-1)?.messages ?? []).map(({content}) => content),
		async leave() {
			terminal.type('/exit\r');
			expect(await terminal.exit).toMatchObject({exitCode: 0});
		},
		again: ({env, ...more} = {}) =>
			openWith(service, {
				...{cwd: options.cwd ?? terminal.home, ...more},
				env: {HOME: terminal.home, ...options.env, ...env},
			}),
	};
}

/** Returns the texts of all files in a folder, and below. */
export function textsBelow(folder: string): string {
	return readdirSync(folder, {recursive: true, withFileTypes: true})
		.filter((entry) => entry.isFile())
		.map(({parentPath, name}) => readFileSync(join(parentPath, name), 'utf8'))
		.join('');
}
