/** `chat mcp list` and `show`: what is known of servers, without their secrets. They start nothing. */

import {ChatError, type ExitCode} from '../../../errors.ts';
import {toJsonLine} from '../../../json.ts';
import {describeAccess} from '../../../mcp/describe-entry.ts';
import {
	describeOffer,
	describeServer,
	nameServer,
	type OfferGroup,
} from '../../../mcp/describe-server.ts';
import type {Manifest} from '../../../mcp/manifest.ts';
import {findSaved, type ManifestFolder, type Saved} from '../../../mcp/manifest-files.ts';
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
	/** The number of tools that calls may be approved for. */
	readonly tools: number | null;
	readonly state: Saved['state'] | 'mistake';
};

export async function listServers({settings, folder, environment}: McpRun): Promise<ExitCode> {
	const servers = readOwnEntries(environment);
	const rows = servers.map((server) => describeRow(server, folder));
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

function describeRow({name, entry}: ReadEntry, folder: ManifestFolder): Row {
	if (entry instanceof ChatError) {
		return {name, type: null, access: '', tools: null, state: 'mistake'};
	}
	const {state, manifest} = findSaved(folder, entry);
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

/** The reasons for which the offer of a server is not known. */
const reasons = {
	'not read yet': 'it was not read yet',
	'entry changed': 'its entry has changed',
	damaged: 'the file about it cannot be read',
};

export async function showServer(
	entry: ServerEntry,
	{settings, folder, environment}: McpRun,
): Promise<ExitCode> {
	const saved = findSaved(folder, entry);
	const {manifest} = saved;
	if (settings.output !== 'text') {
		return await printText(toJsonLine(serverToJson(entry, manifest)), environment);
	}
	const {lines, groups} = describeServer(entry, manifest, environment.homedir);
	const all = [{label: 'name', text: entry.name}, ...lines];
	const about = await alignColumns(all.map(({label, text}) => [label, showText(text)]));
	await printText(about + groups.map(formatGroup).join(''), environment);
	if (saved.manifest !== undefined) return 0;
	const command = `chat mcp refresh ${entry.name}`;
	const unknown = `${reasons[saved.state]}, so its tools are not known`;
	printInfo(`${unknown}; ${command} reads them`, environment);
	return 0;
}

function formatGroup({title, items}: OfferGroup): string {
	if (items.length === 0) return '';
	const lines = items.flatMap(({usage, description, details}) => {
		const texts = [description, ...details].filter((text) => text !== '');
		return [`  ${showText(usage)}`, ...texts.map((text) => `      ${showText(text)}`)];
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

/** Threat: an instruction to the model far after the end of what a person reads. */
const shownLength = 4000;

/** Returns a text of a server on one line, with nothing hidden in it. */
export function showText(text: string, length = shownLength): string {
	const line = text.replace(/\s*\n\s*/g, ' ').trim();
	const rest = line.length - length;
	const end = rest > 0 ? ` (and ${plural(rest, 'character')} more)` : '';
	return `${escapeInvisible(shorten(line, length))}${end}`;
}
