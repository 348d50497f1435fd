/** A session on a terminal that is an emulator. */
import {expect, onTestFinished, test} from 'vitest';
import type {Size} from '../../src/repl/geometry.ts';
import {openReplView} from '../../src/ui/ink/views.ts';
import {runRepl} from '../../src/ui/run.ts';
import {begin} from '../repl/play.ts';
import {openScripted} from '../repl/scripted-repl.ts';
import {openEmulator} from './emulator.ts';

/** Runs a session until the end of the test. */
function openSession(began: Size) {
	const {terminal, keyboard, screen} = openEmulator({columns: 60, rows: 24});
	const {repl} = openScripted([], {initial: begin(began)});
	const interrupt = new AbortController();
	const now = () => performance.now();
	const view = openReplView({
		shown: repl,
		terminal,
		options: {
			...{hasColor: false, hasLinks: false, reflow: 'none' as const},
			redact: (text) => text,
		},
		onFocus: undefined,
		pickSession: async () => undefined,
		loadHistory: async () => {},
		now,
	});
	const ended = runRepl({
		...{repl, view, terminal, keyboard, now},
		opening: [],
		greeting: ['welcome'],
		first: undefined,
		onShown: () => {},
		onClosed: () => undefined,
		signal: interrupt.signal,
	});
	onTestFinished(async () => {
		interrupt.abort();
		await ended;
	});
	return {screen};
}

test('begins with a frame for the window although its size has changed before', async () => {
	const {screen} = openSession({columns: 40, rows: 24});
	await expect.poll(screen).toContain('─'.repeat(59));
});
