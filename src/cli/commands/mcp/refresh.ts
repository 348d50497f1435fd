/** `chat mcp test` and `refresh`: connect to a server, and show what it offers or what has changed. */

import type {ExitCode} from '../../../errors.ts';
import {compareTools} from '../../../mcp/compare-tools.ts';
import {canonicalText} from '../../../mcp/fingerprint.ts';
import {findSaved, type Manifest, saveManifest} from '../../../mcp/manifest.ts';
import type {ServerTool} from '../../../mcp/offer.ts';
import type {ServerEntry} from '../../../mcp/server-entry.ts';
import {printInfo, printText} from '../../../output/print.ts';
import {formatDuration} from '../../../wording.ts';
import {ask} from '../../ask.ts';
import {type Reading, readOffer} from '../../run/tools/read-offer.ts';
import {untilInterrupted} from '../../run/until-interrupted.ts';
import {type McpRun, policyOf} from './mcp-verb.ts';
import {showText, summarizeOffer} from './show.ts';

/** @throws {ChatError} as `readOffer` does */
export async function testServer(entry: ServerEntry, run: McpRun): Promise<ExitCode> {
	const {now} = run.environment;
	const startedAt = now();
	const {manifest, protocolVersion} = await readNow(entry, run);
	const time = formatDuration(now() - startedAt);
	const version =
		protocolVersion === undefined ? '' : `, protocol ${showText(protocolVersion, 40)}`;
	const lines = [`${entry.name} answers after ${time}${version}`, summarizeOffer(manifest)];
	return await printText(`${lines.join('\n')}\n`, run.environment);
}

/** @throws {ChatError} as `readOffer` does; `auth` for a change without a terminal */
export async function refreshServer(entry: ServerEntry, run: McpRun): Promise<ExitCode> {
	const {environment} = run;
	const {name} = entry;
	const {manifest: known} = findSaved(entry, environment);
	const {manifest: present} = await readNow(entry, run);
	printInfo(`${name}: ${summarizeOffer(present)}`, environment);
	const changes = findChanges(known, present);
	const isAccepted =
		changes.length === 0 ||
		(await ask(policyOf('refresh', run), environment, async ({say, confirm}) => {
			for (const change of changes) await say(change);
			return await confirm('Accept this? Each call of a tool still asks.');
		}));
	if (isAccepted) saveManifest(entry, present, environment, environment.createId());
	const done = isAccepted ? `${name} is up to date` : 'nothing was changed';
	printInfo(changes.length === 0 ? `nothing has changed in ${name}` : done, environment);
	return 0;
}

function readNow(entry: ServerEntry, run: McpRun): Promise<Reading> {
	return untilInterrupted(run.environment, (signal) => readOffer(entry, run, {signal}));
}

/** Returns a line for each thing that is approved and differs. */
function findChanges(known: Manifest | undefined, present: Manifest): readonly string[] {
	const {instructions = ''} = present;
	const isSame = instructions === (known?.instructions ?? '');
	const before = new Map(known?.offer.tools.map((tool) => [tool.name, tool]));
	const {tools} = present.offer;
	const names = new Set(tools.map(({name}) => name));
	const gone = [...before.keys()].filter((name) => !names.has(name));
	return [
		...(isSame ? [] : [`its instructions for the model: ${showText(instructions)}`]),
		...gone.map((name) => `the tool ${showText(name)} is gone`),
		...tools.flatMap((tool) => describeChange(before.get(tool.name), tool)),
	];
}

function describeChange(before: ServerTool | undefined, after: ServerTool): readonly string[] {
	const {name, description = ''} = after;
	if (before === undefined) return [`new tool ${showText(name)}: ${showText(description)}`];
	if (canonicalText(before) === canonicalText(after)) return [];
	const lines = compareTools(before, after).map(({text}) => showText(text));
	return [`the tool ${showText(name)} has changed:`, ...lines];
}
