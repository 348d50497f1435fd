/** The tools of a running server as a source. The server misbehaves, in this process. */
import {describe, expect, onTestFinished, test} from 'vitest';
import {declineElicitation} from '../../src/chat/elicitation.ts';
import type {Tool} from '../../src/chat/tool.ts';
import {outputText} from '../../src/chat/tool-output.ts';
import {runnableTools} from '../../src/chat/tool-sources.ts';
import {openServers} from '../../src/mcp/open-servers.ts';
import type {Servers} from '../../src/mcp/server.ts';
import {startHostileHttp} from '../helpers/mcp-servers.ts';
import {createTestConnect, entryOf, neverAborted} from './connect-to.ts';

/** Opens a server after its user has approved what it offered. */
async function open(...[behaviours, options]: Parameters<typeof startHostileHttp>) {
	const entry = entryOf((await startHostileHttp(behaviours, options)).entry);
	const connect = createTestConnect();
	const connection = await connect(entry, {signal: neverAborted});
	const manifest = await connection.readManifest(neverAborted);
	await connection.close();
	const servers = openServers([entry], {
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

function pick({tools}: Servers, name: string): Tool {
	const tool = runnableTools(tools.tools).find(({definition}) => definition.name === name);
	if (tool === undefined) throw new Error(`there is no tool ${name}`);
	return tool;
}

async function run(servers: Servers, name: string): Promise<string> {
	await pick(servers, name).prepare?.(neverAborted);
	const tool = pick(servers, name);
	return outputText(await tool.run({text: 'x'}, neverAborted, declineElicitation));
}

describe('a hostile server', () => {
	test.each([
		['legacy', 'list'],
		['modern', 'call'],
	] as const)('cannot hide a change (%s protocol, at its %s)', async (era, when) => {
		const servers = await open(['change-description'], {era, when});
		const steady = 'mcp__tested__steady';
		const before = pick(servers, steady);
		await run(servers, steady);
		await expect
			.poll(async () => {
				await before.prepare?.(neverAborted);
				return pick(servers, steady).origin;
			})
			.not.toEqual(before.origin);
		const late = await before.run({text: 'b'}, neverAborted, declineElicitation);
		expect(outputText(late)).toBe('This call was not run: the tool has changed since.');
	});

	test('offers tools that services accept, whose checks and calls end', async () => {
		const schemas = ['deep-schema=200', 'ref-cycle', 'broken-schema', 'proto-schema'];
		const servers = await open([
			...['odd-names', 'duplicate-names', 'wrong-types', 'other-dialect', ...schemas],
			'remote-ref=https://evil.example/x',
		]);
		const tools = runnableTools(servers.tools.tools);
		const names = tools.map(({definition}) => definition.name);
		expect(names.filter((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(name))).toEqual([]);
		expect(new Set(names).size).toBe(names.length);
		expect(names).toContain('mcp__tested__echo');
		await Promise.all(tools.map((tool) => tool.check({text: `${'a'.repeat(40)}!`})));
		for (const name of names) expect(await run(servers, name), name).not.toBe('');
	});
});
