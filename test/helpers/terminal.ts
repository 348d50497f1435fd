/**
 * Runs a program in a real pseudo-terminal, with an emulator that shows the screen. The program ends
 * with the test.
 */
import {execFile} from 'node:child_process';
import {mkdtemp, rm, symlink} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import type {Duplex} from 'node:stream';
import {promisify} from 'node:util';
import {type IPty, spawn} from '@lydell/node-pty';
import xterm from '@xterm/headless';
import {onTestFinished} from 'vitest';
import {builtProgram} from './built-program.ts';
import {bytesOf, pasteOf} from './terminal-keys.ts';
import {followModes, type TerminalModes, watchClears} from './terminal-modes.ts';
import {waitUntil} from './wait-until.ts';

export type TerminalOptions = {
	/** By default the built program. */
	readonly program?: string;
	/** The arguments of the program. */
	readonly argv?: readonly string[];
	/** A command line for `bash` instead, with `chat` in its path. */
	readonly shell?: string;
	/** A file as stdin instead of the keyboard. */
	readonly stdinFile?: string;
	readonly columns?: number;
	readonly rows?: number;
	/** Variables in addition to a minimal set; undefined removes one. */
	readonly env?: Readonly<Record<string, string | undefined>>;
	/** By default a new, empty folder, which is also the home folder. */
	readonly cwd?: string;
};

export type TerminalExit = {readonly exitCode: number; readonly signal: number};

export interface TestTerminal {
	readonly pid: number;
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
	/** Closes the terminal, like closing a window. */
	hangUp(): void;
	/** Resolves when the program has ended and all its output is shown. */
	readonly exit: Promise<TerminalExit>;
	/** Ends the program with its terminal. May be called more than once. */
	close(): Promise<void>;
}

/** An interactive shell whose prompt is a dollar sign, for the option `shell`. */
export const interactiveShell = "PS1='$ ' exec bash --norc --noprofile -i";

const scrollbackLines = 50_000;
const patienceMs = 15_000;

/** Starts the built program in a terminal, which closes with the test. */
export async function openTerminal(options: TerminalOptions = {}): Promise<TestTerminal> {
	const home = await mkdtemp(join(tmpdir(), 'chat-terminal-'));
	await symlink(builtProgram, join(home, 'chat'));
	const [file, args] = commandOf(options);
	const {columns = 80, rows = 24} = options;
	const pty = spawn(file, args, {
		name: options.env?.['TERM'] ?? 'xterm-256color',
		cols: columns,
		rows,
		cwd: options.cwd ?? home,
		env: environmentOf(home, options.env),
		encoding: null,
	});
	const terminal = connect(pty, home, columns, rows);
	onTestFinished(async () => {
		await terminal.close();
		await rm(home, {recursive: true, force: true});
	});
	return terminal;
}

/** Returns the process that the shell in a terminal has started. */
export async function findChild({pid}: TestTerminal): Promise<number> {
	const {stdout} = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(pid)]);
	return Number(stdout.trim());
}

function commandOf({
	program = builtProgram,
	argv = [],
	shell,
	stdinFile,
}: TerminalOptions): [string, string[]] {
	if (shell !== undefined) return ['bash', ['--norc', '--noprofile', '-c', shell]];
	if (stdinFile === undefined) return [process.execPath, [program, ...argv]];
	const script = 'file=$1; shift; exec "$@" <"$file"';
	return ['bash', ['-c', script, 'bash', stdinFile, process.execPath, program, ...argv]];
}

/** The environment, with nothing from this machine but the path of its programs. */
function environmentOf(home: string, more: TerminalOptions['env'] = {}): Record<string, string> {
	const variables: Record<string, string | undefined> = {
		HOME: home,
		PATH: [home, dirname(process.execPath), process.env['PATH']].join(':'),
		LANG: 'C.UTF-8',
		// Conversations are saved only by the tests that are about it.
		CHAT_SAVE: 'false',
		...more,
	};
	return Object.fromEntries(
		Object.entries(variables).flatMap(([name, value]) =>
			value === undefined ? [] : [[name, value] as const],
		),
	);
}

function connect(pty: IPty, home: string, columns: number, rows: number): TestTerminal {
	const emulator = new xterm.Terminal({
		cols: columns,
		rows,
		scrollback: scrollbackLines,
		allowProposedApi: true,
	});
	const bytes: Buffer[] = [];
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
	// Bytes, despite the type: the pseudo-terminal has no encoding.
	pty.onData((data: string | Buffer) => {
		const chunk = Buffer.from(data);
		bytes.push(chunk);
		emulator.write(chunk, wake);
	});
	const release = keepUntilRead(pty);
	emulator.onData((reply) => pty.write(reply));
	let isOver = false;
	const exit = new Promise<TerminalExit>((resolve) => {
		pty.onExit(({exitCode, signal = 0}) => {
			isOver = true;
			emulator.write('', () => {
				resolve({exitCode, signal});
				wake();
			});
		});
	});
	const buffer = () => emulator.buffer.active;
	const rowAt = (y: number) => buffer().getLine(y)?.translateToString(true) ?? '';
	const screen = () => Array.from({length: emulator.rows}, (_, y) => rowAt(buffer().baseY + y));

	const terminal: TestTerminal = {
		pid: pty.pid,
		home,
		type: (text) => pty.write(text),
		press(...chords) {
			for (const chord of chords) pty.write(bytesOf(chord));
		},
		paste: (text) => pty.write(pasteOf(text)),
		resize(nextColumns, nextRows) {
			emulator.resize(nextColumns, nextRows);
			pty.resize(nextColumns, nextRows);
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
		raw: () => Buffer.concat(bytes).toString('utf8'),
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
		hangUp() {
			release();
			// Missing from the types, which also cover Windows.
			if ('destroy' in pty && typeof pty.destroy === 'function') pty.destroy();
		},
		exit,
		async close() {
			// SIGKILL, because a process may ignore the hangup of its terminal.
			if (!isOver) {
				killGroup(pty.pid);
				pty.kill('SIGKILL');
				await exit;
			}
			emulator.dispose();
		},
	};
	return terminal;
}

/**
 * Reads on after the program has ended: the package closes the terminal 200 ms later, and a busy
 * machine may have read nothing until then. The returned function undoes it.
 */
function keepUntilRead(pty: IPty): () => void {
	// Missing from the types.
	const {_socket: socket} = pty as IPty & {readonly _socket: Duplex};
	const destroy = socket.destroy.bind(socket);
	socket.destroy = () => {
		// Between two immediates, all that has arrived is read.
		setImmediate(() => setImmediate(destroy));
		return socket;
	};
	return () => {
		socket.destroy = destroy;
	};
}

function killGroup(pid: number): void {
	try {
		process.kill(-pid, 'SIGKILL');
	} catch {
		// It has already ended.
	}
}

function explain(screen: readonly string[], isOver: boolean): string {
	const state = isOver ? 'the program has ended; ' : '';
	return `${state}the screen is\n${screen.join('\n').trimEnd()}`;
}
