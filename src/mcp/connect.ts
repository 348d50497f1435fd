/** Connects to servers with the protocol's SDK, which is loaded with this file. */
import {
	type AuthProvider,
	Client,
	type FetchLike,
	type OAuthClientProvider,
	ProtocolError,
} from '@modelcontextprotocol/client';
import {untilAborted} from '../abort.ts';
import type {ProcessControl, Variables} from '../environment.ts';
import {ChatError} from '../errors.ts';
import {startProcess} from '../processes/server-process.ts';
import {pickVariables} from '../processes/shared-variables.ts';
import {createRedactor, mayHoldSecret} from '../redact.ts';
import {type Channel, type Clocks, createConnection} from './client-connection.ts';
import type {Connect, ConnectOptions} from './connection.ts';
import {hideParts} from './hidden-parts.ts';
import {createHttpChannel} from './http-channel.ts';
import {findProgramProblem} from './program-problem.ts';
import type {HttpEntry, ProgramAccess, ServerEntry} from './server-entry.ts';
import {timeoutError, toServerError} from './server-error.ts';
import {createStdioChannel} from './stdio-channel.ts';

export type ConnectDeps = {
	/** `chat`'s own version, for the server. */
	readonly version: string;
	/** Variables to choose from; a program gets only a few. */
	readonly variables: Variables;
	/** Entry values that no message repeats, besides its own variables. */
	readonly secrets: readonly string[];
	/** Absolute working folder for programs. */
	readonly homedir: string;
	/** The operating system by Node's name. */
	readonly platform: string;
	readonly processes: ProcessControl;
	/** Milliseconds for a server's first answer; 0: no limit. A program has longer. */
	readonly connectMs: number;
	/** Returns the means to reach a server by HTTP: its `fetch` adds the entry's headers. */
	openHttp(entry: HttpEntry): Promise<HttpMeans>;
} & Clocks;

export type HttpMeans = {
	readonly fetch: FetchLike;
	readonly authProvider?: AuthProvider | OAuthClientProvider | undefined;
};

/** npx and similar tools install a program before starting it: they get this many times as long. */
const programFactor = 3;

export function createConnect(deps: ConnectDeps): Connect {
	return async (entry, options) => {
		const isProgram = entry.access.type === 'program';
		const limitMs = deps.connectMs * (isProgram ? programFactor : 1);
		const attempt = async (protocol: Protocol) => {
			const channel = await openChannel(entry, deps);
			const client = new Client(
				{name: 'chat', title: 'chat', version: deps.version},
				{
					capabilities: {elicitation: {form: {}, url: {}}},
					versionNegotiation: {mode: protocol},
					jsonSchemaValidator: noValidator,
				},
			);
			await open(client, channel, {server: entry.name, limitMs, ...options});
			return createConnection(client, channel, {...deps, entry});
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
 * `auto` tries the newer protocol first. Older programs may ignore that question until the time
 * limit, or end at it, so programs are asked only after refusing the older protocol.
 */
type Protocol = 'legacy' | 'auto';

/**
 * A result goes to the model unchanged, so the server's output schema changes nothing. Compiling it
 * would let the server choose how long that takes.
 */
const noValidator = {
	getValidator: () => (value: unknown) => ({
		valid: true as const,
		data: value as never,
		errorMessage: undefined,
	}),
};

async function openChannel(entry: ServerEntry, deps: ConnectDeps): Promise<Channel> {
	const {name, access} = entry;
	if (access.type === 'program') return openProgram(name, access, deps);
	const {fetch, authProvider} = await deps.openHttp({...entry, access});
	const options = {
		fetch,
		...(authProvider && {authProvider}),
		onInsufficientScope: 'throw',
	} as const;
	return createHttpChannel(access.url, options, createRedactor(deps.secrets));
}

function openProgram(name: string, access: ProgramAccess, deps: ConnectDeps): Channel {
	const {argv, variables, cwd = deps.homedir} = access;
	const problem = findProgramProblem(access, deps);
	if (problem !== undefined) {
		throw new ChatError('unavailable', `the command of the MCP server ${name} ${problem}`);
	}
	const command = {argv, variables: {...pickVariables(deps.variables), ...variables}, cwd};
	const own = Object.entries(variables).filter(([key]) => mayHoldSecret(key));
	return createStdioChannel(
		(onOutput) => startProcess({...command, onOutput}, deps.processes),
		createRedactor([...deps.secrets, ...own.map(([, value]) => value)]),
	);
}

type Opening = ConnectOptions & {
	readonly server: string;
	/** 0: no limit. */
	readonly limitMs: number;
};

/** Maximum timer delay: the SDK does not limit what follows its first question. */
const longestMs = 0x7fff_ffff;

/** Leaves nothing running on failure. */
async function open(
	client: Client,
	channel: Channel,
	{server, limitMs, signal, onFailure}: Opening,
): Promise<void> {
	const limit = limitMs === 0 ? undefined : AbortSignal.timeout(limitMs);
	const either = limit === undefined ? signal : AbortSignal.any([signal, limit]);
	channel.transport.onmessage = hideParts;
	try {
		await untilAborted(() => client.connect(channel.transport, {timeout: longestMs}), either);
	} catch (error) {
		const failure = limit?.aborted
			? timeoutError(server, limitMs, channel.describeSilence())
			: toServerError(error, server, channel);
		await channel.transport.close();
		onFailure?.(channel.log());
		signal.throwIfAborted();
		throw failure;
	}
}
