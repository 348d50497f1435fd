/**
 * The process as a value. Everything gets an `Environment` handed in, so that a test can run the
 * whole program in its own process; `process-environment.ts` makes the real one.
 */
import type {Readable, Writable} from 'node:stream';
import type {ReadStream} from 'node:tty';
import {ChatError, type InterruptSignal} from './errors.ts';

/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>;

export interface Environment {
	readonly stdin: InputStream;
	readonly stdout: OutputStream;
	readonly stderr: OutputStream;
	readonly variables: Variables;
	/** The folder that relative paths start from, absolute. */
	readonly cwd: string;
	/** The terminal of stdout; undefined if stdout is not a terminal. */
	readonly terminal: Terminal | undefined;
	/** The operating system by Node's name: `linux`, `darwin`, `win32`. */
	readonly platform: string;
	/** The user's home folder, absolute; undefined if there is none. */
	readonly homedir: string | undefined;
	/** Milliseconds on a clock that never goes back, with an arbitrary start. */
	now(): number;
	/** The wall clock: milliseconds since 1970. It may be set back. */
	date(): number;
	/** Returns 8 random characters: base 32, lower case. */
	createId(): string;
	/** Calls back when a signal asks the run to stop. Returns a function that stops listening. */
	onInterrupt(listener: (signal: InterruptSignal) => void): () => void;
	/**
	 * Runs a program in the foreground, with the streams of this process. Ctrl-C is for that program
	 * alone.
	 *
	 * @param argv the program and its arguments, without a shell
	 * @returns its exit code, or the signal that ended it
	 * @throws the system's error when it cannot be started
	 */
	runProgram(argv: readonly string[]): Promise<number | NodeJS.Signals>;
	readonly processes: ProcessControl;
	readonly program: Program;
}

export type Program = {
	/** The file that was started; undefined if that is not known. */
	readonly path: string | undefined;
	readonly nodePath: string;
	readonly nodeVersion: string;
};

export type ProcessControl = {
	/**
	 * Keeps signals from ending this process while it ends others that must not outlive it. Returns a
	 * function that stops that.
	 */
	holdSignals(): () => void;
	/**
	 * Sends a signal to a process, or to a process group by its negative number; 0 sends nothing.
	 *
	 * @returns whether the process or group exists
	 */
	signal(pid: number, signal: NodeJS.Signals | 0): boolean;
};

export interface InputStream {
	/**
	 * `terminal`, a `data` source with an end (file, pipe, socket), or `none` (closed, `/dev/null`,
	 * another device).
	 */
	readonly kind: 'terminal' | 'data' | 'none';
	/** Returns the bytes. May be called once. */
	read(): Readable;
	/** Terminals only. In raw mode each key comes at once, without an echo, Ctrl-C included. */
	setRawMode?(isRaw: boolean): void;
}

export interface OutputStream {
	readonly isTerminal: boolean;
	/** The cells of a row; 80 if that is not known. */
	columns(): number;
	/**
	 * Queues text or bytes. Returns a promise only when the reader is slow: wait for it before
	 * writing more.
	 *
	 * @throws {ChatError} `closed` when the reader is gone, `output` when the device fails
	 */
	write(data: string | Uint8Array): Promise<void> | undefined;
	/** Resolves when everything has left the process. Fails as `write` does. */
	flush(): Promise<void>;
}

export type TerminalSize = {readonly columns: number; readonly rows: number};

/** The assumed size of a window that does not report one. */
export const defaultSize: TerminalSize = {columns: 80, rows: 24};

export interface Terminal {
	size(): TerminalSize;
	/** Calls back when the window changes. Returns a function that stops listening. */
	onResize(listener: (size: TerminalSize) => void): () => void;
	/** The stream itself, for a library that draws. */
	readonly output: NodeJS.WriteStream;
	/** Opens stdin if it is a terminal, else the controlling terminal; undefined without one. */
	openKeyboard(): Keyboard | undefined;
	/**
	 * Calls back for each SIGINT, in place of `Environment.onInterrupt`: that is Ctrl-C in a terminal
	 * without raw mode. Returns a function that stops listening.
	 */
	onInterruptKey(listener: () => void): () => void;
	/**
	 * Writes the text that `restore` returns when the process ends unexpectedly, also by SIGQUIT or
	 * SIGABRT; of several, the last one first. Returns a function that cancels this.
	 */
	onExit(restore: () => string): () => void;
	/**
	 * Adds a user of the terminal, who gives it back while it is lent: to the shell, when the process is
	 * stopped (Ctrl-Z, SIGTSTP), or to a program. The last one releases it first, and takes it last.
	 * Returns a function that removes the user.
	 */
	addUser(user: TerminalUser): () => void;
	/** Lends the terminal until the promise settles. Not while it is lent already. */
	lend<Result>(borrow: () => Promise<Result>): Promise<Result>;
	/** Stops the process group, as Ctrl-Z does without raw mode. Nothing happens on Windows. */
	suspend(): void;
}

export type TerminalUser = {
	readonly release: () => Promise<void> | void;
	/** Other programs may have written, and the window may have changed. */
	readonly take: () => void;
};

export type Keyboard = {
	readonly stream: ReadStream;
	/** False after a hangup; tells it from Ctrl-D, which also ends the input. */
	isConnected(): boolean;
	/** Stops reading, so that the process can end. */
	close(): void;
};

/** Wraps one of Node's output streams. Wrap each stream at most once. */
export function createOutputStream(stream: Writable, isTerminal: boolean): OutputStream {
	let failure: ChatError | undefined;
	/** Writes that wait for `drain`, and flushes that wait for their callback. */
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
		columns: () => ('columns' in stream && Number(stream.columns)) || defaultSize.columns,
		write(data) {
			if (failure !== undefined) throw failure;
			if (stream.write(data)) return undefined;
			return settle((done) => stream.once('drain', done));
		},
		flush: () => settle((done) => stream.write('', done)),
	};
}

function outputFailure(cause: NodeJS.ErrnoException): ChatError {
	if (cause.code === 'EPIPE') return new ChatError('closed', 'the reader of the output is gone');
	return new ChatError('output', `cannot write the output: ${cause.message}`, {cause});
}
