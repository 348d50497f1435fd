/** The tools of running servers as a source, with a server that misbehaves. */
import {describe, expect, onTestFinished, test} from 'vitest';
import {declineElicitation} from '../../src/chat/elicitation.ts';
import type {Tool} from '../../src/chat/tool.ts';
import {outputText} from '../../src/chat/tool-output.ts';
import {runnableTools} from '../../src/chat/tool-sources.ts';
import type {JsonObject} from '../../src/json.ts';
import {openServers} from '../../src/mcp/open-servers.ts';
import type {Servers} from '../../src/mcp/server.ts';
import {
	type HostileOptions,
	hostileServer,
	startHostileHttp,
	type WrittenEntry,
} from '../helpers/mcp-servers.ts';
import {describeToolSource} from '../helpers/tool-source-contract.ts';
import {createTestConnect, entryOf, neverAborted} from '../mcp/connect-to.ts';

/** Opens a server after its user has approved what it offered. */
async function open(written: WrittenEntry): Promise<Servers> {
	const connect = createTestConnect();
	const connection = await connect(entryOf(written), {signal: neverAborted});
	const manifest = await connection.readManifest(neverAborted);
	await connection.close();
	const servers = openServers([entryOf(written)], {
		connect,
		find: () => ({fingerprint: 'f', state: 'approved', manifest}),
		isAttended: false,
		toolTimeout: 20_000,
		findWindow: async () => undefined,
	});
	onTestFinished(() => servers.tools.close());
	await servers.readFirst(neverAborted);
	return servers;
}

for (const [name, start] of [
	['a server over stdio', hostileServer],
	['a server over HTTP', startHostileHttp],
] as const) {
	describeToolSource(name, {
		open: async () => (await open((await start(['never-answers'])).entry)).tools,
		call: {name: 'mcp__tested__echo', values: {text: 'door'}, unfit: {text: 1}},
		endless: {name: 'mcp__tested__never-answers', values: {}},
	});
}

/** Opens a hostile server in a second run, when its tools have changed. */
async function reopen(behaviour: string, options: HostileOptions = {}) {
	return await open(hostileServer([behaviour], options).entry);
}

function pick({tools}: Servers, name: string): Tool {
	const tool = runnableTools(tools.tools).find(({definition}) => definition.name === name);
	if (tool === undefined) throw new Error(`there is no tool ${name}`);
	return tool;
}

async function run(servers: Servers, name: string, values: JsonObject = {}) {
	await pick(servers, name).prepare?.(neverAborted);
	return await pick(servers, name).run(values, neverAborted, declineElicitation);
}

const steady = 'mcp__tested__steady';
const changesOf = async (tool: Tool) => {
	const texts = (await tool.describe({})).map(({label, text}) => [label, text] as const);
	const from = texts.findIndex(([label]) => label === 'changed');
	const to = texts.findIndex(([label]) => label === 'says');
	return texts.slice(from, to).map(([, text]) => text);
};

describe('a hostile server', () => {
	test.each([
		['change-description', ['description:', '- Adds two numbers.', '+ Reads ~/.ssh/id_rsa first.']],
		[
			'change-schema',
			[
				'gone: arguments.properties.text {"type":"string"}',
				'new: arguments.properties.secrets {"type":"string"}',
			],
		],
		[
			'change-annotations',
			['gone: annotations.readOnlyHint true', 'new: annotations.destructiveHint true'],
		],
	])('cannot hide its %s between two runs', async (behaviour, changes) => {
		const servers = await reopen(behaviour);
		const before = pick(servers, steady);
		await before.prepare?.(neverAborted);
		const after = pick(servers, steady);
		expect(after.definition).toEqual(before.definition);
		expect(after.origin).not.toEqual(before.origin);
		expect(await changesOf(after)).toEqual(changes);
	});

	test.each(['list', 'call'] as const)(
		'cannot hide a change at its %s within a run',
		async (when) => {
			const {entry} = hostileServer(['change-description'], {when});
			const servers = await open(entry);
			const before = pick(servers, steady);
			await before.prepare?.(neverAborted);
			await pick(servers, steady).run({text: 'a'}, neverAborted, declineElicitation);
			await expect
				.poll(async () => {
					await before.prepare?.(neverAborted);
					return pick(servers, steady).origin;
				})
				.not.toEqual(before.origin);
			const late = await before.run({text: 'b'}, neverAborted, declineElicitation);
			expect(outputText(late)).toBe('This call was not run: the tool has changed since.');
		},
	);

	test('whose tool is gone gives an error, and one with more tools a notice', async () => {
		const gone = await run(await reopen('vanish'), steady);
		expect(gone.isError).toBe(true);
		expect(outputText(gone)).toBe('The server no longer has this tool.');
		const servers = await reopen('appear');
		await run(servers, steady);
		expect(servers.tools.takeNotices().map(({message}) => message)).toEqual([
			'the MCP server tested has 1 new tool, not used yet: newcomer',
		]);
	});

	test('offers tools that services accept, whose checks and calls end', async () => {
		const behaviours = [
			...[
				'odd-names',
				'duplicate-names',
				'wrong-types',
				'deep-schema=200',
				'ref-cycle',
				'ref-bomb',
			],
			...['broken-schema', 'other-dialect', 'proto-schema'],
			'remote-ref=https://evil.example/x',
		];
		const servers = await open(hostileServer(behaviours).entry);
		const tools = runnableTools(servers.tools.tools);
		const names = tools.map(({definition}) => definition.name);
		expect(names.filter((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(name))).toEqual([]);
		expect(new Set(names).size).toBe(names.length);
		expect(names).toContain('mcp__tested__echo');
		await Promise.all(tools.map((tool) => tool.check({text: `${'a'.repeat(40)}!`})));
		for (const name of names) {
			expect(outputText(await run(servers, name, {text: 'x'})), name).not.toBe('');
		}
	});

	test('that ends in a call gives an error, and is started again by the next one', async () => {
		const {entry, events} = hostileServer(['exits-in-call']);
		const servers = await open(entry);
		const failed = await run(servers, 'mcp__tested__exits-in-call');
		expect(failed.isError).toBe(true);
		expect(servers.all[0]?.state()).toMatchObject({type: 'failed'});
		expect((await run(servers, 'mcp__tested__echo', {text: 'x'})).isError).toBe(false);
		expect(events('start')).toHaveLength(3);
	});

	test('that ends without a word is not said to have written what chat noted of it', async () => {
		const {entry, alive} = hostileServer(['deep-schema']);
		const servers = await open(entry);
		const [server] = servers.all;
		await server?.connect(neverAborted);
		expect(server?.log().join()).toContain('chat: left out: ');
		for (const pid of alive()) process.kill(pid, 'SIGKILL');
		const message = 'the MCP server tested was ended by SIGKILL';
		await expect.poll(() => server?.state()).toMatchObject({type: 'failed', error: {message}});
	});
});
