/** Resizes a drawn session, and waits for its frames. */
import type {TestTerminal} from './terminal-screen.ts';

/** The emulator of the tests is that of this terminal. */
export const emulator = {TERM_PROGRAM: 'vscode'};

/** Part of the live region at each size here. */
const live = /Esc stops|^MODEL-5\.6-sol/m;

/** Resizes the window, and waits until the frame is gone; no other may be on its way. */
export async function fold(terminal: TestTerminal, columns: number, rows: number): Promise<void> {
	terminal.resize(columns, rows);
	await terminal.until((screen) => !live.test(screen));
}

/** Resizes the window, and waits until the frame is there again. */
export async function resize(terminal: TestTerminal, columns: number, rows: number): Promise<void> {
	await fold(terminal, columns, rows);
	await unfold(terminal);
}

export async function unfold(terminal: TestTerminal): Promise<void> {
	await terminal.until((screen) => live.test(screen));
}

export async function nextFrame(terminal: TestTerminal): Promise<void> {
	let isDrawn = false;
	terminal.onFrame(() => {
		isDrawn = true;
	});
	await terminal.until(() => isDrawn);
}

export function countIn(terminal: TestTerminal, text: string): number {
	return terminal.scrollback({isJoined: true}).join('\n').split(text).length - 1;
}
