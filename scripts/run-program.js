/** Runs programs as users do: on a terminal, and as a service. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {setTimeout as pause} from 'node:timers/promises';
import {spawn as spawnOnTerminal} from '@lydell/node-pty';
import xterm from '@xterm/headless';

/**
 * Starts `chat serve`.
 *
 * @param command the program
 */
export async function startService([file, ...first], words = [], options = {}) {
	const child = spawn(file, [...first, 'serve', '--port', '0', ...words], {
		...options,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const [line] = await once(child.stdout, 'data');
	return {
		url: String(line).trim(),
		/** Resolves with the exit code and the signal. */
		async end() {
			child.kill('SIGTERM');
			return await once(child, 'exit');
		},
	};
}

const patienceMs = 20_000;

/**
 * Runs a command in a pseudo-terminal with an emulator.
 *
 * @param size the window: `{columns, rows}`
 */
export function openTerminal([file, ...words], {columns, rows}, variables, cwd) {
	const emulator = new xterm.Terminal({cols: columns, rows, allowProposedApi: true});
	let isDrawing = false;
	let hasCursor = true;
	let look = () => {};
	for (const final of ['h', 'l']) {
		emulator.parser.registerCsiHandler({prefix: '?', final}, ([mode]) => {
			if (mode === 2026) isDrawing = final === 'h';
			if (mode === 25) hasCursor = final === 'h';
			return false;
		});
	}
	const child = spawnOnTerminal(file, words, {cols: columns, rows, env: variables, cwd});
	let bytes = 0;
	let heardAt = performance.now();
	child.onData((data) => {
		bytes += Buffer.byteLength(data);
		heardAt = performance.now();
		emulator.write(data, () => look());
	});
	emulator.onData((reply) => child.write(reply));
	const exited = new Promise((resolve) => child.onExit(resolve));
	const buffer = () => emulator.buffer.active;
	const screen = () =>
		Array.from({length: rows}, (_, y) => buffer().getLine(buffer().baseY + y))
			.map((line) => line.translateToString(true))
			.join('\n');

	const readCells = (start = buffer().baseY) =>
		Array.from({length: rows}, (_, y) => {
			const line = buffer().getLine(start + y);
			return Array.from({length: columns}, (_, x) => readCell(line?.getCell(x)));
		});
	/** The first row of a window that ends with the last text. */
	const findStart = () => {
		let end = buffer().length;
		while (
			end > rows &&
			buffer()
				.getLine(end - 1)
				.translateToString(true) === ''
		)
			end -= 1;
		return Math.max(0, end - rows);
	};

	return {
		pid: child.pid,
		/** Returns the number of bytes written so far. */
		bytes: () => bytes,
		type: (text) => child.write(text),
		/** Resolves with `exitCode` and `signal`. */
		exited,
		/** Resolves when the window shows the text, between two frames, and its cells pass the test. */
		async waitFor(pattern, test = () => true) {
			await new Promise((resolve, reject) => {
				const timer = setTimeout(() => {
					reject(new Error(`no ${pattern} on the screen:\n${screen()}`));
				}, patienceMs);
				look = () => {
					if (isDrawing || !pattern.test(screen()) || !test(readCells())) return;
					clearTimeout(timer);
					look = () => {};
					resolve();
				};
				look();
			});
		},
		/** Resolves after this time without output. */
		async waitForQuiet(ms) {
			while (performance.now() - heardAt < ms) await pause(ms / 4);
		},
		/**
		 * Returns the cells of the last rows and the cursor. How far the window has scrolled depends on
		 * the times at which text came.
		 */
		capture() {
			const start = findStart();
			const y = buffer().baseY + buffer().cursorY - start;
			return {cells: readCells(start), cursor: hasCursor ? {x: buffer().cursorX, y} : undefined};
		},
		async close() {
			child.kill('SIGKILL');
			await exited;
			emulator.dispose();
		},
	};
}

/** The text is empty after a wide character. Colours are 0 to 15, undefined for the default. */
function readCell(cell) {
	if (cell === undefined) return {text: ' '};
	const isInverse = Boolean(cell.isInverse());
	const foreground = cell.isFgPalette() ? cell.getFgColor() : undefined;
	const background = cell.isBgPalette() ? cell.getBgColor() : undefined;
	return {
		text: cell.getWidth() === 0 ? '' : cell.getChars() || ' ',
		foreground: isInverse ? (background ?? 'background') : foreground,
		background: isInverse ? (foreground ?? 'foreground') : background,
		isBold: Boolean(cell.isBold()),
		isDim: Boolean(cell.isDim()),
		isItalic: Boolean(cell.isItalic()),
		isUnderlined: Boolean(cell.isUnderline()),
	};
}
