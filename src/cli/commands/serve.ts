/** `chat serve`: runs the built-in service until a signal ends it. */
import {once} from 'node:events';
import type {Environment} from '../../environment.ts';
import type {ExitCode} from '../../errors.ts';
import {createTextReader, readFileBytes} from '../../input/read-bytes.ts';
import {isLoopback} from '../../loopback.ts';
import {printInfo, printText, printTrace} from '../../output/print.ts';
import {parseScenario} from '../../server/scenario/parse-scenario.ts';
import type {Scenario} from '../../server/scenario/scenario-schema.ts';
import {type RequestLogLine, startServer} from '../../server/server.ts';
import {inGroup, option, optional, toggle} from '../../settings/options/option-row.ts';
import {
	numberBetween,
	type Parse,
	parseDuration,
	parseName,
	parseText,
	ValueError,
} from '../../settings/options/parsers.ts';
import {keyInFile} from '../../settings/service/api-key.ts';
import {mebibyte} from '../../wording.ts';
import {type Command, type Invocation, readFlags} from '../command-line/command.ts';
import {untilInterrupted} from '../run/until-interrupted.ts';

const parsePort: Parse<number> = (text) => {
	const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
	if (port <= 65_535) return port;
	throw new ValueError('must be a port from 0 to 65535');
};

/** Milliseconds, or a duration with its unit. */
const parseLatency: Parse<number> = (text) =>
	parseDuration(/^\d+$/.test(text) ? `${text}ms` : text);

/** An origin in the browsers' spelling, or `*`. */
const parseOrigin: Parse<string> = (text) => {
	const origin = URL.canParse(text) ? new URL(text).origin : 'null';
	if (text === '*' || (origin !== 'null' && [origin, `${origin}/`].includes(text.toLowerCase()))) {
		return text === '*' ? text : origin;
	}
	throw new ValueError('must be an origin such as http://localhost:5173, or *');
};

const serveRows = inGroup('Options', {
	port: option(parsePort, {
		flags: ['--port <n>'],
		summary: 'port to listen on; 0 for a free one',
		defaultValue: 8080,
	}),
	// Never empty: an empty host would mean all local addresses.
	host: option(parseName, {
		flags: ['--host <address>'],
		summary: 'address to listen on',
		defaultValue: '127.0.0.1',
	}),
	apiKeyFile: optional(parseText, {
		flags: ['--api-key-file <path>'],
		values: 'files',
		summary: 'file with the API key required from clients',
	}),
	cors: optional(parseOrigin, {
		flags: ['--cors <origin>'],
		summary: 'origin of web pages allowed to use it, or * for all',
	}),
	latency: option(parseLatency, {
		flags: ['--latency <ms>'],
		summary: 'delay before each reply',
		defaultValue: 0,
	}),
	rate: optional(numberBetween(0.1, 1_000_000), {
		flags: ['--rate <tokens/s>'],
		summary: 'speed of streamed replies',
	}),
	scenario: optional(parseText, {
		flags: ['--scenario <file>'],
		values: 'files',
		summary: 'YAML or JSON file of scripted replies and faults',
	}),
	verbose: toggle(false, {
		flags: ['-v, --verbose'],
		summary: 'log each request to stderr',
	}),
});

export const serve: Command = {
	name: 'serve',
	description: 'Runs the built-in service for other clients. It answers by rules; it has no model.',
	flags: serveRows,
	bare: {args: '', summary: '', run: runService},
	verbs: {},
	advise: (word) =>
		/^\d{1,5}$/.test(word) ? `Did you mean chat serve --port ${word}?` : undefined,
};

async function runService({flags, environment}: Invocation): Promise<ExitCode> {
	const {port, host, apiKeyFile, cors, latency, rate, scenario, verbose} = readFlags(
		serveRows,
		flags,
	);
	const readText = createTextReader(environment.cwd);
	const key = apiKeyFile === undefined ? undefined : await keyInFile(apiKeyFile).read({readText});
	const options = {
		host,
		port,
		apiKey: key,
		corsOrigin: cors,
		latencyMs: latency,
		tokensPerSecond: rate,
		scenario: await loadScenario(scenario, environment),
		...(verbose ? {onRequest: (line: RequestLogLine) => logRequest(line, environment)} : {}),
	};
	return await untilInterrupted<ExitCode>(environment, async (signal) => {
		const server = await startServer(options);
		await printText(`${server.url}\n`, environment);
		if (key === undefined && !isLoopback(new URL(server.url).hostname)) {
			printInfo('anyone who reaches this address can use the service', environment);
		}
		if (!signal.aborted) await once(signal, 'abort');
		await server.close();
		return 0;
	});
}

const maxScenarioBytes = 16 * mebibyte;

async function loadScenario(
	path: string | undefined,
	{cwd}: Environment,
): Promise<Scenario | undefined> {
	if (path === undefined) return undefined;
	const bytes = await readFileBytes(path, maxScenarioBytes, {cwd});
	return await parseScenario(new TextDecoder().decode(bytes), path);
}

function logRequest(
	{method, path, status, durationMs}: RequestLogLine,
	environment: Environment,
): void {
	const outcome = status === 0 ? 'no response' : String(status);
	const message = `${method} ${path} ${outcome} ${Math.round(durationMs)} ms`;
	printTrace(message, environment);
}
