/** The servers of the other tests do what they are for, with the official client alone. */
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {describe, expect, onTestFinished, test} from 'vitest';
import {createDirectory} from '../input/input-helpers.ts';
import {
	everythingServer,
	filesystemServer,
	hostileServer,
	startEverything,
	startHostileHttp,
	type WrittenEntry,
} from './mcp-servers.ts';

async function connect(entry: WrittenEntry): Promise<Client> {
	const client = new Client(
		{name: 'test', version: '1'},
		{
			versionNegotiation: {mode: 'auto', probe: {timeoutMs: 5000}},
			capabilities: {elicitation: {form: {}}},
		},
	);
	client.setRequestHandler('elicitation/create', () => ({action: 'decline'}));
	const {url, command, args} = entry as {url?: string; command: string; args: string[]};
	const transport =
		url === undefined
			? new StdioClientTransport({command, args, stderr: 'ignore'})
			: new StreamableHTTPClientTransport(new URL(url));
	onTestFinished(() => client.close());
	await client.connect(transport);
	return client;
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({name}) => name);

describe.each([
	['over stdio', hostileServer],
	['over HTTP', startHostileHttp],
] as const)('the hostile server %s', (_name, start) => {
	test.each(['legacy', 'modern'] as const)('asks during a call in the %s protocol', async (era) => {
		const server = await start(['asks-form', 'wrong-id'], {era});
		const client = await connect(server.entry);
		expect(client.getProtocolEra()).toBe(era);
		expect(await namesOf(client)).toEqual(['echo', 'asks-form', 'wrong-id']);
		expect(await client.callTool({name: 'asks-form'})).toMatchObject({
			content: [{text: 'the client said {"action":"decline"}'}],
		});
		expect(await client.callTool({name: 'wrong-id'})).toMatchObject({content: [{text: 'right'}]});
	});
});

test('the hostile server changes its tools with its second start', async () => {
	const server = hostileServer(['vanish']);
	expect(await namesOf(await connect(server.entry))).toContain('steady');
	expect(await namesOf(await connect(server.entry))).not.toContain('steady');
});

test('the reference servers answer over stdio and HTTP', async () => {
	const folder = createDirectory({'a.txt': 'the content'});
	const files = await connect(filesystemServer(folder));
	expect(
		await files.callTool({name: 'read_text_file', arguments: {path: `${folder}/a.txt`}}),
	).toMatchObject({content: [{text: 'the content'}]});
	for (const entry of [everythingServer, await startEverything()]) {
		const echoed = {name: 'echo', arguments: {message: 'hi'}};
		expect(await (await connect(entry)).callTool(echoed)).toMatchObject({
			content: [{text: 'Echo: hi'}],
		});
	}
});
