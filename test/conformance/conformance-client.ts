/** The built program as a client of a conformance scenario: adds the server, and calls its tools. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {runProcess} from '../helpers/run-process.ts';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {createHome} from '../helpers/settings-home.ts';
import {openTerminal} from '../helpers/terminal.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';
import type {Task} from './referee.ts';

type Tool = {readonly name: string; readonly inputSchema: Schema};

type Schema = {
	readonly type?: string | readonly string[];
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly const?: unknown;
	readonly enum?: readonly unknown[];
	readonly default?: unknown;
};

type Call = {readonly name: string; readonly arguments: object};

/** Follows each page, as a browser does. */
const browser = `#!/usr/bin/env node
fetch(process.argv[2]).then((reply) => reply.text());
`;

/** The client document that hosts of the suite know. */
const clientDocument = 'https://conformance-test.local/client-metadata.json';

const rows = 40;

/** Plays a scenario. Returns the exit code of the last command. */
export async function playScenario(scenario: string, {url, context}: Task): Promise<number> {
	const {home} = createHome();
	const bin = join(home, 'bin');
	mkdirSync(bin);
	writeFileSync(join(bin, 'xdg-open'), browser, {mode: 0o755});
	const variables = {
		HOME: home,
		PATH: `${bin}:${process.env['PATH']}`,
		DISPLAY: ':9',
		CHAT_PLAIN: '1',
		CLIENT_SECRET: context.client_secret ?? '',
	};
	const run = async (...argv: readonly string[]) => {
		const terminal = await openTerminal({argv, env: variables, columns: 120, rows});
		return await answerAll(terminal);
	};
	const added = await run('mcp', 'add', 'conf', '--url', url, ...clientOptions(scenario, context));
	if (added !== 0) return added;
	const {stdout} = await runProcess(['mcp', 'show', 'conf', '-o', 'json'], {variables});
	const {tools}: {readonly tools: readonly Tool[]} = JSON.parse(stdout);
	const calls = (context.toolCalls ?? tools.map((tool) => callOf(tool, tools))).filter(({name}) =>
		tools.some((tool) => tool.name === name),
	);
	const ask = async () => {
		const replies = calls.map((call, index) => [
			{
				call: {
					id: `call_${index}`,
					name: `mcp__conf__${call.name}`,
					arguments: JSON.stringify(call.arguments),
				},
			},
		]);
		const {env} = await startScripted(...replies, say('Done.'));
		const approvals = calls.length > 0 ? ['--allow-tool', 'mcp__conf__*'] : [];
		const base = ['--base-url', env.CHAT_BASE_URL, '--model', 'scripted'];
		return await run(...base, '--mcp', 'conf', ...approvals, 'go');
	};
	const answered = await ask();
	if (answered === 0) return 0;
	// It was denied: the login asks for the rights that the server has named.
	const loggedIn = await run('mcp', 'login', 'conf');
	return loggedIn === 0 ? await ask() : loggedIn;
}

function clientOptions(scenario: string, {client_id: id, client_secret: secret}: Task['context']) {
	if (scenario === 'auth/basic-cimd') return ['--client-id', clientDocument];
	if (id === undefined) return [];
	return [
		'--client-id',
		id,
		...(secret === undefined ? [] : ['--client-secret', '${CLIENT_SECRET}']),
	];
}

/** Agrees to each question, and keeps the default of each field. Returns the exit code. */
async function answerAll(terminal: TestTerminal): Promise<number> {
	let code: number | undefined;
	void terminal.exit.then(({exitCode}) => {
		code = exitCode;
	});
	let answered = -1;
	/** The line of the cursor, if it asks: without colours, an answer follows a word and a colon. */
	const findQuestion = () => {
		const lines = terminal.scrollback();
		const {x, y} = terminal.cursor();
		const index = lines.length - rows + y;
		const line = (lines[index] ?? '').trimEnd();
		return index > answered && /^\w+:$/.test(line) && x > line.length ? {index, line} : undefined;
	};
	for (;;) {
		await terminal.until(() => code !== undefined || findQuestion() !== undefined);
		const question = findQuestion();
		if (question === undefined) return code ?? 1;
		answered = question.index;
		// The first choice agrees, or is the default of the scenarios.
		terminal.type(question.line === 'Number:' ? '1\r' : '\r');
	}
}

/** Makes a call with an example of each argument that a tool needs. */
function callOf({name, inputSchema}: Tool, tools: readonly Tool[]): Call {
	const {properties = {}, required = []} = inputSchema;
	const entries = required.map((key) => [key, exampleOf(properties[key] ?? {})]);
	// It is to get the schema of another tool, as it arrived.
	if (name === 'json_schema_echo') {
		const schema = tools.find((tool) => tool.name === 'json_schema_2020_12_tool')?.inputSchema;
		return {name, arguments: {schema}};
	}
	return {name, arguments: Object.fromEntries(entries)};
}

const examples: Readonly<Record<string, unknown>> = {
	string: 'x',
	integer: 1,
	number: 1.5,
	boolean: true,
	array: [],
	null: null,
};

function exampleOf({type = 'object', ...schema}: Schema): unknown {
	const [first = 'object'] = [type].flat();
	return schema.const ?? schema.enum?.[0] ?? schema.default ?? examples[first] ?? {};
}
