/** `--collect` fetches what a service made of submitted lines, and writes it as any other answers. */
import {closeSync, mkdtempSync, openSync, rmSync, writeSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {openResults} from '../../../batch/read-results.ts';
import {
	forgetSubmitted,
	pathOfSubmitted,
	readSubmitted,
	type Submitted,
} from '../../../batch/submitted.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {printInfo} from '../../../output/print.ts';
import {createReplay} from '../../../protocol/replay-reply.ts';
import {readBatch, readFile, type ServiceBatch} from '../../../protocol/service-batches.ts';
import {redactUrl} from '../../../redact.ts';
import {formatCount, plural} from '../../../wording.ts';
import type {Run} from '../../run/turn-runner.ts';
import {type AskLine, answerLine} from './answer-line.ts';
import {answerLines, type CheckedBatch} from './answer-lines.ts';
import type {Stop} from './stop.ts';
import {nameRequest} from './submit-lines.ts';

/**
 * @param output as given
 * @throws {ChatError} `input` if nothing was submitted, `usage` for another service; as `readBatch` and
 * `readFile` do
 */
export async function collectLines(
	checked: CheckedBatch,
	{output, stop}: {readonly output: string; readonly stop: Stop},
	environment: Environment,
): Promise<ExitCode> {
	const {run} = checked.batch;
	const path = pathOfSubmitted(resolve(environment.cwd, output));
	const submitted = readSubmitted(path);
	if (submitted === undefined) {
		throw new ChatError('input', `nothing was submitted for ${output}`, {hint: 'Use --submit.'});
	}
	const service = redactUrl(run.service.connection.wire.url);
	if (submitted.service !== service) {
		throw new ChatError('usage', `the batch for ${output} is at ${submitted.service}`, {
			hint: `These settings mean ${service}.`,
		});
	}
	const folder = mkdtempSync(join(tmpdir(), 'chat-batch-'));
	try {
		const file = join(folder, 'results.jsonl');
		const isEnded = await fetchResults(submitted, file, run, environment);
		const results = openResults(file);
		const ask: AskLine = async (line) => {
			const result = results.take(nameRequest(line));
			if (result === undefined) return undefined;
			const streamChat = createReplay(run.service.connection, result);
			const shared = run.shared && {...run.shared, streamChat};
			const settings = {...line.settings, schemaRepairs: 0, compact: 'off'} as const;
			return await answerLine({...run, shared}, {...line, settings}, environment);
		};
		checked.answers.open();
		const options = {jobs: 1, stop, ask, codeIfLeft: 75} as const;
		const exitCode = await answerLines(checked, options, environment);
		const others = results.left();
		results.close();
		if (others > 0) {
			const what = plural(others, 'other result');
			printInfo(`${what}: answered before, or the line has changed`, environment);
		}
		if (isEnded) forgetSubmitted(path);
		return exitCode;
	} finally {
		rmSync(folder, {recursive: true, force: true});
	}
}

/** Returns whether all batches have ended. */
async function fetchResults(
	{batches}: Submitted,
	path: string,
	{service: {connection}, signal}: Run,
	environment: Environment,
): Promise<boolean> {
	const fd = openSync(path, 'wx', 0o600);
	let isEnded = true;
	try {
		for (const {name} of batches) {
			const batch = await readBatch(connection, name, {signal});
			printInfo(`${name}: ${describeBatch(batch)}`, environment);
			isEnded &&= batch.isEnded;
			for (const file of batch.isEnded ? batch.files : []) {
				await readFile(connection, file, (bytes) => writeSync(fd, bytes), {signal});
				writeSync(fd, '\n');
			}
		}
	} finally {
		closeSync(fd);
	}
	return isEnded;
}

function describeBatch({status, total, completed, failed, problems}: ServiceBatch): string {
	return [
		status,
		...(total > 0 ? [`${formatCount(completed)} of ${formatCount(total)} answered`] : []),
		...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
		...problems,
	].join(', ');
}
