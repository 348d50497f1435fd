/** Runs of the program as data: what is there before, the words, and what has to come of them. */
import {expect, test} from 'vitest';
import {createDirectory} from '../input/input-helpers.ts';
import type {ReplayReply} from './replay-reply.ts';
import {streamReply} from './replies.ts';
import {type Line, type RunOptions, type RunResult, runChat} from './run-chat.ts';
import {createHome, type SettingsHome} from './settings-home.ts';
import {type RecordingService, startRecording} from './start-service.ts';

export type Given = RunOptions & {
	/**
	 * The files of the home folder: values to write as JSON, or exact texts. A function gets the
	 * address of the service, which no variable names then.
	 */
	readonly config?: unknown;
	readonly credentials?: unknown;
	/** The files of the working folder. */
	readonly files?: Readonly<Record<string, string | Uint8Array>>;
	/** The replies of the service, which answers `Hi.` by default; null: none is configured. */
	readonly replies?: readonly ReplayReply[] | null;
};

export type Scene = SettingsHome & {
	readonly cwd: string;
	readonly service: RecordingService;
	run(line: Line, options?: RunOptions): Promise<RunResult>;
};

const hi = streamReply(['Hi.']);

/** Opens a home, a working folder and a service, for one test. */
export async function openScene({
	config,
	credentials,
	files,
	replies = [hi],
	...given
}: Given = {}): Promise<Scene> {
	const service = await startRecording(...(replies ?? [hi]));
	const isInFile = typeof config === 'function';
	const file = isInFile ? config(service.variables.CHAT_BASE_URL) : config;
	const home = createHome({
		...(file === undefined ? {} : {config: file}),
		...(credentials === undefined ? {} : {credentials}),
	});
	const cwd = createDirectory(files);
	const own = replies === null || isInFile ? {} : service.variables;
	const run = (line: Line, options: RunOptions = {}) =>
		runChat(line, {
			...home.source,
			cwd,
			...given,
			...options,
			variables: {...own, ...given.variables, ...options.variables},
		});
	return {...home, cwd, service, run};
}

/** Expects a text as a whole or a pattern. */
function expectText(text: string, expected: string | RegExp): void {
	if (typeof expected === 'string') expect(text).toBe(expected);
	else expect(text).toMatch(expected);
}

/** @param message a pattern, or a part of stderr */
export type Refusal = readonly [
	line: Line,
	exitCode: number,
	message: string | RegExp,
	given?: Given,
];

/** Tests for each row that the run ends before anything is sent, with nothing on stdout. */
export function testRefusals(title: string, rows: readonly Refusal[], common: Given = {}): void {
	const cases = rows.map(
		([line, code, message, given = {}]) => [line, code, message, given] as const,
	);
	test.each(cases)(`${title}: %j`, async (line, exitCode, message, given) => {
		const {run, service} = await openScene({...common, ...given});
		const result = await run(line);
		expect(result).toMatchObject({stdout: '', exitCode});
		if (typeof message === 'string') expect(result.stderr).toContain(message);
		else expect(result.stderr).toMatch(message);
		expect(service.requests).toEqual([]);
	});
}

/** @param stdout all of it, or a pattern; stderr has to be empty unless it is given */
export type Output = readonly [
	line: Line,
	stdout: string | RegExp,
	given?: Given,
	stderr?: string | RegExp,
];

/** Tests for each row that the run prints this, and ends with 0. */
export function testOutputs(title: string, rows: readonly Output[], common: Given = {}): void {
	const cases = rows.map(
		([line, stdout, given = {}, stderr = '']) => [line, stdout, given, stderr] as const,
	);
	test.each(cases)(`${title}: %j`, async (line, stdout, given, stderr) => {
		const {run} = await openScene({...common, ...given});
		const result = await run(line);
		expectText(result.stderr, stderr);
		expectText(result.stdout, stdout);
		expect(result.exitCode).toBe(0);
	});
}
