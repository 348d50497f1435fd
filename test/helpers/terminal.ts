/**
 * Runs a program in a real pseudo-terminal, with an emulator that shows the screen. The program ends
 * with the test. `terminal-in-process.ts` is ten times faster where the process itself does not matter.
 */
import {execFile} from 'node:child_process';
import {mkdtemp, rm, symlink} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import type {Duplex} from 'node:stream';
import {promisify} from 'node:util';
import {type IPty, spawn} from '@lydell/node-pty';
import {onTestFinished} from 'vitest';
import {builtProgram} from './built-program.ts';
import {noLocalServices} from './local-service.ts';
import {connect, type Line, type TestTerminal} from './terminal-screen.ts';

export type TerminalOptions = {
	/** By default the built program. */
	readonly program?: string;
	/** The arguments of the program. */
	readonly argv?: readonly string[];
	/** A command line for `bash` instead, with `chat` in its path. */
	readonly shell?: string;
	readonly columns?: number;
	readonly rows?: number;
	/** Variables in addition to a minimal set; undefined removes one. */
	readonly env?: Readonly<Record<string, string | undefined>>;
	/** By default a new, empty folder, which is also the home folder. */
	readonly cwd?: string;
};

export interface ProcessTerminal extends TestTerminal {
	readonly pid: number;
	/** Closes the terminal, like closing a window. */
	hangUp(): void;
}

/** An interactive shell whose prompt is a dollar sign, for the option `shell`. */
export const interactiveShell = "PS1='$ ' exec bash --norc --noprofile -i";

/** Starts the built program in a terminal, which closes with the test. */
export async function openTerminal(options: TerminalOptions = {}): Promise<ProcessTerminal> {
	const home = await createTerminalHome();
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
	const release = keepUntilRead(pty);
	const terminal = connect(lineOf(pty), home, columns, rows);
	onTestFinished(terminal.close);
	return {
		...terminal,
		pid: pty.pid,
		hangUp() {
			release();
			// Missing from the types, which also cover Windows.
			if ('destroy' in pty && typeof pty.destroy === 'function') pty.destroy();
		},
	};
}

/** Creates a home folder for one test, with `chat` in it. */
export async function createTerminalHome(): Promise<string> {
	const home = await mkdtemp(join(tmpdir(), 'chat-terminal-'));
	onTestFinished(() => rm(home, {recursive: true, force: true}));
	await symlink(builtProgram, join(home, 'chat'));
	return home;
}

/** Returns the process that the shell in a terminal has started. */
export async function findChild({pid}: ProcessTerminal): Promise<number> {
	const {stdout} = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(pid)]);
	return Number(stdout.trim());
}

function commandOf({
	program = builtProgram,
	argv = [],
	shell,
}: TerminalOptions): [string, string[]] {
	if (shell !== undefined) return ['bash', ['--norc', '--noprofile', '-c', shell]];
	return [process.execPath, [program, ...argv]];
}

/** The environment, with nothing from this machine but the path of its programs. */
export function environmentOf(
	home: string,
	more: TerminalOptions['env'] = {},
): Record<string, string> {
	const variables: Record<string, string | undefined> = {
		HOME: home,
		PATH: [home, dirname(process.execPath), process.env['PATH']].join(':'),
		LANG: 'C.UTF-8',
		// Conversations are saved only by the tests that are about it.
		CHAT_SAVE: 'false',
		...noLocalServices,
		...more,
	};
	return Object.fromEntries(
		Object.entries(variables).flatMap(([name, value]) =>
			value === undefined ? [] : [[name, value] as const],
		),
	);
}

function lineOf(pty: IPty): Line {
	return {
		write: (data) => pty.write(data),
		resize: (columns, rows) => pty.resize(columns, rows),
		onData(listener) {
			// Bytes, despite the type: the pseudo-terminal has no encoding.
			pty.onData((data: string | Buffer) => listener(Buffer.from(data)));
		},
		exit: new Promise((resolve) => {
			pty.onExit(({exitCode, signal = 0}) => resolve({exitCode, signal}));
		}),
		end() {
			// SIGKILL, because a process may ignore the hangup of its terminal.
			killGroup(pty.pid);
			pty.kill('SIGKILL');
		},
	};
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
