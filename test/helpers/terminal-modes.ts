/** Terminal modes that a program has switched and the emulator does not report. */
import type xterm from '@xterm/headless';

export type TerminalModes = {
	readonly isCursorShown: boolean;
	readonly isPasteBracketed: boolean;
	/** The number of kitty's keyboard flags that are pushed and not popped. */
	readonly keyboardFlags: number;
	/** Whether xterm encodes modifiers of keys such as Enter. */
	readonly isModifyingKeys: boolean;
};

/**
 * Reports when a screen with content is erased from its first cell. tmux then moves the content into
 * the scrollback, unless `scroll-on-clear` is off.
 */
export function watchClears(emulator: xterm.Terminal, onClear: () => void): void {
	emulator.parser.registerCsiHandler({final: 'J'}, ([mode]) => {
		const {active} = emulator.buffer;
		const isHome = active.cursorX === 0 && active.cursorY === 0;
		const isUsed = Array.from({length: emulator.rows}, (_, y) =>
			active.getLine(active.baseY + y),
		).some((line) => line?.translateToString(true) !== '');
		if ((mode ?? 0) === 0 && isHome && isUsed) onClear();
		return false;
	});
}

/** Tracks modes that the emulator does not report, and reports complete frames. */
export function followModes(
	emulator: xterm.Terminal,
	onFrame: () => void,
): {readonly modes: () => TerminalModes; readonly isDrawing: () => boolean} {
	let isCursorShown = true;
	let isDrawing = false;
	let keyboardFlags = 0;
	let isModifyingKeys = false;
	const on = (prefix: string, final: string, handle: (first: unknown, second: unknown) => void) => {
		emulator.parser.registerCsiHandler({prefix, final}, ([first, second]) => {
			handle(first, second);
			return false;
		});
	};
	on('?', 'h', (mode) => {
		if (mode === 25) isCursorShown = true;
		// The start and the end of a synchronized update.
		if (mode === 2026) isDrawing = true;
	});
	on('?', 'l', (mode) => {
		if (mode === 25) isCursorShown = false;
		if (mode === 2026) {
			isDrawing = false;
			onFrame();
		}
	});
	on('>', 'u', () => {
		keyboardFlags += 1;
	});
	on('>', 'm', (resource, level) => {
		if (resource === 4) isModifyingKeys = level === 1;
	});
	on('<', 'u', () => {
		keyboardFlags -= 1;
	});
	return {
		modes: () => ({
			isCursorShown,
			isPasteBracketed: emulator.modes.bracketedPasteMode,
			keyboardFlags,
			isModifyingKeys,
		}),
		isDrawing: () => isDrawing,
	};
}
