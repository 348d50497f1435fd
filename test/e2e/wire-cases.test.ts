/** Every wire case through the command as a process, read from its JSON output. */
import {describe, expect, it} from 'vitest';
import {parseResult} from '../helpers/json-output.ts';
import {startReplayServer} from '../helpers/replay-server.ts';
import {loadWireCases, type WireCase} from '../helpers/wire-cases.ts';
import {findDeviations} from '../helpers/wire-outcome.ts';
import {runProcess} from './run-process.ts';

/** To Node's start and end, beyond what the case itself may take. */
const startMs = 3000;

function flagsOf({settings, isStreaming}: WireCase): readonly string[] {
	return [
		...['--output', 'json', '--connect-timeout', '2s'],
		...['--max-retries', String(settings.maxRetries)],
		...['--idle-timeout', `${settings.idleMs}ms`],
		...['--payload-timeout', `${settings.payloadMs}ms`],
		...['--finish-grace', `${settings.finishGraceMs}ms`],
		...(isStreaming ? [] : ['--no-stream']),
	];
}

const cases = loadWireCases();

describe.concurrent('the command', () => {
	it.for(cases)('makes of $id $name what is expected', async (wireCase, {onTestFinished}) => {
		const server = await startReplayServer(wireCase.replies);
		onTestFinished(() => server.close());
		const startedAt = performance.now();
		const {stdout, stderr, code} = await runProcess([...flagsOf(wireCase), 'Hello?'], {
			variables: {CHAT_BASE_URL: server.url.href},
			onFinished: onTestFinished,
		});
		const result = parseResult(stdout);
		const {error} = result;
		const outcome = {
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
			totalMs: performance.now() - startedAt - startMs,
		};
		expect(findDeviations(wireCase, outcome), `${wireCase.why}\n${stderr}`).toEqual([]);
		const {expect: wanted} = wireCase;
		if (wanted.isError === true) expect(code).not.toBe(0);
		else if (wanted.refusal !== '') expect(code).toBe(79);
		else if (wanted.isError === false) expect([0, 79]).toContain(code);
	});
});
