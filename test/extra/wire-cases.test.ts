/** Wire cases, one of each group and the compressed one, through the built command. */
import {describe, expect, it} from 'vitest';
import {parseResult} from '../helpers/json-output.ts';
import {startReplayServer} from '../helpers/replay-server.ts';
import {runProcess} from '../helpers/run-process.ts';
import {
	baseUrlOf,
	loadWireCases,
	type WireCase,
	type WireExpectation,
} from '../helpers/wire-cases.ts';
import {findDeviations} from '../helpers/wire-outcome.ts';

/** Extra time for the start and the end of Node. */
const startMs = 3000;

function wordsOf({settings, isStreaming}: WireCase): readonly string[] {
	return [
		...['--output', 'json', '--connect-timeout', '1m'],
		...['--max-retries', String(settings.maxRetries)],
		...['--idle-timeout', `${settings.idleMs}ms`],
		...['--payload-timeout', `${settings.payloadMs}ms`],
		...['--finish-grace', `${settings.finishGraceMs}ms`],
		...(isStreaming ? [] : ['--no-stream']),
		'Hello?',
	];
}

type Run = {readonly stdout: string; readonly stderr: string; readonly code: number | null};

type RunWords = (words: readonly string[], variables: Record<string, string>) => Promise<Run>;

/** Finds the differences between the expected result and exit code and the actual ones. */
async function findFaults(wireCase: WireCase, run: RunWords): Promise<readonly string[]> {
	const server = await startReplayServer(wireCase.replies);
	try {
		const startedAt = performance.now();
		const {stdout, stderr, code} = await run(wordsOf(wireCase), {
			CHAT_BASE_URL: baseUrlOf(wireCase, server.url).href,
			CHAT_MODEL: 'MODEL-5.6-sol',
		});
		const totalMs = performance.now() - startedAt - startMs;
		const result = parseResult(stdout);
		const {error} = result;
		const deviations = findDeviations(wireCase, {
			content: result.content,
			refusal: result.refusal ?? '',
			reasoning: result.reasoning,
			toolCalls: result.tool_calls.map((call) => ({
				callId: call.id,
				name: call.name,
				arguments: call.arguments,
				isRunnable: call.runnable,
			})),
			finishReason: result.finish_reason,
			usage: result.usage,
			errorText: error === null ? undefined : `${error.message}\n${error.hint ?? ''}`,
			isComplete: result.complete,
			isTruncated: error !== null && (error.kind === 'incomplete' || result.content !== ''),
			requests: [...server.requests],
			totalMs,
		});
		const isRight = isCodeRight(wireCase.expect, code);
		return isRight ? deviations : [...deviations, `exit code ${code}: ${stderr}`];
	} finally {
		await server.close();
	}
}

function isCodeRight({error, refusal = ''}: WireExpectation, code: number | null): boolean {
	if (error === true) return code !== 0;
	if (refusal !== '') return code === 79;
	return error === null || code === 0 || code === 79;
}

const cases = loadWireCases();

/** The case whose code the bundle loads lazily. */
const compressed = 'C029';

const ofEachGroup = cases.filter(
	({id, group}, index) => id === compressed || group !== cases[index - 1]?.group,
);

describe.concurrent('the built command', () => {
	it.for(ofEachGroup)('makes of $id $name what is expected', async (wireCase, {onTestFinished}) => {
		const faults = await findFaults(wireCase, (words, variables) =>
			runProcess(words, {variables, onFinished: onTestFinished}),
		);
		expect(faults, wireCase.why).toEqual([]);
	});
});
