/** Answers one line: a run of its own, whose JSON output is kept. */
import type {Environment, OutputStream} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {type JsonObject, parseJsonObject} from '../../../json.ts';
import {runAnswer} from '../../run/run-answer.ts';
import {reportFailure} from '../../run/run-chat.ts';
import type {Run} from '../../run/turn-runner.ts';
import type {PreparedLine} from './prepare-line.ts';

export type LineAnswer = {
	/** The JSON output. */
	readonly answer: JsonObject;
	readonly exitCode: ExitCode;
};

/** Returns undefined for a line that stays unanswered. */
export type AskLine = (line: PreparedLine) => Promise<LineAnswer | undefined>;

/** Prints nothing but the lines of `-v`. */
export async function answerLine(
	run: Run,
	{request, settings}: PreparedLine,
	environment: Environment,
): Promise<LineAnswer> {
	let text = '';
	const stdout = createSink((data) => {
		text += data;
	});
	const stderr = settings.verbose ? environment.stderr : createSink(() => {});
	const own = {...environment, stdout, stderr, terminal: undefined};
	const exitCode = await runAnswer({...run, settings}, request, own).catch((error: unknown) => {
		if (!(error instanceof ChatError)) throw error;
		text = '';
		return reportFailure(error, run.flags, run.signal, own);
	});
	return {answer: parseJsonObject(text) ?? {}, exitCode};
}

function createSink(take: (data: string) => void): OutputStream {
	return {
		isTerminal: false,
		columns: () => 80,
		write(data) {
			take(typeof data === 'string' ? data : Buffer.from(data).toString());
			return undefined;
		},
		flush: async () => {},
	};
}
