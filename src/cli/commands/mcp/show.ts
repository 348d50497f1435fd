/** `chat mcp list` and `show`: known facts about servers, without secrets, starting none. */

import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {lineHint, withHint} from '../../../hint.ts';
import {toJsonLine} from '../../../json.ts';
import {describeAccess} from '../../../mcp/describe-entry.ts';
import {
	describeOffer,
	describeServer,
	nameServer,
	type OfferGroup,
	usageOf,
} from '../../../mcp/describe-server.ts';
import {describeUnapproved, findSaved, type Manifest, type Saved} from '../../../mcp/manifest.ts';
import {readOwnEntries} from '../../../mcp/own-entries.ts';
import type {ReadEntry} from '../../../mcp/read-entries.ts';
import type {ServerEntry} from '../../../mcp/server-entry.ts';
import {alignColumns} from '../../../output/align-columns.ts';
import {printInfo, printList, printText} from '../../../output/print.ts';
import {escapeInvisible} from '../../../terminal/safe-text.ts';
import {plural, shorten} from '../../../wording.ts';
import type {McpRun} from './mcp-verb.ts';

type Row = {
	readonly name: string;
	/** `program` or `http`; null for an entry with a mistake. */
	readonly type: string | null;
	readonly access: string;
	/** The number of tools whose calls may be approved. */
	readonly tools: number | null;
	readonly state: Saved['state'] | 'mistake';
};

export async function listServers({settings, environment}: McpRun): Promise<ExitCode> {
	const servers = readOwnEntries(environment);
	const rows = servers.map((server) => describeRow(server, environment));
	const format = {format: settings.output, toJson: (row: Row) => row, toText: formatRows};
	await printList(rows, format, environment);
	if (rows.length === 0) {
		printInfo('there are no servers yet; chat mcp add --help shows how to add one', environment);
	}
	for (const {entry} of servers) {
		if (entry instanceof ChatError) printInfo(entry.message, environment);
	}
	return 0;
}

function describeRow({name, entry}: ReadEntry, environment: Environment): Row {
	if (entry instanceof ChatError) {
		return {name, type: null, access: '', tools: null, state: 'mistake'};
	}
	const {state, manifest} = findSaved(entry, environment);
	return {...identify(entry), tools: manifest?.offer.tools.length ?? null, state};
}

function identify(entry: ServerEntry) {
	return {name: entry.name, type: entry.access.type, access: describeAccess(entry)};
}

async function formatRows(rows: readonly Row[]): Promise<string> {
	return await alignColumns(
		rows.map(({name, access, tools, state}) => [
			escapeInvisible(name),
			state,
			tools === null ? '' : plural(tools, 'tool'),
			escapeInvisible(shorten(access, 80)),
		]),
	);
}

export async function showServer(
	entry: ServerEntry,
	{settings, environment}: McpRun,
): Promise<ExitCode> {
	const saved = findSaved(entry, environment);
	const {manifest} = saved;
	if (settings.output !== 'text') {
		return await printText(toJsonLine(serverToJson(entry, manifest)), environment);
	}
	const {lines, groups} = describeServer(entry, manifest, environment.homedir);
	const all = [{label: 'name', text: entry.name}, ...lines];
	const about = await alignColumns(all.map(({label, text}) => [label, showText(text)]));
	await printText(about + groups.map(formatGroup).join(''), environment);
	const reason = describeUnapproved(entry, saved);
	if (reason !== undefined) printInfo(withHint(reason, lineHint), environment);
	return 0;
}

function formatGroup({title, items}: OfferGroup): string {
	if (items.length === 0) return '';
	const lines = items.flatMap((item) => {
		const texts = [item.description, ...item.details].filter((text) => text !== '');
		return [`  ${showText(usageOf(item))}`, ...texts.map((text) => `      ${showText(text)}`)];
	});
	return ['', title, ...lines, ''].join('\n');
}

function serverToJson(entry: ServerEntry, manifest: Manifest | undefined) {
	return {
		...identify(entry),
		server: manifest?.server ?? null,
		instructions: manifest?.instructions ?? null,
		tools: manifest?.offer.tools ?? null,
		prompts: manifest?.offer.prompts ?? null,
		resources: manifest?.offer.resources ?? null,
		resource_templates: manifest?.offer.resourceTemplates ?? null,
	};
}

/** Returns `secure-filesystem-server 0.2.0: 14 tools, 1 prompt`. */
export function summarizeOffer(manifest: Manifest): string {
	const counts = describeOffer(manifest.offer)
		.filter(({noun, items}) => noun === 'tool' || items.length > 0)
		.map(({noun, items}) => plural(items.length, noun));
	return `${showText(nameServer(manifest))}: ${counts.join(', ')}`;
}

/** Threat: an instruction to the model, hidden far below the part people read. */
const shownLength = 4000;

/** Returns a server's text on one line, revealing hidden characters. */
export function showText(text: string, length = shownLength): string {
	const line = text.replace(/\s*\n\s*/g, ' ').trim();
	const rest = line.length - length;
	const end = rest > 0 ? ` (and ${plural(rest, 'character')} more)` : '';
	return `${escapeInvisible(shorten(line, length))}${end}`;
}
