/**
 * The process as a value. Everything else gets an `Environment` handed in, so that a test can run
 * the whole program in-process; only this file and `bin/` touch the real one.
 */
import {fstatSync, openSync, writeSync} from 'node:fs';
import {homedir, userInfo} from 'node:os';
import {isAbsolute} from 'node:path';
import type {Readable, Writable} from 'node:stream';
import {isatty, ReadStream} from 'node:tty';
import {ChatError, type ExitCode, type InterruptSignal, signalOf} from './errors.ts';

export interface Environment {
	readonly stdin: InputStream;
	readonly stdout: OutputStream;
	readonly stderr: OutputStream;
	/** The environment variables. */
	readonly variables: Readonly<Record<string, string | undefined>>;
	/** The folder that relative paths start from, absolute. */
	readonly cwd: string;
	/** The terminal that stdout is, undefined if it is none. */
	readonly terminal: Terminal | undefined;
	/** The operating system, as Node names it: `linux`, `darwin`, `win32`. */
	readonly platform: string;
	/** The home folder of the user, absolute; undefined if there is none. */
	readonly homedir: string | undefined;
	/** Milliseconds on a clock that never goes back; its zero means nothing. */
	now(): number;
	/** Calls back when a signal asks the run to stop; returns a function that ends that. */
	onInterrupt(listener: (signal: InterruptSignal) => void): () => void;
	/**
	 * Runs a program in the foreground, with the streams of this process, to its end. Until then
	 * Ctrl-C is for that program alone.
	 *
	 * @param argv the program and its arguments; no shell sees them
	 * @returns its exit code, or 1 if a signal ended it
	 * @throws the system's error when it cannot be started
	 */
	runProgram(argv: readonly string[]): Promise<number>;
}

export interface InputStream {
	/**
	 * `terminal`, a `data` source with an end (file, pipe, socket), or `none` (closed, `/dev/null`,
	 * another device).
	 */
	readonly kind: 'terminal' | 'data' | 'none';
	/** The bytes, to the end. May be called once. */
	read(): Readable;
	/**
	 * Of a terminal: whether keys come one by one, not echoed, and Ctrl-C as a key like any other.
	 * Other input has no modes.
	 */
	setRawMode?(isRaw: boolean): void;
}

export interface OutputStream {
	readonly isTerminal: boolean;
	/**
	 * Queues text or bytes. Returns a promise only when the reader is slow: wait for it before
	 * writing more.
	 *
	 * @throws {ChatError} `closed` when the reader is gone, `output` when the device fails.
	 */
	write(data: string | Uint8Array): Promise<void> | undefined;
	/** Resolves when all that was written has left the process; fails as `write` does. */
	flush(): Promise<void>;
}

export type TerminalSize = {readonly columns: number; readonly rows: number};

export interface Terminal {
	size(): TerminalSize;
	/** Calls back when the window changes; returns a function that ends that. */
	onResize(listener: (size: TerminalSize) => void): () => void;
	/** The stream itself, for a library that draws. */
	readonly output: NodeJS.WriteStream;
	/**
	 * The keyboard of this terminal: stdin if that is a terminal, else the controlling terminal,
	 * opened anew; undefined if there is none.
	 */
	openKeyboard(): Keyboard | undefined;
	/**
	 * Writes what `restore` returns when the process ends without having come to an end itself, also
	 * by SIGQUIT or SIGABRT; returns a function that ends that.
	 */
	onExit(restore: () => string): () => void;
}

export type Keyboard = {
	readonly stream: ReadStream;
	/** Lets the process end. */
	close(): void;
};

/** Puts Node's own output stream behind the interface; at most one wrapper for a stream. */
export function createOutputStream(stream: Writable, isTerminal: boolean): OutputStream {
	let failure: ChatError | undefined;
	/** Whoever waits for the stream: a write for its `drain`, a flush for its callback. */
	const waiting = new Set<() => void>();
	stream.on('error', (cause: NodeJS.ErrnoException) => {
		failure ??= outputFailure(cause);
		for (const done of waiting) done();
	});
	const settle = (subscribe: (done: (cause?: Error | null) => void) => void) =>
		new Promise<void>((resolve, reject) => {
			// A write's callback hears of its failure before the stream's `error` event does.
			const done = (cause?: Error | null) => {
				waiting.delete(done);
				stream.off('drain', done);
				if (cause) failure ??= outputFailure(cause);
				if (failure === undefined) resolve();
				else reject(failure);
			};
			waiting.add(done);
			if (failure === undefined) subscribe(done);
			else done();
		});
	return {
		isTerminal,
		write(data) {
			if (failure !== undefined) throw failure;
			if (stream.write(data)) return undefined;
			return settle((done) => stream.once('drain', done));
		},
		flush: () => settle((done) => stream.write('', done)),
	};
}

function outputFailure(cause: NodeJS.ErrnoException): ChatError {
	if (cause.code === 'EPIPE') return new ChatError('closed', 'the reader of the output went away');
	return new ChatError('output', `cannot write the output: ${cause.message}`, {cause});
}

const interruptSignals: readonly InterruptSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The real process. Call it once. */
export function createProcessEnvironment(): Environment {
	return {
		stdin: {
			kind: inputKind(),
			read: () => process.stdin,
			setRawMode,
		},
		stdout: createOutputStream(process.stdout, process.stdout.isTTY === true),
		stderr: createOutputStream(process.stderr, process.stderr.isTTY === true),
		terminal: process.stdout.isTTY === true ? createTerminal(process.stdout) : undefined,
		variables: {...process.env},
		cwd: findFolder(),
		// `performance` would load the whole of `node:perf_hooks`.
		now: () => Number(process.hrtime.bigint()) / 1e6,
		platform: process.platform,
		homedir: findHome(),
		onInterrupt(listener) {
			const stop = () => {
				for (const signal of interruptSignals) process.removeListener(signal, onSignal);
			};
			// A second signal meets no listener of ours: it ends the process at once. This one must not
			// seem to, or the listener of the library that draws, which comes next, would do just that.
			const onSignal = (signal: NodeJS.Signals) => {
				queueMicrotask(stop);
				listener(signal as InterruptSignal);
			};
			for (const signal of interruptSignals) process.on(signal, onSignal);
			return stop;
		},
		runProgram,
	};
}

/** Signals that end a process whose terminal Node does not restore by itself. */
const signalsInRawMode = ['SIGHUP', 'SIGQUIT'] as const;

function setRawMode(isRaw: boolean): void {
	if (!process.stdin.isTTY) return;
	process.stdin.setRawMode(isRaw);
	for (const signal of signalsInRawMode) {
		if (isRaw) process.once(signal, leaveRawMode);
		else process.off(signal, leaveRawMode);
	}
}

function leaveRawMode(signal: NodeJS.Signals): void {
	try {
		process.stdin.setRawMode(false);
	} catch {
		// The terminal is gone; there is nothing left to restore.
	}
	process.kill(process.pid, signal);
}

/** What a window is taken for that does not say how large it is. */
const defaultSize: TerminalSize = {columns: 80, rows: 24};

function createTerminal(output: NodeJS.WriteStream): Terminal {
	const size = () => ({
		columns: output.columns || defaultSize.columns,
		rows: output.rows || defaultSize.rows,
	});
	return {
		size,
		onResize(listener) {
			const onResize = () => listener(size());
			output.on('resize', onResize);
			return () => {
				output.off('resize', onResize);
			};
		},
		output,
		openKeyboard: () => {
			const stream = process.stdin.isTTY === true ? process.stdin : openControllingTerminal();
			if (stream === undefined) return undefined;
			return {
				stream,
				close() {
					stream.pause();
					if (stream !== process.stdin) stream.destroy();
				},
			};
		},
		onExit(restore) {
			const onExit = () => {
				try {
					writeSync(1, restore());
				} catch {
					// The terminal is gone; there is nothing left to restore.
				}
			};
			const stop = () => {
				process.off('exit', onExit);
				for (const signal of suddenSignals) process.off(signal, onSignal);
			};
			// Sent again, so that the process dies by it.
			const onSignal = (signal: NodeJS.Signals) => {
				stop();
				onExit();
				process.kill(process.pid, signal);
			};
			process.on('exit', onExit);
			for (const signal of suddenSignals) process.on(signal, onSignal);
			return stop;
		},
	};
}

/** A process that one of these ends gets no `exit` event. */
const suddenSignals = ['SIGQUIT', 'SIGABRT'] as const;

function openControllingTerminal(): ReadStream | undefined {
	try {
		return new ReadStream(openSync('/dev/tty', 'r+'));
	} catch {
		return undefined;
	}
}

/** Relative paths of a deleted folder lead to where it was; libraries need one that exists. */
function findFolder(): string {
	const found = tryPath(() => process.cwd());
	if (found !== undefined) return found;
	process.chdir('/');
	return tryPath(() => process.env['PWD'] ?? '') ?? '/';
}

function findHome(): string | undefined {
	return [homedir, () => userInfo().homedir].map(tryPath).find((path) => path !== undefined);
}

/** A relative path is no home: what starts there would depend on the current folder. */
function tryPath(find: () => string): string | undefined {
	try {
		const path = find();
		return isAbsolute(path) ? path : undefined;
	} catch {
		// No variable names it, the user has no entry in the system's list, or it was deleted.
		return undefined;
	}
}

async function runProgram([program = '', ...rest]: readonly string[]): Promise<number> {
	const {spawn} = await import('node:child_process');
	const ignore = () => {};
	process.on('SIGINT', ignore);
	const ended = new Promise<number>((resolve, reject) => {
		const child = spawn(program, rest, {stdio: 'inherit'});
		child.once('error', reject);
		child.once('exit', (code) => resolve(code ?? 1));
	});
	return await ended.finally(() => process.removeListener('SIGINT', ignore));
}

function inputKind(): InputStream['kind'] {
	try {
		const stats = fstatSync(0);
		if (stats.isFile() || stats.isFIFO() || stats.isSocket()) return 'data';
		return isatty(0) ? 'terminal' : 'none';
	} catch {
		return 'none';
	}
}

/**
 * Ends the process when its work is done: by the signal that stopped it, so that a shell loop
 * around it stops too, else with the code. Never `process.exit`, which drops unwritten output.
 */
export function endProcess(exitCode: ExitCode): void {
	const signal = signalOf(exitCode);
	if (signal === undefined) {
		process.exitCode = exitCode;
		return;
	}
	process.removeAllListeners(signal);
	process.kill(process.pid, signal);
}

/**
 * Keeps further signals from ending the process while something is brought to its end that must not
 * outlive it; the returned function ends that.
 */
export function holdSignals(): () => void {
	const ignore = () => {};
	for (const signal of interruptSignals) process.on(signal, ignore);
	return () => {
		for (const signal of interruptSignals) process.removeListener(signal, ignore);
	};
}

/**
 * Sends a signal to a process, or to a group of them by its negative number; 0 only asks whether
 * there is one.
 *
 * @returns whether anybody got it
 */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
	try {
		return process.kill(pid, signal);
	} catch {
		return false;
	}
}
