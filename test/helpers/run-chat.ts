/**
 * Runs the whole program in this process and collects its output.
 *
 * Checks two promises in every run: no key of its environment is printed, and JSON output matches
 * its schemas.
 */
import {spawn} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {mkdirSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Readable, Writable} from 'node:stream';
import {createOutputStream, type Environment, type InputStream} from '../../src/environment.ts';
import type {ExitCode, InterruptSignal} from '../../src/errors.ts';
import {main} from '../../src/main.ts';
import {processControl} from '../../src/process-environment.ts';
import {parseLines, parseResult} from './json-output.ts';
import {findSecrets} from './secrets.ts';

export type RunOptions = {
	/** By default `main`. */
	readonly program?: typeof main;
	/** Piped input, or a terminal and what is typed there; empty by default. */
	readonly stdin?:
		| string
		| Uint8Array
		| Readable
		| 'terminal'
		| {readonly typed: string | Readable};
	/** Which outputs are terminals. */
	readonly terminals?: ReadonlyArray<'stdout' | 'stderr'>;
	/** The width of their window. */
	readonly columns?: number;
	readonly variables?: Readonly<Record<string, string | undefined>>;
	/** More text that must never be printed; the keys in the variables are always checked. */
	readonly secrets?: readonly string[];
	/** A folder that does not exist by default, so that nothing outside of a test is read. */
	readonly cwd?: string;
	/** The home folder; by default an empty one. */
	readonly home?: string | undefined;
	readonly platform?: string;
	/** Called when the terminal of stdin changes its mode. */
	readonly onRawMode?: (isRaw: boolean) => void;
	/** The clock; the real one by default. */
	readonly now?: () => number;
	/** Called with all of stdout so far; an error it throws breaks the pipe. */
	readonly onStdout?: (text: string) => void;
	/** The same for stderr. */
	readonly onStderr?: (text: string) => void;
	/** Called with each write to either, in their order; all writes then complete at once. */
	readonly onOutput?: (text: string) => void;
	/** Called with a function that sends a signal, when the program listens. */
	readonly onListening?: (send: (signal: InterruptSignal) => void) => void;
};

export type RunResult = {
	readonly stdout: string;
	readonly stderr: string;
	readonly exitCode: ExitCode;
};

/** A folder that does not exist. */
const nowhere = join(tmpdir(), 'chat-no-folder', String(process.pid));

/** The home folder of a user who has set nothing. */
const emptyHome = join(tmpdir(), 'chat-empty-home', String(process.pid));
mkdirSync(emptyHome, {recursive: true});

/** The arguments of the program; those of a text are its words between single spaces. */
export type Line = string | readonly string[];

export function wordsOf(line: Line): readonly string[] {
	return typeof line === 'string' ? line.split(' ').filter((word) => word !== '') : line;
}

/** @throws {Error} if the run breaks one of the two promises. */
export async function runChat(line: Line, options: RunOptions = {}): Promise<RunResult> {
	const argv = wordsOf(line);
	const stdout = createCapture(options, options.onStdout);
	const stderr = createCapture(options, options.onStderr);
	const terminals = options.terminals ?? [];
	const home = 'home' in options ? options.home : emptyHome;
	const environment: Environment = {
		stdin: createInput(options),
		stdout: createOutputStream(stdout.stream, terminals.includes('stdout')),
		stderr: createOutputStream(stderr.stream, terminals.includes('stderr')),
		terminal: undefined,
		variables: withDefaults(options.variables ?? {}, home),
		cwd: options.cwd ?? nowhere,
		platform: options.platform ?? process.platform,
		homedir: home,
		now: options.now ?? (() => performance.now()),
		date: () => Date.now(),
		createId: () => randomUUID().slice(0, 8),
		processes: processControl,
		program: {path: undefined, nodePath: process.execPath, nodeVersion: process.versions.node},
		onInterrupt(listener) {
			options.onListening?.(listener);
			return () => {};
		},
		runProgram: ([program = '', ...rest]) =>
			new Promise((resolve, reject) => {
				const child = spawn(program, rest, {stdio: 'ignore'});
				child.once('error', reject);
				child.once('exit', (code, signal) => resolve(code ?? signal ?? 1));
			}),
	};
	const exitCode = await (options.program ?? main)(argv, environment);
	const result = {stdout: stdout.text(), stderr: stderr.text(), exitCode};
	checkSecrets(result, options);
	if (!stdout.isBroken()) checkJson(result, argv, options);
	return result;
}

/** Conversations are saved only by the tests that are about it. Calls no getter. */
function withDefaults(
	variables: Environment['variables'],
	home: string | undefined,
): Environment['variables'] {
	return Object.defineProperties(
		{CHAT_SAVE: 'false', HOME: home},
		Object.getOwnPropertyDescriptors(variables),
	);
}

function checkSecrets(
	{stdout, stderr}: RunResult,
	{variables = {}, secrets = []}: RunOptions,
): void {
	const keys = Object.entries(variables).flatMap(([name, value]) =>
		/_API_KEY$/.test(name) && value !== undefined && value.trim().length > 3 ? [value] : [],
	);
	const found = findSecrets(`${stdout}\n${stderr}`, [...keys, ...secrets]);
	if (found.length > 0) throw new Error(`shown: ${found.join(', ')}\n${stdout}\n${stderr}`);
}

/** Checks the JSON output of answers. */
function checkJson({stdout}: RunResult, argv: readonly string[], {variables}: RunOptions): void {
	const format = readFormat(argv) ?? variables?.['CHAT_OUTPUT'];
	if (stdout === '' || argv.includes('--help') || others.test(argv[0] ?? '')) return;
	if (format === 'json') parseResult(stdout);
	if (format === 'jsonl') parseLines(stdout);
}

/** Commands whose JSON has another form. */
const others = /^(?:auth|config|doctor|mcp|models|quotes|run|sessions|templates)$/;

function readFormat(argv: readonly string[]): string | undefined {
	const place = argv.findLastIndex((word) => word === '-o' || word === '--output');
	return place === -1 ? undefined : argv[place + 1];
}

function createCapture(
	{columns, onOutput}: Pick<RunOptions, 'columns' | 'onOutput'>,
	onText?: (text: string) => void,
) {
	const chunks: Buffer[] = [];
	let isBroken = false;
	const text = () => Buffer.concat(chunks).toString('utf8');
	const stream = new Writable({
		write(chunk: Buffer, _encoding, done) {
			chunks.push(chunk);
			let failure: Error | undefined;
			try {
				onText?.(text());
			} catch (error) {
				isBroken = true;
				failure = error as Error;
			}
			onOutput?.(chunk.toString());
			// A pipe accepts a write, and reports its failure later.
			if (onOutput === undefined) setImmediate(() => done(failure));
			else done(failure);
		},
	});
	return {stream: Object.assign(stream, {columns}), text, isBroken: () => isBroken};
}

function createInput({stdin, onRawMode = () => {}}: RunOptions): InputStream {
	if (stdin === undefined) return {kind: 'none', read: () => Readable.from([])};
	const terminal = {kind: 'terminal', setRawMode: onRawMode} as const;
	if (stdin === 'terminal') return {...terminal, read: () => Readable.from([])};
	if (stdin instanceof Readable) return {kind: 'data', read: () => stdin};
	if (typeof stdin === 'object' && 'typed' in stdin) {
		const {typed} = stdin;
		return {
			...terminal,
			read: () => (typed instanceof Readable ? typed : Readable.from([Buffer.from(typed)])),
		};
	}
	return {kind: 'data', read: () => Readable.from([Buffer.from(stdin)])};
}

/** Returns the error of a write to a pipe without a reader. */
export function brokenPipe(): Error {
	return Object.assign(new Error('write EPIPE'), {code: 'EPIPE'});
}
