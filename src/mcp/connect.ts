/** Connects to servers with the SDK of the protocol, which is loaded with this file. */
import {
	type AuthProvider,
	Client,
	type FetchLike,
	type OAuthClientProvider,
	type PriorDiscovery,
	StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import {untilAborted} from '../abort.ts';
import type {ProcessControl, Variables} from '../environment.ts';
import {ChatError, type ErrorKind} from '../errors.ts';
import {isJsonObject, type JsonValue} from '../json.ts';
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
	return async (entry, {signal, known, onFailure}) => {
		const verdict = readVerdict(known?.protocol, deps.date());
		const protocols = chooseProtocols(entry, verdict !== undefined);
		const isAuto = protocols.includes('auto');
		return await tryProtocols(protocols, async (protocol) => {
			const channel = await openChannel(entry, deps);
			const isProgram = entry.access.type === 'program';
			// A program of the older protocol may ignore the question for the newer one.
			const probeMs = isProgram && deps.connectMs > 0 ? deps.connectMs : longestMs;
			const client = createClient(deps.version, protocol, probeMs);
			const limitMs = deps.connectMs * (isProgram ? programFactor : 1);
			await open(client, channel, {entry, protocol, limitMs, signal, onFailure});
			const isLegacy = client.getProtocolEra() === 'legacy';
			return createConnection(client, channel, {
				entry,
				known,
				protocol: isAuto && isLegacy ? (verdict ?? {era: 'legacy', since: deps.date()}) : undefined,
				now: deps.now,
				date: deps.date,
			});
		});
	};
}

/** `auto` asks for the newer protocol first. */
type Protocol = 'legacy' | 'auto';

/** Returns those to try, one after the other. */
function chooseProtocols({access, versionNegotiation}: ServerEntry, isLegacy: boolean): Protocols {
	if (access.type === 'program' && versionNegotiation !== 'auto') return ['legacy'];
	// One that has been updated may no longer speak the older protocol.
	if (isLegacy) return ['legacy', 'auto'];
	// A program may end at the first question it does not know.
	return access.type === 'program' ? ['auto', 'legacy'] : ['auto'];
}

type Protocols = readonly [Protocol, ...Protocol[]];

const hopeful: readonly ErrorKind[] = ['protocol', 'unavailable'];

async function tryProtocols<Result>(
	[first, second]: Protocols,
	attempt: (protocol: Protocol) => Promise<Result>,
): Promise<Result> {
	try {
		return await attempt(first);
	} catch (error) {
		const isHopeful = error instanceof ChatError && hopeful.includes(error.kind);
		if (second === undefined || !isHopeful) throw error;
		return await attempt(second);
	}
}

/** Kept for a month: that a server speaks the older protocol, which spares it a question. */
const verdictMs = 30 * 86_400_000;

function readVerdict(protocol: JsonValue | undefined, now: number) {
	if (!isJsonObject(protocol) || protocol['era'] !== 'legacy') return undefined;
	const {since} = protocol;
	const isRecent = typeof since === 'number' && since <= now && now - since < verdictMs;
	return isRecent ? {era: 'legacy', since} : undefined;
}

function createClient(version: string, mode: Protocol, timeoutMs: number): Client {
	return new Client(
		{name: 'chat', title: 'chat', version},
		{
			capabilities: {elicitation: {form: {}, url: {}}},
			versionNegotiation: {mode, probe: {timeoutMs}},
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
	readonly protocol: Protocol;
	/** 0: no limit. */
	readonly limitMs: number;
} & Pick<ConnectOptions, 'signal' | 'onFailure'>;

/** Leaves nothing running when it fails. */
async function open(
	client: Client,
	channel: Channel,
	{entry, protocol, limitMs, signal, onFailure}: Opening,
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
	const prior: PriorDiscovery | undefined = protocol === 'legacy' ? {kind: 'legacy'} : undefined;
	try {
		await untilAborted(
			() =>
				client.connect(channel.transport, {
					timeout: longestMs,
					signal: either,
					...(prior !== undefined && {prior}),
				}),
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
