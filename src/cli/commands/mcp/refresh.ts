/**
 * `chat mcp refresh`: connects, shows unapproved changes, and saves them after a question; `test`
 * saves nothing.
 */
import type {ExitCode} from '../../../errors.ts';
import {compareManifests} from '../../../mcp/compare-offers.ts';
import {findSaved, type Manifest, saveManifest} from '../../../mcp/manifest.ts';
import type {ServerEntry} from '../../../mcp/server-entry.ts';
import {printInfo, printText} from '../../../output/print.ts';
import {formatDuration} from '../../../wording.ts';
import {ask} from '../../ask.ts';
import {readOffer} from '../../run/tools/read-offer.ts';
import {untilInterrupted} from '../../run/until-interrupted.ts';
import {type McpRun, policyOf} from './mcp-verb.ts';
import {showText, summarizeOffer} from './show.ts';

/** @throws {ChatError} as `readOffer` does */
export async function testServer(entry: ServerEntry, run: McpRun): Promise<ExitCode> {
	const {about, changes} = await visit(entry, run);
	return await printText([...about, ...changes, ''].join('\n'), run.environment);
}

/** @throws {ChatError} as `readOffer` does; `auth` for a change without a terminal */
export async function refreshServer(entry: ServerEntry, run: McpRun): Promise<ExitCode> {
	const {environment} = run;
	const {about, changes, manifest} = await visit(entry, run);
	for (const line of about) printInfo(line, environment);
	const isAccepted =
		changes.length === 0 ||
		(await ask(policyOf('refresh', run), environment, async ({say, confirm}) => {
			for (const change of changes) await say(change);
			return await confirm('Accept this? Every tool call still asks.');
		}));
	if (isAccepted) saveManifest(entry, manifest, environment, environment.createId());
	const done = isAccepted ? `${entry.name} is up to date` : 'nothing was changed';
	printInfo(changes.length === 0 ? `nothing has changed in ${entry.name}` : done, environment);
	return 0;
}

async function visit(entry: ServerEntry, run: McpRun) {
	const {environment} = run;
	const startedAt = environment.now();
	const {manifest, protocolVersion = ''} = await untilInterrupted(environment, (signal) =>
		readOffer(entry, run, {signal}),
	);
	const time = formatDuration(environment.now() - startedAt);
	const version = protocolVersion && `, protocol ${showText(protocolVersion, 40)}`;
	return {
		manifest,
		about: [`${entry.name} answers after ${time}${version}`, summarizeOffer(manifest)],
		changes: describeNews(manifest, findSaved(entry, environment).manifest),
	};
}

/** Returns lines about everything missing from the approved offer. */
export function describeNews(present: Manifest, approved?: Manifest): readonly string[] {
	return compareManifests(approved, present).map((line) => {
		return `${line.startsWith(' ') ? '    ' : ''}${showText(line)}`;
	});
}
