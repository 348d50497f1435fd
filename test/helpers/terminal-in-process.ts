/**
 * Runs the built program in this process, on a real pseudo-terminal. To start a process costs ten times
 * as much. Signals, job control and programs that get the terminal need that: see `terminal.ts`.
 */
import {randomUUID} from 'node:crypto';
import {closeSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {ReadStream, WriteStream} from 'node:tty';
import {pathToFileURL} from 'node:url';
import {onTestFinished} from 'vitest';
import {createOutputStream, type Environment} from '../../src/environment.ts';
import type {InterruptSignal} from '../../src/errors.ts';
import type {main} from '../../src/main.ts';
import {processControl} from '../../src/process-environment.ts';
import {builtProgram} from './built-program.ts';
import {createTerminalHome, environmentOf, type TerminalOptions} from './terminal.ts';
import {connect, type TestTerminal} from './terminal-screen.ts';

type Options = Pick<TerminalOptions, 'argv' | 'columns' | 'rows' | 'env' | 'cwd'>;

/** The end of the output: the program writes none. */
const lastByte = 0;

/** Runs the built program on a terminal, which closes with the test. */
export async function openInProcess(options: Options = {}): Promise<TestTerminal> {
	const {argv = [], columns = 80, rows = 24} = options;
	const home = await createTerminalHome();
	const {master, slave, output, resize} = openPair(columns, rows);
	const interrupts = new Set<(signal: InterruptSignal) => void>();
	const program = await loadProgram();
	const variables: Environment['variables'] = {
		TERM: 'xterm-256color',
		...environmentOf(home, options.env),
	};
	const ended = program(argv, {
		...createStreams(slave, output),
		variables,
		cwd: options.cwd ?? home,
		homedir: variables['HOME'],
		platform: process.platform,
		now: () => performance.now(),
		date: () => Date.now(),
		createId: () => randomUUID().slice(0, 8),
		onInterrupt(listener) {
			interrupts.add(listener);
			return () => interrupts.delete(listener);
		},
		runProgram: needsProcess,
		processes: processControl,
		program: {path: undefined, nodePath: process.execPath, nodeVersion: process.versions.node},
	});
	let isOver = false;
	const line = {
		write: (data: string) => void master.write(data),
		resize,
		onData(listener: (chunk: Buffer) => void) {
			master.on('data', (chunk: Buffer) => {
				listener(Buffer.from(chunk.filter((byte) => byte !== lastByte || !isOver)));
			});
		},
		exit: ended.then(async (exitCode) => {
			isOver = true;
			const isRead = new Promise<void>((resolve) => {
				master.on('data', (chunk: Buffer) => {
					if (chunk.includes(lastByte)) resolve();
				});
			});
			output.write(Buffer.of(lastByte));
			await isRead;
			for (const stream of [output, slave, master]) stream.destroy();
			return {exitCode, signal: 0};
		}),
		end() {
			for (const listener of interrupts) listener('SIGTERM');
			slave.push(null);
		},
	};
	const terminal = connect(line, home, columns, rows);
	onTestFinished(terminal.close);
	return terminal;
}

async function loadProgram(): Promise<typeof main> {
	const path = join(dirname(builtProgram), '..', 'dist', 'main.js');
	const program: {readonly main: typeof main} = await import(pathToFileURL(path).href);
	return program.main;
}

/** The package itself can only open a pseudo-terminal that it also reads. */
const {requireBinary} = createRequire(import.meta.url)('@lydell/node-pty/requireBinary.js');
const native: {
	open(columns: number, rows: number): {readonly master: number; readonly slave: number};
	resize(fd: number, columns: number, rows: number): void;
} = requireBinary('pty.node');

type Output = WriteStream & {
	/** Missing from the types. */
	_refreshSize(): void;
	readonly _handle: {setBlocking(isBlocking: boolean): void};
};

function openPair(columns: number, rows: number) {
	const fds = native.open(columns, rows);
	const master = new ReadStream(fds.master);
	const slave = new ReadStream(fds.slave);
	const output = new WriteStream(fds.slave) as Output;
	// The reader is this process too.
	output._handle.setBlocking(false);
	// The streams have opened the terminal again.
	closeSync(fds.slave);
	return {
		master,
		slave,
		output,
		resize(nextColumns: number, nextRows: number) {
			native.resize(fds.master, nextColumns, nextRows);
			// As by SIGWINCH, which only a process of the terminal gets.
			setImmediate(() => output._refreshSize());
		},
	};
}

function createStreams(
	slave: ReadStream,
	output: Output,
): Pick<Environment, 'stdin' | 'stdout' | 'stderr' | 'terminal'> {
	const stream = createOutputStream(output, true);
	const nothing = () => {};
	return {
		stdin: {kind: 'terminal', read: () => slave, setRawMode: (isRaw) => slave.setRawMode(isRaw)},
		stdout: stream,
		stderr: stream,
		terminal: {
			size: () => ({columns: output.columns, rows: output.rows}),
			onResize(listener) {
				const onResize = () => listener({columns: output.columns, rows: output.rows});
				output.on('resize', onResize);
				return () => output.off('resize', onResize);
			},
			output,
			openKeyboard: () => ({
				stream: slave,
				isConnected: () => true,
				close: () => slave.pause(),
			}),
			onInterruptKey: () => nothing,
			onExit: () => nothing,
			addUser: () => nothing,
			lend: needsProcess,
			suspend: needsProcess,
		},
	};
}

function needsProcess(): never {
	throw new Error('this needs a process: use openTerminal');
}
