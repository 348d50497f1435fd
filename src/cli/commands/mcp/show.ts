/** `chat mcp list` and `show`: what is known of servers, without their secrets. They start nothing. */

import type {ApprovalLine} from '../../../chat/tool.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {isJsonObject, toJsonLine} from '../../../json.ts';
import {describeAnnotations} from '../../../mcp/describe-call.ts';
import {describeAccess, describeEntry} from '../../../mcp/describe-entry.ts';
import type {Manifest} from '../../../mcp/manifest.ts';
import {hasManifest, readManifest} from '../../../mcp/manifest-files.ts';
import type {ServerTool} from '../../../mcp/offer.ts';
import {readOwnEntries} from '../../../mcp/own-entries.ts';
import type {ReadEntry} from '../../../mcp/read-entries.ts';
import type {ServerEntry} from '../../../mcp/server-entry.ts';
import {alignColumns} from '../../../output/align-columns.ts';
import {printInfo, printList, printText} from '../../../output/print.ts';
import {manifestsDirectory} from '../../../settings/files/config-path.ts';
import {escapeInvisible} from '../../../terminal/safe-text.ts';
import {plural, shorten} from '../../../wording.ts';
import {describeServer, showText} from '../../run/tools/describe-server.ts';
import {findServer} from '../../run/tools/find-server.ts';
import type {McpRun} from './mcp-verb.ts';

type Row = {
	readonly name: string;
	/** `program` or `http`; null for an entry with a mistake. */
	readonly type: string | null;
	readonly access: string;
	/** Of the tools that calls may be approved for. */
	readonly tools: number | null;
	readonly state: 'approved' | 'not approved' | 'not read yet' | 'entry changed' | 'mistake';
};

export async function listServers({settings, environment}: McpRun): Promise<ExitCode> {
	const servers = readOwnEntries(environment);
	const folder = manifestsDirectory(environment);
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

function describeRow({name, entry}: ReadEntry, folder: string | undefined): Row {
	if (entry instanceof ChatError) {
		return {name, type: null, access: '', tools: null, state: 'mistake'};
	}
	const manifest = readManifest(folder, entry);
	const about = {name, type: entry.access.type, access: describeAccess(entry)};
	if (manifest === undefined) {
		const state = hasManifest(folder, name) ? 'entry changed' : 'not read yet';
		return {...about, tools: null, state};
	}
	const state = manifest.isUnseen === true ? 'not approved' : 'approved';
	return {...about, tools: manifest.offer.tools.length, state};
}

function formatRows(rows: readonly Row[]): string {
	return alignColumns(
		rows.map(({name, access, tools, state}) => [
			escapeInvisible(name),
			state,
			tools === null ? '' : plural(tools, 'tool'),
			escapeInvisible(shorten(access, 80)),
		]),
	);
}

export async function showServer({words, settings, environment}: McpRun): Promise<ExitCode> {
	const entry = findServer(words[0] ?? '', environment);
	const folder = manifestsDirectory(environment);
	const manifest = readManifest(folder, entry);
	if (settings.output !== 'text') {
		return await printText(toJsonLine(serverToJson(entry, manifest)), environment);
	}
	const lines = [
		{label: 'name', text: entry.name},
		...describeEntry(entry, environment.homedir),
		...(manifest === undefined ? [] : describeManifest(manifest)),
	];
	const about = alignColumns(lines.map(({label, text}) => [label, showText(text)]));
	await printText(about + (manifest === undefined ? '' : formatOffer(manifest)), environment);
	if (manifest !== undefined) return 0;
	const reason = hasManifest(folder, entry.name) ? 'its entry has changed' : 'it was not read yet';
	const command = `chat mcp refresh ${entry.name}`;
	printInfo(`${reason}, so its tools are not known; ${command} reads them`, environment);
	return 0;
}

function describeManifest({server, instructions}: Manifest): readonly ApprovalLine[] {
	return [
		{label: 'server', text: describeServer(server)},
		...(instructions === undefined ? [] : [{label: 'says', text: instructions}]),
	];
}

/** Everything that a server may offer has a name or an address, and a description. */
type Item = {readonly title: string; readonly about: readonly string[]};

function formatOffer({offer}: Manifest): string {
	const {tools, prompts, resources, resourceTemplates} = offer;
	const groups: ReadonlyArray<readonly [string, readonly Item[]]> = [
		['Tools', tools.map(describeTool)],
		[
			'Prompts',
			prompts.map(({name, description, arguments: values}) => ({
				title: [name, ...values.map((value) => nameArgument(value.name, value.isRequired))].join(
					' ',
				),
				about: [description ?? ''],
			})),
		],
		[
			'Resources',
			[
				...resources.map(({uri, description, name}) => ({
					title: uri,
					about: [description ?? name],
				})),
				...resourceTemplates.map(({uriTemplate, description, name}) => ({
					title: uriTemplate,
					about: [description ?? name],
				})),
			],
		],
	];
	return groups
		.map(([heading, items]) =>
			items.length === 0 ? '' : `\n${heading}\n${items.map(formatItem).join('')}`,
		)
		.join('');
}

function formatItem({title, about}: Item): string {
	const lines = about.filter((text) => text !== '').map((text) => `      ${showText(text)}\n`);
	return `  ${showText(title)}\n${lines.join('')}`;
}

function describeTool({name, description = '', inputSchema, annotations = {}}: ServerTool): Item {
	const {properties, required} = inputSchema;
	const needed: readonly unknown[] = Array.isArray(required) ? required : [];
	const values = Object.keys(Object(properties)).map((key) =>
		nameArgument(key, needed.includes(key)),
	);
	const about = [
		description,
		...Object.entries(Object(properties)).map(describeProperty),
		...describeAnnotations(annotations),
	];
	return {title: [name, ...values].join(' '), about};
}

/** Schemas of servers may be anything. */
function describeProperty([name, schema]: readonly [string, unknown]): string {
	const {type, enum: choices, description} = isJsonObject(schema) ? schema : {};
	const kinds = [choices ?? type ?? []]
		.flat()
		.map((kind) => (typeof kind === 'string' ? kind : JSON.stringify(kind)));
	const kind = kinds.length === 0 ? '' : ` (${kinds.join(', ')})`;
	return `- ${name}${kind}${typeof description === 'string' ? `: ${description}` : ''}`;
}

/** One that may be left out is in brackets. */
function nameArgument(name: string, isRequired: boolean): string {
	return isRequired ? name : `[${name}]`;
}

function serverToJson(entry: ServerEntry, manifest: Manifest | undefined) {
	const {name, access} = entry;
	return {
		name,
		type: access.type,
		access: describeAccess(entry),
		server: manifest?.server ?? null,
		instructions: manifest?.instructions ?? null,
		tools: manifest?.offer.tools ?? null,
		prompts: manifest?.offer.prompts ?? null,
		resources: manifest?.offer.resources ?? null,
		resource_templates: manifest?.offer.resourceTemplates ?? null,
	};
}
