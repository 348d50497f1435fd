/** The document about scenarios names every key, and its example answers. */
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {ChatError} from '../../src/errors.ts';
import {parseScenario} from '../../src/server/scenario/parse-scenario.ts';
import {runChat} from '../helpers/run-chat.ts';
import {createDirectory} from '../input/input-helpers.ts';
import {play} from '../server/helpers/scenario.ts';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const text = readFileSync(`${docs}scenarios.md`, 'utf8');
const example = readFileSync(`${docs}example-scenario.yaml`, 'utf8');

const tools = JSON.stringify([
	{type: 'function', function: {name: 'get_weather', parameters: {type: 'object'}}},
]);

describe('the document', () => {
	test('has no scenario with a mistake', async () => {
		const scenarios = [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)];
		for (const [, yaml = ''] of scenarios) await parseScenario(yaml, 'scenarios.md');
		expect(scenarios.length).toBeGreaterThan(8);
	});

	test.each([
		['the file', 'zzzzzzzzzzzz: 1', 'strict: true'],
		['a rule', 'replies: [{zzzzzzzzzzzz: 1}]', 'times:'],
		['a condition', 'replies: [{when: {zzzzzzzzzzzz: 1}}]', 'nth:'],
		['a text', 'replies: [{when: {prompt: {zzzzzzzzzzzz: 1}}}]', 'flags:'],
		['a reply', 'replies: [{reply: {zzzzzzzzzzzz: 1}}]', 'chunks:'],
		['a call', 'replies: [{reply: {tool_calls: [{zzzzzzzzzzzz: 1}]}}]', 'arguments:'],
		['a fault', 'replies: [{fault: {zzzzzzzzzzzz: 1}}]', 'retry_after:'],
		['a cut', 'replies: [{fault: {cut: {zzzzzzzzzzzz: 1}}}]', 'how:'],
		['a stall', 'replies: [{fault: {stall: {zzzzzzzzzzzz: 1}}}]', 'for:'],
		['a malformed event', 'replies: [{fault: {malformed: {zzzzzzzzzzzz: 1}}}]', 'event:'],
		['an error', 'replies: [{fault: {error: {zzzzzzzzzzzz: 1}}}]', 'after_events:'],
	])('names every key of %s, and the example uses it', async (_, yaml, used) => {
		const failure = await parseScenario(yaml, 's').catch((error: unknown) => error);
		const message = failure instanceof ChatError ? failure.message : '';
		const keys = /known are (.*?)(?: \(line|$)/.exec(message)?.[1]?.split(', ') ?? [];
		expect(keys.length).toBeGreaterThan(1);
		for (const key of keys) expect(text).toMatch(new RegExp(`\`${key}\`|[{ ]${key}: `));
		expect(example).toContain(used);
	});
});

describe('the example', () => {
	test.each([
		['busy', [], 0, 'There you are.\n'],
		['Weather?', ['--tools', 'tools.json'], 0, 'get_weather {"city":"Rome"}\n'],
		['cut', [], 79, 'Once upon a time\n'],
		['stall', ['--idle-timeout', '50ms'], 79, 'Once upon\n'],
		['malformed', [], 79, 'Once upon\n'],
		['html', [], 76, ''],
		['key', [], 77, ''],
		['hang up', ['--max-retries', '0'], 69, ''],
		['anything', [], 0, 'First.\n'],
		['anything', ['--no-stream'], 0, 'First, and whole.\n'],
	])('answers %j with %j', async (prompt, flags, exitCode, stdout) => {
		const {url} = await play(example);
		const cwd = createDirectory({'tools.json': tools});
		const run = await runChat([...flags, '--', prompt], {cwd, variables: {CHAT_BASE_URL: url}});
		expect(run.exitCode).toBe(exitCode);
		expect(run.stdout).toBe(stdout);
	});
});
