/**
 * The process as a value. Everything else gets an `Environment` handed in, so that a test can run
 * the whole program in-process; only this file and `bin/` touch the real one.
 */
import {fstatSync} from 'node:fs';
import type {Readable, Writable} from 'node:stream';
import {ChatError, type ExitCode, type InterruptSignal, signalOf} from './errors.ts';

export interface Environment {
	readonly stdin: InputStream;
	readonly stdout: OutputStream;
	readonly stderr: OutputStream;
	/** The environment variables. */
	readonly variables: Readonly<Record<string, string | undefined>>;
	/** The folder that relative paths start from, absolute. */
	readonly cwd: string;
	/** Milliseconds on a clock that never goes back; its zero means nothing. */
	now(): number;
	/** Calls back when a signal asks the run to stop; returns a function that ends that. */
	onInterrupt(listener: (signal: InterruptSignal) => void): () => void;
}

export interface InputStream {
	/**
	 * `terminal`, a `data` source with an end (file, pipe, socket), or `none` (closed, `/dev/null`,
	 * another device).
	 */
	readonly kind: 'terminal' | 'data' | 'none';
	/** The bytes, to the end. May be called once. */
	read(): Readable;
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

/** Puts Node's own output stream behind the interface; at most one wrapper for a stream. */
export function createOutputStream(stream: Writable, isTerminal: boolean): OutputStream {
	let failure: ChatError | undefined;
	let onFailure: (() => void) | undefined;
	stream.on('error', (cause: NodeJS.ErrnoException) => {
		failure ??= outputFailure(cause);
		onFailure?.();
	});
	const settle = (subscribe: (done: (cause?: Error | null) => void) => void) =>
		new Promise<void>((resolve, reject) => {
			// A write's callback hears of its failure before the stream's `error` event does.
			const done = (cause?: Error | null) => {
				if (cause) failure ??= outputFailure(cause);
				if (failure === undefined) resolve();
				else reject(failure);
			};
			onFailure = done;
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

/** The real process. Call it once. */
export function createProcessEnvironment(): Environment {
	return {
		stdin: {
			kind: inputKind(),
			read: () => process.stdin,
		},
		stdout: createOutputStream(process.stdout, process.stdout.isTTY === true),
		stderr: createOutputStream(process.stderr, process.stderr.isTTY === true),
		variables: {...process.env},
		cwd: process.cwd(),
		now: () => performance.now(),
		onInterrupt(listener) {
			const signals: readonly InterruptSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
			const stop = () => {
				for (const signal of signals) process.removeListener(signal, onSignal);
			};
			// A second signal meets no listener: it ends the process at once.
			const onSignal = (signal: NodeJS.Signals) => {
				stop();
				listener(signal as InterruptSignal);
			};
			for (const signal of signals) process.on(signal, onSignal);
			return stop;
		},
	};
}

function inputKind(): InputStream['kind'] {
	try {
		const stats = fstatSync(0);
		if (stats.isFile() || stats.isFIFO() || stats.isSocket()) return 'data';
		return process.stdin.isTTY === true ? 'terminal' : 'none';
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
