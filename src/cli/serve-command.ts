/** `chat serve`: the reference service, until a signal ends it. */
import {Command, Option} from 'commander';
import type {Environment} from '../environment.ts';
import type {ExitCode} from '../errors.ts';
import {readFileBytes} from '../input/read-file-bytes.ts';
import {readNamedText} from '../input/read-named-text.ts';
import {printNotice, printText} from '../output/print.ts';
import {parseScenario} from '../server/scenario/parse-scenario.ts';
import type {Scenario} from '../server/scenario/scenario.ts';
import {type RequestLogLine, startServer} from '../server/server.ts';
import {invalidValue} from '../settings/options/merge.ts';
import {
	numberBetween,
	type Parse,
	parseDuration,
	parseName,
	ValueError,
} from '../settings/options/parsers.ts';
import {loadKeyFile} from '../settings/service/api-key.ts';
import type {ReadText} from '../settings/service/named-file.ts';
import {isLoopback} from '../settings/service/service-settings.ts';
import {parseCommand} from './option-flags.ts';

type ServeFlags = {
	readonly port: string;
	readonly host: string;
	readonly apiKeyFile?: string;
	readonly latency?: string;
	readonly rate?: string;
	readonly scenario?: string;
	readonly verbose?: true;
};

function createServeProgram(): Command {
	return new Command('chat serve')
		.usage('[options]')
		.description('Runs the reference service, a rehearsal partner for clients; it is no model.')
		.configureHelp({helpWidth: 100})
		.helpOption('-h, --help', 'this text')
		.allowExcessArguments(false)
		.addOption(
			new Option('--port <n>', 'the port to listen on; 0 takes a free one').default('8080'),
		)
		.addOption(new Option('--host <address>', 'the address to listen on').default('127.0.0.1'))
		.addOption(new Option('--api-key-file <path>', 'file of the key that clients must send'))
		.addOption(new Option('--latency <ms>', 'wait before each reply'))
		.addOption(new Option('--rate <tokens/s>', 'how fast streamed replies are written'))
		.addOption(new Option('--scenario <file>', 'YAML or JSON that scripts replies and faults'))
		.addOption(new Option('-v, --verbose', 'a line on stderr for each request'));
}

export async function runServeCommand(
	argv: readonly string[],
	environment: Environment,
): Promise<ExitCode> {
	const parsed = parseCommand(createServeProgram(), argv);
	if (parsed.type === 'print') return await printText(parsed.text, environment);
	const flags = parsed.command.opts<ServeFlags>();
	const {apiKeyFile, verbose} = flags;
	const read: ReadText = (path) => readNamedText(path, environment.cwd);
	const key = apiKeyFile === undefined ? undefined : await loadKeyFile(apiKeyFile, read);
	const options = {
		// An empty one would mean every address of this machine.
		host: readFlag('--host', flags.host, parseName),
		port: readFlag('--port', flags.port, parsePort),
		apiKey: key?.apiKey,
		latencyMs: readFlag('--latency', flags.latency ?? '0', parseLatency),
		tokensPerSecond:
			flags.rate === undefined ? undefined : readFlag('--rate', flags.rate, parseRate),
		keepsRequests: true,
		...(verbose === true
			? {onRequest: (line: RequestLogLine) => logRequest(line, environment)}
			: {}),
	};
	const scenario = await loadScenario(flags.scenario, environment);
	const stopped = waitForInterrupt(environment);
	const server = await startServer({...options, scenario});
	await printText(`${server.url}\n`, environment);
	if (key === undefined && !isLoopback(new URL(server.url).hostname)) {
		printNotice(
			{code: 'open-service', message: 'anyone who reaches this address can use the service'},
			environment,
		);
	}
	await stopped;
	await server.close();
	return 0;
}

const maxScenarioBytes = 16 * 1_048_576;

async function loadScenario(
	path: string | undefined,
	{cwd}: Environment,
): Promise<Scenario | undefined> {
	if (path === undefined) return undefined;
	const {signal} = new AbortController();
	const limits = {maxBytes: maxScenarioBytes, isPipeAllowed: true, signal};
	const bytes = await readFileBytes(path, {cwd, ...limits});
	return await parseScenario(new TextDecoder().decode(bytes), path);
}

/** Resolves at the first signal; the second one ends the process by itself. */
function waitForInterrupt(environment: Environment): Promise<void> {
	return new Promise((resolve) => {
		environment.onInterrupt(() => resolve());
	});
}

const parseRate: Parse<number> = numberBetween(0.1, 1_000_000);

const parsePort: Parse<number> = (text) => {
	const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
	if (port <= 65_535) return port;
	throw new ValueError('must be a port from 0 to 65535');
};

/** Milliseconds, or a duration with its unit. */
const parseLatency: Parse<number> = (text) =>
	parseDuration(/^\d+$/.test(text) ? `${text}ms` : text);

function readFlag<Value>(flag: string, text: string, parse: Parse<Value>): Value {
	try {
		return parse(text);
	} catch (error) {
		throw invalidValue('usage', flag, text, error);
	}
}

function logRequest(
	{method, path, status, durationMs}: RequestLogLine,
	environment: Environment,
): void {
	const outcome = status === 0 ? 'no response' : String(status);
	const message = `${method} ${path} ${outcome} ${Math.round(durationMs)} ms`;
	printNotice({code: 'trace', message}, environment);
}
