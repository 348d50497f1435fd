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
import {loadKeyFile} from '../../settings/service/api-key.ts';
import {mebibyte} from '../../wording.ts';
import type {CommandLine} from '../command-line/parse-argv.ts';
import {readFlags} from '../command-line/read-flags.ts';
import {serveRows} from '../command-line/serve-options.ts';
import {untilInterrupted} from '../run/until-interrupted.ts';

export async function runServeCommand(
	{flags}: CommandLine,
	environment: Environment,
): Promise<ExitCode> {
	const {port, host, apiKeyFile, latency, rate, scenario, verbose} = readFlags(serveRows, flags);
	const read = createTextReader(environment.cwd);
	const key = apiKeyFile === undefined ? undefined : await loadKeyFile(apiKeyFile, read);
	const options = {
		host,
		port,
		apiKey: key?.apiKey,
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
