/** `chat mcp test`: connects to a server, and reports what it is and how long that took. */
import type {ExitCode} from '../../../errors.ts';
import {printText} from '../../../output/print.ts';
import {showText, summarizeOffer} from '../../run/tools/describe-server.ts';
import {findServer} from '../../run/tools/find-server.ts';
import {readOffer} from '../../run/tools/read-offer.ts';
import {untilInterrupted} from '../../run/until-interrupted.ts';
import type {McpRun} from './mcp-verb.ts';

/** @throws {ChatError} as `readOffer` does */
export async function testServer(run: McpRun): Promise<ExitCode> {
	const {words, environment} = run;
	const entry = findServer(words[0] ?? '', environment);
	const startedAt = environment.now();
	const {manifest, protocolVersion} = await untilInterrupted(environment, (signal) =>
		readOffer(entry, run, {signal}),
	);
	const seconds = ((environment.now() - startedAt) / 1000).toFixed(2);
	const version =
		protocolVersion === undefined ? '' : `, protocol ${showText(protocolVersion, 40)}`;
	const lines = [`${entry.name} answers after ${seconds} s${version}`, summarizeOffer(manifest)];
	return await printText(`${lines.join('\n')}\n`, environment);
}
