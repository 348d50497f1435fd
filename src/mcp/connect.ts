/** Connects to servers with the SDK of the protocol, which is loaded with this file. */
import {
	type AuthProvider,
	Client,
	type FetchLike,
	type OAuthClientProvider,
	ProtocolError,
	StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import {untilAborted} from '../abort.ts';
import type {ProcessControl, Variables} from '../environment.ts';
import {ChatError} from '../errors.ts';
import {startProcess} from '../processes/server-process.ts';
import {pickVariables} from '../processes/shared-variables.ts';
import {createRedactor, mayHoldSecret} from '../redact.ts';
import {type Channel, type Clocks, createConnection, longestMs} from './client-connection.ts';
import type {Connect, ConnectOptions} from './connection.ts';
import {createHttpChannel} from './http-channel.ts';
import {findProgramProblem} from './program-problem.ts';
import type {HttpEntry, ProgramAccess, ServerEntry} from './server-entry.ts';
import {toServerError} from './server-error.ts';
import {createStdioChannel} from './stdio-channel.ts';

export type ConnectDeps = {
	/** Of `chat` itself, for the server. */
	readonly version: string;
	/** The variables to choose from; a program gets only some of them. */
	readonly variables: Variables;
	/** Values in the entry that no message repeats, besides those of its own variables. */
	readonly secrets: readonly string[];
	/** Absolute; the working folder of programs. */
	readonly homedir: string;
	/** The operating system by Node's name. */
	readonly platform: string;
	readonly processes: ProcessControl;
	/** For the first answer of a server, in milliseconds; 0: no limit. A program has longer. */
	readonly connectMs: number;
	/** Returns what reaches a server by HTTP: its `fetch` adds the headers of the entry. */
	openHttp(entry: HttpEntry): Promise<HttpMeans>;
} & Clocks;

export type HttpMeans = {
	readonly fetch: FetchLike;
	readonly authProvider?: AuthProvider | OAuthClientProvider | undefined;
};

/** npx and its like install a program before they start it: that takes this many times as long. */
const programFactor = 3;

export function createConnect(deps: ConnectDeps): Connect {
	return async (entry, options) => {
		const isProgram = entry.access.type === 'program';
		const attempt = async (protocol: Protocol) => {
			const channel = await openChannel(entry, deps);
			const client = createClient(deps.version, protocol);
			const limitMs = deps.connectMs * (isProgram ? programFactor : 1);
			await open(client, channel, {entry, limitMs, ...options});
			return createConnection(client, channel, {entry, now: deps.now, date: deps.date});
		};
		if (!isProgram) return await attempt('auto');
		try {
			return await attempt('legacy');
		} catch (error) {
			const isRefused = error instanceof ChatError && error.details.cause instanceof ProtocolError;
			if (!isRefused) throw error;
			return await attempt('auto');
		}
	};
}

/**
 * `auto` asks for the newer protocol first. Programs of the older one may ignore that question until the
 * time limit, or end at it, so they are asked only when they have refused the older protocol.
 */
type Protocol = 'legacy' | 'auto';

function createClient(version: string, mode: Protocol): Client {
	return new Client(
		{name: 'chat', title: 'chat', version},
		{
			capabilities: {elicitation: {form: {}, url: {}}},
			versionNegotiation: {mode},
			// A result goes to the model as it is, so the schema that a server promises for it changes
			// nothing. Compiling it would let the server choose how long that takes.
			jsonSchemaValidator: {
				getValidator: () => (value) => ({
					valid: true,
					data: value as never,
					errorMessage: undefined,
				}),
			},
		},
	);
}

async function openChannel(entry: ServerEntry, deps: ConnectDeps): Promise<Channel> {
	const {access} = entry;
	switch (access.type) {
		case 'program':
			return openProgram(entry, access, deps);
		case 'http':
			return await openHttp({...entry, access}, deps);
		default:
			return access satisfies never;
	}
}

function openProgram({name}: ServerEntry, access: ProgramAccess, deps: ConnectDeps): Channel {
	const {argv, variables, cwd = deps.homedir} = access;
	const {secrets, processes} = deps;
	const given = {...pickVariables(deps.variables), ...variables};
	const problem = findProgramProblem(access, deps);
	if (problem !== undefined) {
		throw new ChatError('unavailable', `the command of the MCP server ${name} ${problem}`);
	}
	const own = Object.entries(variables).filter(([key]) => mayHoldSecret(key));
	return createStdioChannel(
		(onOutput) => startProcess({argv, variables: given, cwd, onOutput}, processes),
		createRedactor([...secrets, ...own.map(([, value]) => value)]),
	);
}

async function openHttp(entry: HttpEntry, deps: ConnectDeps): Promise<Channel> {
	const {fetch, authProvider} = await deps.openHttp(entry);
	const transport = new StreamableHTTPClientTransport(new URL(entry.access.url), {
		fetch,
		...(authProvider !== undefined && {authProvider}),
		onInsufficientScope: 'throw',
	});
	return createHttpChannel(transport, createRedactor(deps.secrets));
}

type Opening = {
	readonly entry: ServerEntry;
	/** 0: no limit. */
	readonly limitMs: number;
} & Pick<ConnectOptions, 'signal' | 'onFailure'>;

/** Leaves nothing running when it fails. */
async function open(
	client: Client,
	channel: Channel,
	{entry, limitMs, signal, onFailure}: Opening,
): Promise<void> {
	const limit = new AbortController();
	const timer =
		limitMs === 0
			? undefined
			: setTimeout(() => {
					const message = `the MCP server ${entry.name} did not answer within ${limitMs / 1000} s`;
					limit.abort(new ChatError('timeout', message + channel.describeSilence()));
				}, limitMs);
	const either = AbortSignal.any([signal, limit.signal]);
	try {
		await untilAborted(
			() => client.connect(channel.transport, {timeout: longestMs, signal: either}),
			either,
		);
	} catch (error) {
		const failure = either.aborted ? error : toServerError(error, entry.name, channel);
		await channel.transport.close();
		onFailure?.(channel.log());
		throw failure;
	} finally {
		clearTimeout(timer);
	}
}
