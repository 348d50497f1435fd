/** The reference server of MCP with tools of every kind: a scripted model calls each of them. */
import {expect, test} from 'vitest';
import {everythingServer, startEverything, type WrittenEntry} from '../helpers/mcp-servers.ts';
import {runProcess} from '../helpers/run-process.ts';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {createHome} from '../helpers/settings-home.ts';

/** Arguments and a part of the expected result, by the name of a tool. */
type Calls = Readonly<Record<string, readonly [values: object, result: RegExp]>>;

const everythingCalls: Calls = {
	echo: [{message: 'hi'}, /Echo: hi/],
	'get-annotated-message': [{messageType: 'error'}, /Error/],
	'get-env': [{}, /HOME/],
	'get-resource-links': [{count: 2}, /demo:\/\/resource/],
	'get-resource-reference': [{resourceType: 'Text', resourceId: 1}, /Resource 1/],
	'get-structured-content': [{location: 'Chicago'}, /temperature/],
	'get-sum': [{a: 2, b: 3}, /5/],
	'get-tiny-image': [{}, /image/],
	'gzip-file-as-resource': [
		{name: 'a.gz', data: 'data:text/plain,hi', outputType: 'resourceLink'},
		/a\.gz/,
	],
	'toggle-simulated-logging': [{}, /Started/],
	'toggle-subscriber-updates': [{}, /Started/],
	'trigger-elicitation-request': [{}, /decline/],
	'trigger-long-running-operation': [{duration: 0.2, steps: 2}, /completed/],
	'trigger-url-elicitation': [{url: 'https://example.com/', message: 'Go.'}, /decline/],
};

/** Adds a server, and lets the model call each of its tools, one after the other. */
async function expectCalls(source: readonly string[], calls: Calls) {
	const variables = {HOME: createHome().home};
	const added = await runProcess(['mcp', 'add', 'r', '--yes', ...source], {variables});
	expect(added).toMatchObject({code: 0});
	const {stdout} = await runProcess(['mcp', 'show', 'r', '-o', 'json'], {variables});
	const {tools}: {readonly tools: ReadonlyArray<{readonly name: string}>} = JSON.parse(stdout);
	const names = Object.keys(calls);
	expect(tools.map(({name}) => name).sort()).toEqual([...names].sort());
	const replies = names.map((name) => {
		const call = {id: name, name: `mcp__r__${name}`, arguments: JSON.stringify(calls[name]?.[0])};
		return [{call}];
	});
	const service = await startScripted(...replies, say('Done.'));
	const run = await runProcess(['--mcp', 'r', '--allow-tool', 'mcp__r__*', 'go'], {
		variables: {...variables, ...service.env},
	});
	expect(run).toMatchObject({code: 0, stdout: 'Done.\n'});
	const results = (service.bodies.at(-1)?.messages ?? []).filter(({role}) => role === 'tool');
	const wrong = names.flatMap((name, index) => {
		const text = JSON.stringify(results[index]?.content);
		return calls[name]?.[1].test(text) ? [] : [`${name}: ${text}`];
	});
	expect(wrong).toEqual([]);
}

function commandOf({command, args}: WrittenEntry): readonly string[] {
	return ['--', String(command), ...(args as readonly string[])];
}

test('server-everything over stdio', async () => {
	await expectCalls(commandOf(everythingServer), everythingCalls);
});

test('server-everything over HTTP', async () => {
	const {url} = await startEverything();
	await expectCalls(['--url', String(url)], everythingCalls);
});
