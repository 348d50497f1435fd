/** The real process as an `Environment`. Only this file and `bin/` use `process`. */
import {fstatSync, openSync, writeSync} from 'node:fs';
import {homedir, userInfo} from 'node:os';
import {isAbsolute} from 'node:path';
import {isatty, ReadStream} from 'node:tty';
import {
	createOutputStream,
	defaultSize,
	type Environment,
	type InputStream,
	type ProcessControl,
	type Terminal,
	type TerminalUser,
} from './environment.ts';
import type {ExitCode, InterruptSignal} from './errors.ts';
import {signalOf} from './exit-codes.ts';

const interruptSignals: readonly InterruptSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Call it once. */
export function createProcessEnvironment(): Environment {
	const keyListeners = new Set<() => void>();
	const onInterruptKey: Terminal['onInterruptKey'] = (listener) => {
		keyListeners.add(listener);
		process.on('SIGINT', listener);
		return () => {
			keyListeners.delete(listener);
			process.off('SIGINT', listener);
		};
	};
	return {
		stdin: {kind: inputKind(), read: () => process.stdin, setRawMode},
		stdout: createOutputStream(process.stdout, process.stdout.isTTY === true),
		stderr: createOutputStream(process.stderr, process.stderr.isTTY === true),
		terminal:
			process.stdout.isTTY === true ? createTerminal(process.stdout, onInterruptKey) : undefined,
		variables: {...process.env},
		cwd: findFolder(),
		// `performance` would load the whole of `node:perf_hooks`.
		now: () => Number(process.hrtime.bigint()) / 1e6,
		date: () => Date.now(),
		createId,
		platform: process.platform,
		homedir: findHome(),
		onInterrupt(listener) {
			const stop = () => {
				for (const signal of interruptSignals) process.removeListener(signal, onSignal);
			};
			// A second signal finds no listener and ends the process at once. The listener goes only
			// after this one: without any, the drawing library would end the process right now.
			const onSignal = (signal: NodeJS.Signals) => {
				if (signal === 'SIGINT' && keyListeners.size > 0) return;
				queueMicrotask(stop);
				listener(signal as InterruptSignal);
			};
			for (const signal of interruptSignals) process.on(signal, onSignal);
			return stop;
		},
		async runProgram(argv) {
			// Ctrl-C is for that program.
			const stopListening = onInterruptKey(() => {});
			return await runProgram(argv).finally(stopListening);
		},
		processes: processControl,
		program: {
			path: process.argv[1],
			nodePath: process.execPath,
			nodeVersion: process.versions.node,
		},
	};
}

const idLength = 8;

/** Ids need not be hard to guess, and `crypto` would be slow to load. */
function createId(): string {
	const digit = () => Math.floor(Math.random() * 32).toString(32);
	return Array.from({length: idLength}, digit).join('');
}

export const processControl: ProcessControl = {
	holdSignals() {
		const ignore = () => {};
		for (const signal of interruptSignals) process.on(signal, ignore);
		return () => {
			for (const signal of interruptSignals) process.removeListener(signal, ignore);
		};
	},
	signal(pid, signal) {
		try {
			return process.kill(pid, signal);
		} catch {
			return false;
		}
	},
};

/** Returns the milliseconds of processor time that this process has used. */
export function processorMs(): number {
	const {user, system} = process.cpuUsage();
	return (user + system) / 1000;
}

/** Signals after which Node does not restore the terminal. */
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
		// The terminal is gone.
	}
	process.kill(process.pid, signal);
}

function createTerminal(
	output: NodeJS.WriteStream,
	onInterruptKey: Terminal['onInterruptKey'],
): Terminal {
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
			const fd = process.stdin.isTTY === true ? 0 : openControllingTerminal();
			if (fd === undefined) return undefined;
			const stream = fd === 0 ? process.stdin : new ReadStream(fd);
			return {
				stream,
				isConnected: () => isatty(fd),
				close() {
					stream.pause();
					if (stream !== process.stdin) stream.destroy();
				},
			};
		},
		onInterruptKey,
		onExit(restore) {
			const onExit = () => {
				try {
					writeSync(1, restore());
				} catch {
					// The terminal is gone.
				}
			};
			const stop = () => {
				process.off('exit', onExit);
				for (const signal of suddenSignals) process.off(signal, onSignal);
			};
			// Sent again, so that the process dies by this signal.
			const onSignal = (signal: NodeJS.Signals) => {
				stop();
				onExit();
				process.kill(process.pid, signal);
			};
			process.prependListener('exit', onExit);
			for (const signal of suddenSignals) process.prependListener(signal, onSignal);
			return stop;
		},
		...createLender(),
	};
}

function createLender(): Pick<Terminal, 'addUser' | 'lend' | 'suspend'> {
	let users: readonly TerminalUser[] = [];
	let isLent = false;
	let isContinued = false;
	const listen = (isListening: boolean) => {
		process.off('SIGTSTP', onStop).off('SIGCONT', onContinue);
		if (isListening) process.on('SIGTSTP', onStop).on('SIGCONT', onContinue);
	};
	const lend = async <Result>(borrow: () => Promise<Result>) => {
		isLent = true;
		for (const user of users.toReversed()) await user.release();
		// Ctrl-Z in another program stops this one too.
		listen(false);
		try {
			return await borrow();
		} finally {
			// No signal reports a change of the window to a stopped process.
			process.emit('SIGWINCH', 'SIGWINCH');
			for (const user of users) user.take();
			// In the background, taking raw mode stops the process again, until it is in the foreground.
			listen(users.length > 0);
			isLent = false;
		}
	};
	const onStop = () => {
		isContinued = false;
		if (!isLent) void lend(stop);
	};
	const stop = async () => {
		// Returns when the process goes on; at once where no shell could continue it.
		if (!isContinued) process.kill(process.pid, 'SIGTSTP');
	};
	const onContinue = () => {
		isContinued = true;
		// After a SIGSTOP, which restored nothing.
		if (!isLent) void lend(async () => {});
	};
	return {
		addUser(user) {
			users = [...users, user];
			listen(!isLent);
			return () => {
				users = users.filter((other) => other !== user);
				if (users.length === 0) listen(false);
			};
		},
		lend,
		suspend() {
			if (process.platform !== 'win32') process.kill(0, 'SIGTSTP');
		},
	};
}

/** Signals that end a process without an `exit` event. */
const suddenSignals = ['SIGQUIT', 'SIGABRT'] as const;

function openControllingTerminal(): number | undefined {
	try {
		return openSync('/dev/tty', 'r+');
	} catch {
		return undefined;
	}
}

/** In a deleted folder, relative paths lead to where it was; libraries need a folder that exists. */
function findFolder(): string {
	const found = tryPath(() => process.cwd());
	if (found !== undefined) return found;
	process.chdir('/');
	return tryPath(() => process.env['PWD'] ?? '') ?? '/';
}

function findHome(): string | undefined {
	return [homedir, () => userInfo().homedir].map(tryPath).find((path) => path !== undefined);
}

/** Refuses a relative path, whose meaning depends on the current folder. */
function tryPath(find: () => string): string | undefined {
	try {
		const path = find();
		return isAbsolute(path) ? path : undefined;
	} catch {
		// No variable names it, the user is unknown to the system, or the folder was deleted.
		return undefined;
	}
}

async function runProgram([program = '', ...rest]: readonly string[]): Promise<
	number | NodeJS.Signals
> {
	const {spawn} = await import('node:child_process');
	return await new Promise((resolve, reject) => {
		const child = spawn(program, rest, {stdio: 'inherit'});
		child.once('error', reject);
		child.once('exit', (code, signal) => resolve(code ?? signal ?? 1));
	});
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
 * Ends the process: by the signal that stopped it, so that a shell loop around it stops too, else
 * with the code. Never `process.exit`, which drops unwritten output.
 */
export function endProcess(exitCode: ExitCode): void {
	// A container's first process survives its own signal, and needs the exit code as well.
	process.exitCode = exitCode;
	const signal = signalOf(exitCode);
	if (signal === undefined) return;
	process.removeAllListeners(signal);
	process.kill(process.pid, signal);
}
