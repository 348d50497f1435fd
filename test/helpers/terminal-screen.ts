/** A terminal whose screen an emulator shows, whatever program is at its other end. */
import {StringDecoder} from 'node:string_decoder';
import xterm from '@xterm/headless';
import {bytesOf, pasteOf} from './terminal-keys.ts';
import {followModes, type TerminalModes, watchClears} from './terminal-modes.ts';
import {waitUntil} from './wait-until.ts';

export type TerminalExit = {readonly exitCode: number; readonly signal: number};

export interface TestTerminal {
	/** The home folder of the program. */
	readonly home: string;
	/** Sends the characters in one write. */
	type(text: string): void;
	press(...chords: readonly string[]): void;
	paste(text: string): void;
	resize(columns: number, rows: number): void;
	/** Resizes the window only; the program hears of it with the next `resize`. */
	resizeUnheard(columns: number, rows: number): void;
	/** The rows of the window, without trailing blanks. */
	screen(): readonly string[];
	/** All lines, including the scrollback; `isJoined` joins wrapped rows. */
	scrollback(options?: {readonly isJoined?: boolean}): readonly string[];
	/** The content of a cell of the window. */
	cell(x: number, y: number): {readonly text: string; readonly isDim: boolean};
	/** The position of the cursor in the window. */
	cursor(): {readonly x: number; readonly y: number};
	modes(): TerminalModes;
	/** The raw output of the program. */
	raw(): string;
	/** Calls back after each complete frame; an error it throws fails the next `until`. */
	onFrame(check: () => void): void;
	/**
	 * Waits until the condition holds. Checks it after each write and at intervals, but never within
	 * a frame.
	 */
	until(
		condition: (screen: string) => boolean,
		options?: {readonly timeoutMs?: number},
	): Promise<void>;
	/** Waits until the window shows the text. */
	untilText(text: string | RegExp, options?: {readonly timeoutMs?: number}): Promise<void>;
	/** Resolves when the program has ended and all its output is shown. */
	readonly exit: Promise<TerminalExit>;
	/** Ends the program with its terminal. May be called more than once. */
	close(): Promise<void>;
}

/** A program and its pseudo-terminal, from outside. */
export type Line = {
	write(data: string): void;
	resize(columns: number, rows: number): void;
	/** Calls back with all that the program writes. */
	onData(listener: (chunk: Buffer) => void): void;
	/** Resolves when the program has ended and its output is read. */
	readonly exit: Promise<TerminalExit>;
	/** Ends the program. */
	end(): void;
};

const scrollbackLines = 50_000;
/** So long that only what never comes exceeds it, on any machine. */
const patienceMs = 60_000;

/** Shows on an emulator what a program does at the other end of a line. */
export function connect(line: Line, home: string, columns: number, rows: number): TestTerminal {
	const emulator = new xterm.Terminal({
		cols: columns,
		rows,
		scrollback: scrollbackLines,
		allowProposedApi: true,
	});
	const decoder = new StringDecoder('utf8');
	let raw = '';
	const waiting = new Set<() => void>();
	const checks: Array<() => void> = [];
	let failure: unknown;
	const wake = () => {
		for (const look of waiting) look();
	};
	const {modes, isDrawing} = followModes(emulator, () => {
		try {
			for (const check of checks) check();
		} catch (error) {
			failure ??= error;
		}
	});
	watchClears(emulator, () => {
		failure ??= new Error('the window was erased from its first cell, which tmux scrolls away');
	});
	line.onData((chunk) => {
		raw += decoder.write(chunk);
		emulator.write(chunk, wake);
	});
	emulator.onData((reply) => line.write(reply));
	let isOver = false;
	const exit = line.exit.then(async (exited) => {
		isOver = true;
		await new Promise<void>((resolve) => emulator.write('', resolve));
		wake();
		return exited;
	});
	const buffer = () => emulator.buffer.active;
	const rowAt = (y: number) => buffer().getLine(y)?.translateToString(true) ?? '';
	const screen = () => Array.from({length: emulator.rows}, (_, y) => rowAt(buffer().baseY + y));

	const terminal: TestTerminal = {
		home,
		type: (text) => line.write(text),
		press(...chords) {
			for (const chord of chords) line.write(bytesOf(chord));
		},
		paste: (text) => line.write(pasteOf(text)),
		resize(nextColumns, nextRows) {
			emulator.resize(nextColumns, nextRows);
			line.resize(nextColumns, nextRows);
		},
		resizeUnheard: (nextColumns, nextRows) => emulator.resize(nextColumns, nextRows),
		screen,
		scrollback({isJoined = false} = {}) {
			const lines: string[] = [];
			for (let y = 0; y < buffer().length; y += 1) {
				const line = buffer().getLine(y);
				if (isJoined && line?.isWrapped === true) lines.push((lines.pop() ?? '') + rowAt(y));
				else lines.push(rowAt(y));
			}
			return lines;
		},
		cell(x, y) {
			const cell = buffer()
				.getLine(buffer().baseY + y)
				?.getCell(x);
			return {text: cell?.getChars() ?? '', isDim: cell !== undefined && cell.isDim() !== 0};
		},
		cursor: () => ({x: buffer().cursorX, y: buffer().cursorY}),
		modes,
		raw: () => raw,
		onFrame(check) {
			checks.push(check);
		},
		until(condition, {timeoutMs = patienceMs} = {}) {
			const isMet = () => {
				if (failure !== undefined) throw failure;
				return (isOver || !isDrawing()) && condition(screen().join('\n'));
			};
			return waitUntil(isMet, waiting, timeoutMs, () => explain(screen(), isOver));
		},
		async untilText(text, waitOptions) {
			const isThere = (shown: string) =>
				typeof text === 'string' ? shown.includes(text) : text.test(shown);
			await terminal.until(isThere, waitOptions).catch((error: Error) => {
				error.message = `${text}: ${error.message}`;
				throw error;
			});
		},
		exit,
		async close() {
			if (!isOver) {
				line.end();
				await exit;
			}
			emulator.dispose();
		},
	};
	return terminal;
}

function explain(screen: readonly string[], isOver: boolean): string {
	const state = isOver ? 'the program has ended; ' : '';
	return `${state}the screen is\n${screen.join('\n').trimEnd()}`;
}
