/** Runs a batch: opens everything, checks every line, then answers those that have no answer. */
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {lineHint, withHint} from '../../../hint.ts';
import {printInfo, printText, printTrace} from '../../../output/print.ts';
import {plural} from '../../../wording.ts';
import {
	type FlagTexts,
	type FlagValues,
	type Invocation,
	readFlags,
} from '../../command-line/command.ts';
import {type AskLine, answerLine} from './answer-line.ts';
import {answerLines, type CheckedBatch} from './answer-lines.ts';
import {batchRows} from './batch-rows.ts';
import {type CheckedInput, checkLines} from './check-lines.ts';
import {openAnswers, withOutputLock} from './open-answers.ts';
import {openBatch} from './open-batch.ts';
import {type BatchInput, openInput} from './open-input.ts';
import {createPrepareLine} from './prepare-line.ts';
import {listenForStop, type Stop} from './stop.ts';

type Opening = {
	readonly stop: Stop;
	/** Called at the end of the run, the last one first. */
	readonly closers: Array<() => Promise<void> | void>;
};

type BatchFlags = FlagValues<typeof batchRows>;

export async function runBatch({words, flags, environment}: Invocation): Promise<ExitCode> {
	const [word = ''] = words;
	const own = readFlags(batchRows, flags);
	checkFlags(own);
	const stop = listenForStop(environment);
	const opening: Opening = {stop, closers: []};
	const close = async () => {
		for (const closeNext of opening.closers.splice(0).reverse()) await closeNext();
	};
	const run = async (input: BatchInput) => {
		try {
			const checked = await openChecked(input, flags, opening, environment);
			return await runChecked(checked, own, stop, environment);
		} finally {
			await close();
		}
	};
	try {
		const input = await openInput(word, opening, environment);
		return await withOutputLock(own.output, stop.signal, environment, () => run(input));
	} finally {
		await close();
		stop.end();
	}
}

/** @throws {ChatError} `usage` when two flags contradict each other */
function checkFlags({output = '-', retryFailed, submit, collect}: BatchFlags): void {
	const ofFile = {'--retry-failed': retryFailed, '--submit': submit, '--collect': collect};
	const [flag] = Object.entries(ofFile).find(([, isGiven]) => isGiven) ?? [];
	if (flag !== undefined && output === '-') {
		throw new ChatError('usage', `${flag} needs a file for the answers: -o`);
	}
	if (submit && collect) throw new ChatError('usage', '--submit cannot be used with --collect');
}

async function runChecked(
	checked: CheckedBatch,
	{output = '-', jobs, dryRun, submit, collect}: BatchFlags,
	stop: Stop,
	environment: Environment,
): Promise<ExitCode> {
	if (dryRun) return await printChecked(checked.checked, environment);
	if (submit) {
		const {submitLines} = await import('./submit-lines.ts');
		return await submitLines(checked, output, environment);
	}
	if (collect) {
		const {collectLines} = await import('./collect-lines.ts');
		return await collectLines(checked, {output, stop}, environment);
	}
	const {run} = checked.batch;
	checked.answers.open();
	const ask: AskLine = (line) => answerLine(run, line, environment);
	return await answerLines(checked, {jobs, stop, ask, codeIfLeft: 130}, environment);
}

async function openChecked(
	input: BatchInput,
	flags: FlagTexts,
	{stop: {signal}, closers}: Opening,
	environment: Environment,
): Promise<CheckedBatch> {
	const {output, jobs, retryFailed} = readFlags(batchRows, flags);
	const batch = await openBatch(flags, {jobs, signal, closers}, environment);
	for (const trace of batch.traces) printTrace(trace, environment);
	if (!batch.run.settings.quiet) {
		for (const notice of batch.notices) printInfo(withHint(notice, lineHint), environment);
	}
	const answers = openAnswers(output, input, retryFailed, environment);
	closers.push(() => answers.close());
	const prepare = createPrepareLine(batch, input.name, environment);
	const checked = await checkLines(input, prepare, answers.find, signal);
	return {batch, input, answers, prepare, checked};
}

async function printChecked({tally}: CheckedInput, environment: Environment): Promise<ExitCode> {
	const left = plural(tally.total - tally.earlier, 'request');
	return await printText(`${plural(tally.total, 'line')}, ${left} to send\n`, environment);
}
