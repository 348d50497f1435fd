/** `--submit` hands the lines without an answer to the service's own batch endpoint. */
import {resolve} from 'node:path';
import {readInputLines} from '../../../batch/read-input.ts';
import {
	pathOfSubmitted,
	readSubmitted,
	type Submitted,
	writeSubmitted,
} from '../../../batch/submitted.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {hashOf} from '../../../files/trust.ts';
import {toJsonLine} from '../../../json.ts';
import {printInfo} from '../../../output/print.ts';
import {batchPathOf, startBatch} from '../../../protocol/service-batches.ts';
import {redactUrl} from '../../../redact.ts';
import {mebibyte, plural} from '../../../wording.ts';
import type {CheckedBatch} from './answer-lines.ts';
import type {PreparedLine} from './prepare-line.ts';

/** OpenAI's limits are 50,000 requests and 200 MB. */
const maxLines = 50_000;
const maxLength = 90 * mebibyte;

/** Returns the request's name at the service. */
export function nameRequest({id, hash}: Pick<PreparedLine, 'id' | 'hash'>): string {
	return `${hash}-${hashOf(id).slice(0, 16)}`;
}

/**
 * @param output as given
 * @throws {ChatError} `usage` for tools, or while a batch is under way; as `startBatch` does
 */
export async function submitLines(
	{batch, input, checked, prepare, answers}: CheckedBatch,
	output: string,
	environment: Environment,
): Promise<ExitCode> {
	const {service, tools, signal} = batch.run;
	const {connection} = service;
	const url = batchPathOf(connection);
	if (tools !== undefined) throw new ChatError('usage', '--submit cannot run tools');
	const path = pathOfSubmitted(resolve(environment.cwd, output));
	if (readSubmitted(path) !== undefined) {
		throw new ChatError('usage', `a batch for ${output} is under way`, {
			hint: `Fetch its answers with --collect, or delete ${path}.`,
		});
	}
	let submitted: Submitted = {service: redactUrl(connection.wire.url), batches: []};
	let requests: string[] = [];
	let length = 0;
	const submit = async () => {
		const lines = requests.length;
		if (lines === 0) return;
		const name = await startBatch(connection, requests.join(''), {signal});
		submitted = {...submitted, batches: [...submitted.batches, {name, lines}]};
		writeSubmitted(path, submitted, environment.createId());
		printInfo(`submitted ${plural(lines, 'line')} as ${name}`, environment);
		requests = [];
		length = 0;
	};
	for (const line of readInputLines(input.path, input.name)) {
		const prepared = await prepare(line, checked.format);
		if (answers.find(prepared.id, prepared.hash) !== undefined) continue;
		const body = JSON.parse(prepared.body);
		const request = toJsonLine({custom_id: nameRequest(prepared), method: 'POST', url, body});
		const isFull = requests.length === maxLines || length + request.length > maxLength;
		if (isFull) await submit();
		requests.push(request);
		length += request.length;
	}
	await submit();
	const isNone = submitted.batches.length === 0;
	const next = 'the same command with --collect in place of --submit fetches the answers';
	printInfo(isNone ? 'every line has an answer' : next, environment);
	return 0;
}
