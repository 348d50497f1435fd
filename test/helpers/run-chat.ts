/** The one helper of the command line: runs the whole program in this process and collects all. */
import {tmpdir} from 'node:os';
import {Readable, Writable} from 'node:stream';
import {createOutputStream, type Environment, type InputStream} from '../../src/environment.ts';
import type {ExitCode, InterruptSignal} from '../../src/errors.ts';
import {main} from '../../src/main.ts';

export type RunOptions = {
	/** What is piped in; a terminal or nothing by default nothing. */
	readonly stdin?: string | Uint8Array | Readable | 'terminal';
	/** Which outputs are terminals. */
	readonly terminals?: ReadonlyArray<'stdout' | 'stderr'>;
	readonly variables?: Readonly<Record<string, string | undefined>>;
	readonly cwd?: string;
	/** Called with all of stdout so far; throwing an error breaks the pipe. */
	readonly onStdout?: (text: string) => void;
	/** Called when the program listens for signals, with a function that sends one. */
	readonly onListening?: (send: (signal: InterruptSignal) => void) => void;
};

export type RunResult = {
	readonly stdout: string;
	readonly stderr: string;
	readonly exitCode: ExitCode;
};

export async function runChat(
	argv: readonly string[],
	options: RunOptions = {},
): Promise<RunResult> {
	const stdout = createCapture(options.onStdout);
	const stderr = createCapture();
	const terminals = options.terminals ?? [];
	const environment: Environment = {
		stdin: createInput(options.stdin),
		stdout: createOutputStream(stdout.stream, terminals.includes('stdout')),
		stderr: createOutputStream(stderr.stream, terminals.includes('stderr')),
		variables: options.variables ?? {},
		cwd: options.cwd ?? tmpdir(),
		now: () => performance.now(),
		onInterrupt(listener) {
			options.onListening?.(listener);
			return () => {};
		},
	};
	const exitCode = await main(argv, environment);
	return {stdout: stdout.text(), stderr: stderr.text(), exitCode};
}

function createCapture(onText?: (text: string) => void) {
	const chunks: Buffer[] = [];
	const text = () => Buffer.concat(chunks).toString('utf8');
	const stream = new Writable({
		write(chunk: Buffer, _encoding, done) {
			chunks.push(chunk);
			try {
				onText?.(text());
				done();
			} catch (error) {
				done(error as Error);
			}
		},
	});
	return {stream, text};
}

function createInput(stdin: RunOptions['stdin']): InputStream {
	if (stdin === 'terminal') return {kind: 'terminal', read: () => Readable.from([])};
	if (stdin === undefined) return {kind: 'none', read: () => Readable.from([])};
	const isStream = stdin instanceof Readable;
	return {
		kind: 'data',
		read: () => (isStream ? stdin : Readable.from([Buffer.from(stdin)])),
	};
}
