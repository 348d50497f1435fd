/** Answers the lines that have no answer, several at once, and writes the answers as they come. */
import {isServiceFault, maxFaults} from '../../../batch/fault-streak.ts';
import {type InputLine, readInputLines} from '../../../batch/read-input.ts';
import {runPool} from '../../../batch/run-pool.ts';
import {addAnswer, describeEnd, type Tally} from '../../../batch/tally.ts';
import type {Environment} from '../../../environment.ts';
import type {ExitCode} from '../../../errors.ts';
import {asObject, asText, toJsonLine} from '../../../json.ts';
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

export type AnswerOptions = {
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
	{jobs, stop, ask, codeIfLeft}: AnswerOptions,
	environment: Environment,
): Promise<ExitCode> {
	const {settings} = batch.run;
	const startedAt = environment.now();
	let {tally} = checked;
	/** Failures of the service, not written yet. */
	let kept: readonly Answered[] = [];
	let fault: Answered | undefined;
	const progress = startProgress(() => tally, batch.pace.heldMs, settings, environment);
	const explain = createExplainer(progress, settings.quiet);
	const write = async (answered: Answered) => {
		tally = addAnswer(tally, answered.answer, answered.exitCode);
		explain(answered);
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
		if (!settings.quiet) printEnd(tally, environment.now() - startedAt, environment);
	}
	stop.signal.throwIfAborted();
	if (fault !== undefined) {
		printInfo(`stopped after ${maxFaults} failures in a row: ${problemOf(fault)}`, environment);
		return fault.exitCode;
	}
	const isLeft = tally.earlier + tally.done < tally.total;
	return isLeft ? codeIfLeft : tally.exitCode;
}

/** Returns the JSON output as a line: the service's id makes way for that of the line. */
function lineOf({id, hash, answer, exitCode}: Answered): string {
	const {id: replyId = '', ...rest} = answer;
	const head = {id, hash, exit_code: exitCode};
	return toJsonLine({...head, reply_id: replyId, ...rest}).trimEnd();
}

function problemOf({answer}: Answered): string {
	const error = asObject(answer['error']);
	const hint = asText(error?.['hint']);
	return [asText(error?.['message']) ?? '', ...(hint === undefined ? [] : [hint])].join('; ');
}

/** Explains the first failure of each kind; the others are in the output. */
function createExplainer(progress: BatchProgress, isQuiet: boolean): (answered: Answered) => void {
	const explained = new Set<string>();
	return (answered) => {
		const kind = asText(asObject(answered.answer['error'])?.['kind']);
		if (kind === undefined || isQuiet || explained.has(kind)) return;
		explained.add(kind);
		progress.print(`${answered.id}: ${problemOf(answered)}`);
	};
}

function printEnd(tally: Tally, elapsedMs: number, environment: Environment): void {
	const isRetriable = tally.failed + tally.cut > 0;
	const hint = isRetriable ? '; to ask these again: --retry-failed' : '';
	printInfo(`${describeEnd(tally, elapsedMs)}${hint}`, environment);
}
