/**
 * The document about scenarios says what happens. `UPDATE_DOCS=1 npx vitest run
 * test/extra/scenario-docs.test.ts` updates the output of its commands.
 */
import {readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {ChatError} from '../../src/errors.ts';
import {parseScenario} from '../../src/server/scenario/parse-scenario.ts';
import {runChat} from '../helpers/run-chat.ts';
import {runProcess} from '../helpers/run-process.ts';
import {createDirectory} from '../input/input-helpers.ts';
import {play} from '../server/helpers/scenario.ts';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const path = `${docs}scenarios.md`;
const text = readFileSync(path, 'utf8');
const example = readFileSync(`${docs}example-scenario.yaml`, 'utf8');
const shownUrl = 'http://127.0.0.1:8080';

const tools = JSON.stringify([
	{type: 'function', function: {name: 'get_weather', parameters: {type: 'object'}}},
]);

type Recipe = {readonly title: string; readonly scenario: string; readonly console: string};

const recipes = text
	.slice(text.indexOf('\n## Recipes'), text.indexOf('\n## Recorded requests'))
	.split(/\n### /)
	.slice(1)
	.map((section): Recipe => {
		const fenced = (language: string) =>
			new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(section)?.[1] ?? '';
		return {
			title: section.split('\n', 1)[0] ?? '',
			scenario: fenced('yaml'),
			console: fenced('console'),
		};
	});

/** The commands of a console example with their output, as a terminal shows them. */
async function runConsole({scenario, console}: Recipe): Promise<string> {
	const {url} = await play(scenario);
	const cwd = createDirectory({'tools.json': tools});
	let shown = '';
	for (const line of console.split('\n').filter((candidate) => candidate.startsWith('$ '))) {
		shown += `${line}\n${await runLine(line, url, cwd)}`;
	}
	return shown
		.replaceAll(url, shownUrl)
		.replace(/req_[0-9a-f]{24}/g, 'req_…')
		.replace(/in 0\.\d+ s/g, 'in 0.5 s');
}

/** As much of a shell as the examples need: `chat` with its words, one filter, the exit code. */
async function runLine(line: string, url: string, cwd: string): Promise<string> {
	const [, command = '', filter, echo] =
		/^\$ chat (.*?)(?: (\| jq .*))?(; echo "exit code \$\?")?$/.exec(line) ?? [];
	const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word);
	const argv = words.flatMap((word) => (word === undefined ? [] : [word]));
	// A person sees both outputs in one place, and a filter gets only the one that it reads.
	const outputs = filter === undefined ? '2>&1' : '2>/dev/null';
	const run = await runProcess(argv, {
		shell: `cd "$WORK_FOLDER" && exec "$@" ${outputs}`,
		variables: {CHAT_BASE_URL: url, WORK_FOLDER: cwd},
	});
	const calls =
		filter === undefined
			? []
			: JSON.parse(run.stdout).tool_calls.map((call: {arguments: string; runnable: boolean}) =>
					JSON.stringify([call.arguments, call.runnable]),
				);
	const printed = filter === undefined ? run.stdout : `${calls.join('\n')}\n`;
	return echo === undefined ? printed : `${printed}exit code ${run.code}\n`;
}

describe('a recipe', () => {
	test('is found', () => {
		expect(recipes.length).toBeGreaterThan(7);
	});

	test.each(recipes)('does what it says: $title', async (recipe) => {
		expect(recipe.scenario).not.toBe('');
		const shown = await runConsole(recipe);
		if (process.env['UPDATE_DOCS'] === '1') {
			const current = readFileSync(path, 'utf8');
			const block = `### ${recipe.title}\n`;
			const start = current.indexOf(recipe.console, current.indexOf(block));
			writeFileSync(
				path,
				current.slice(0, start) + shown + current.slice(start + recipe.console.length),
			);
			return;
		}
		expect(shown).toBe(recipe.console);
	});
});

describe('the document', () => {
	test('has no scenario with a mistake', async () => {
		const scenarios = [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)];
		for (const [, yaml = ''] of scenarios) await parseScenario(yaml, 'scenarios.md');
		expect(scenarios.length).toBeGreaterThan(recipes.length);
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
		['flaky', [], 0, 'Up.\n'],
		['Weather?', ['--tools', 'tools.json'], 0, 'get_weather {"city":"Rome"}\n'],
		['cut', [], 79, 'Once upon a time\n'],
		['pause', [], 0, /that broke\.\n$/],
		['stall', ['--idle-timeout', '50ms'], 79, 'Once upon\n'],
		['malformed', [], 79, 'Once upon\n'],
		['error', [], 79, 'Once upon a\n'],
		['endless', [], 79, /that broke\.\n$/],
		['html', [], 76, ''],
		['moved', [], 76, ''],
		['key', [], 77, ''],
		['hang up', ['--max-retries', '0'], 69, ''],
		['anything', [], 0, 'First.\n'],
		['anything', ['--no-stream'], 0, 'First, and whole.\n'],
	])('answers %j with %j', async (prompt, flags, exitCode, stdout) => {
		const {url} = await play(example);
		const cwd = createDirectory({'tools.json': tools});
		const run = await runChat([...flags, '--', prompt], {cwd, variables: {CHAT_BASE_URL: url}});
		expect(run.exitCode).toBe(exitCode);
		if (typeof stdout === 'string') expect(run.stdout).toBe(stdout);
		else expect(run.stdout).toMatch(stdout);
	});
});
