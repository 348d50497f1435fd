/** Answers the lines that have no answer, several at once, and writes the answers as they come. */
import {isServiceFault, maxFaults} from '../../../batch/fault-streak.ts';
import {type InputLine, readInputLines} from '../../../batch/read-input.ts';
import {runPool} from '../../../batch/run-pool.ts';
import {addAnswer, describeEnd} from '../../../batch/tally.ts';
import type {Environment} from '../../../environment.ts';
import type {ExitCode} from '../../../errors.ts';
import {asObject, asObjects, asText, type JsonObject, toJsonLine} from '../../../json.ts';
import {printInfo} from '../../../output/print.ts';
import type {AskLine, LineAnswer} from './answer-line.ts';
import type {CheckedInput} from './check-lines.ts';
import type {Answers} from './open-answers.ts';
import type {OpenBatch} from './open-batch.ts';
import type {BatchInput} from './open-input.ts';
import type {PreparedLine, PrepareLine} from './prepare-line.ts';
import {type BatchProgress, startProgress} from './progress.ts';
import type {Stop} from './stop.ts';

export type CheckedBatch = {
	readonly batch: OpenBatch;
	readonly input: BatchInput;
	readonly checked: CheckedInput;
	readonly prepare: PrepareLine;
	readonly answers: Answers;
};

type Answered = Pick<PreparedLine, 'id' | 'hash'> & LineAnswer;

export type LinesOptions = {
	/** Maximum number of lines at once. */
	readonly jobs: number;
	readonly stop: Stop;
	readonly ask: AskLine;
	/** The exit code if lines are left without an answer. */
	readonly codeIfLeft: ExitCode;
};

/**
 * @throws {ChatError} `output` or `closed` if an answer cannot be written; the signal's reason when
 * aborted
 */
export async function answerLines(
	{batch, input, checked, prepare, answers}: CheckedBatch,
	{jobs, stop, ask, codeIfLeft}: LinesOptions,
	environment: Environment,
): Promise<ExitCode> {
	const {settings} = batch.run;
	const startedAt = environment.now();
	let {tally} = checked;
	/** Failures of the service, not written yet. */
	let kept: readonly Answered[] = [];
	let fault: Answered | undefined;
	// Answers on the screen would mix with a line that changes.
	const plain = settings.plain || (!answers.isFile && environment.stdout.isTerminal);
	const look = {...settings, plain};
	const progress = startProgress(() => tally, batch.pace.heldMs, look, environment);
	const report = createReporter(progress, settings.quiet);
	const write = async (answered: Answered) => {
		tally = addAnswer(tally, answered.answer, answered.exitCode);
		report(answered);
		await answers.append(lineOf(answered));
	};
	const writeKept = async () => {
		const all = kept;
		kept = [];
		for (const answered of all) await write(answered);
	};
	const work = async (line: InputLine) => {
		const prepared = await prepare(line, checked.format);
		const {id, hash} = prepared;
		if (answers.find(id, hash) !== undefined) return;
		const answer = await ask(prepared);
		// The next run asks it again.
		if (answer === undefined || (stop.signal.aborted && answer.exitCode !== 0)) return;
		const answered = {id, hash, ...answer};
		if (isServiceFault(answered.answer)) {
			kept = [...kept, answered];
			if (kept.length >= maxFaults) fault ??= answered;
			return;
		}
		await writeKept();
		await write(answered);
	};
	stop.finishFirst(() => progress.print('finishing the running answers; Ctrl-C again stops them'));
	const isStopped = () => fault !== undefined || stop.isStopping();
	try {
		const lines = readInputLines(input.path, input.name);
		await runPool(lines, jobs, (line) => work(line).catch(stop.fail), isStopped);
		if (!isStopped()) await writeKept();
	} finally {
		progress.end();
		const hint = answers.isFile && tally.failed + tally.cut > 0 ? retryHint : '';
		const end = describeEnd(tally, environment.now() - startedAt);
		if (!settings.quiet) printInfo(`${end}${hint}`, environment);
	}
	stop.signal.throwIfAborted();
	if (fault !== undefined) {
		const {problem} = explain(fault.answer);
		printInfo(`stopped after ${maxFaults} failures in a row: ${problem}`, environment);
		return fault.exitCode;
	}
	const isLeft = tally.earlier + tally.done < tally.total;
	return isLeft ? codeIfLeft : tally.exitCode;
}

const retryHint = '; to ask these again: --retry-failed';

/** Returns the JSON output as a line: the service's id makes way for that of the line. */
function lineOf({id, hash, answer, exitCode}: Answered): string {
	const {id: replyId = '', ...rest} = answer;
	const head = {id, hash, exit_code: exitCode};
	return toJsonLine({...head, reply_id: replyId, ...rest}).trimEnd();
}

/** Returns why an answer is not complete, and a word for that. */
function explain({error, notices}: JsonObject): {readonly kind: string; readonly problem: string} {
	const fields = asObject(error);
	const notice = asObjects(notices).at(-1);
	const kind = asText(fields?.['kind']) ?? asText(notice?.['code']) ?? 'refusal';
	const message = asText(fields?.['message']) ?? asText(notice?.['message']) ?? 'no answer';
	const hint = asText(fields?.['hint']);
	return {kind, problem: hint === undefined ? message : `${message}; ${hint}`};
}

/** Reports the first failure of each kind; the others are in the output. */
function createReporter(progress: BatchProgress, isQuiet: boolean): (answered: Answered) => void {
	const reported = new Set<string>();
	return ({id, answer, exitCode}) => {
		if (exitCode === 0 || isQuiet) return;
		const {kind, problem} = explain(answer);
		if (!reported.has(kind)) progress.print(`${id}: ${problem}`);
		reported.add(kind);
	};
}
