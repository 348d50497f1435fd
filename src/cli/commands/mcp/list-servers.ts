/** `chat mcp list`: prints the servers, and what is known of them. Starts nothing. */
import {ChatError, type ExitCode} from '../../../errors.ts';
import {describeAccess} from '../../../mcp/describe-entry.ts';
import {hasManifest, readManifest} from '../../../mcp/manifest-files.ts';
import {readOwnEntries} from '../../../mcp/own-entries.ts';
import type {ReadEntry} from '../../../mcp/read-entries.ts';
import {alignColumns} from '../../../output/align-columns.ts';
import {printInfo, printList} from '../../../output/print.ts';
import {manifestsDirectory} from '../../../settings/files/config-path.ts';
import {escapeInvisible} from '../../../terminal/safe-text.ts';
import {plural, shorten} from '../../../wording.ts';
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
