/** Runs the program with a server, and a service that calls its tools. */
import type {ExitCode} from '../../src/errors.ts';
import {approveServers} from '../helpers/approve-servers.ts';
import {type HostileServer, writeServers} from '../helpers/mcp-servers.ts';
import {runChat} from '../helpers/run-chat.ts';
import {say, startScripted, type WireBody} from '../helpers/scripted-service.ts';
import {createHome} from '../helpers/settings-home.ts';

export type ToolCalls = {
	/** By their names for the server `h`, or whole. */
	readonly calls: ReadonlyArray<readonly [tool: string, values?: object]>;
	readonly argv?: readonly string[];
	readonly home?: string;
	/** Whether an earlier run in this home folder was after its approval. */
	readonly isApproved?: boolean;
	readonly variables?: Readonly<Record<string, string>>;
	/** Whether the command line allows the tools; by default it does. */
	readonly isAllowed?: boolean;
};

export type CallsResult = {
	readonly stdout: string;
	readonly stderr: string;
	readonly exitCode: ExitCode;
	/** The results that the service got. */
	readonly results: readonly string[];
	readonly bodies: readonly WireBody[];
};

export async function callTools(
	{entry}: Pick<HostileServer, 'entry'>,
	{
		calls,
		argv = [],
		home = createHome().home,
		isApproved = false,
		variables = {},
		isAllowed = true,
	}: ToolCalls,
): Promise<CallsResult> {
	const nameOf = (tool: string) => (tool.startsWith('mcp__') ? tool : `mcp__h__${tool}`);
	const replies = calls.map(([tool, values = {}], index) => [
		{call: {id: `c${index}`, name: nameOf(tool), arguments: JSON.stringify(values)}},
	]);
	const service = await startScripted(...replies, say('Done.'));
	writeServers(home, {h: entry});
	if (!isApproved) await approveServers({home, variables}, 'h');
	const names = isAllowed ? new Set(calls.map(([tool]) => nameOf(tool))) : [];
	const allowed = [...names].flatMap((name) => ['--allow-tool', name]);
	const run = await runChat(['--mcp', 'h', ...allowed, ...argv, 'p'], {
		home,
		variables: {...service.env, ...variables},
		terminals: ['stderr'],
	});
	const messages = service.bodies.at(-1)?.messages ?? [];
	const results = messages.filter(({role}) => role === 'tool').map(({content}) => String(content));
	return {...run, results, bodies: service.bodies};
}
