/** A call of a server's tool, for the question whether it may run. */
import type {ApprovalLine} from '../chat/tool.ts';
import type {JsonObject} from '../json.ts';
import {describeValues} from '../tools/describe-values.ts';
import {formatCount, shorten} from '../wording.ts';
import {compareItems} from './compare-offers.ts';
import {describeAccess} from './describe-entry.ts';
import type {ServerTool} from './offer.ts';
import type {Server} from './server.ts';
import type {ServerEntry} from './server-entry.ts';

type CalledTool = {
	readonly server: Server;
	/** As the server has it now. */
	readonly tool: ServerTool;
};

export function describeCall(
	{server, tool}: CalledTool,
	values: JsonObject,
): readonly ApprovalLine[] {
	const saved = server.manifest();
	const approved = saved?.offer.tools.find(({name}) => name === tool.name);
	const version = (server.present() ?? saved)?.server.version;
	return [
		{label: 'server', text: describeServer(server.entry, version)},
		{label: 'tool', text: tool.name},
		...labelled('sends', orNothing(describeValues(values))),
		...labelled('changed', approved === undefined ? [] : compareItems(approved, tool).map(toLine)),
		...labelled('says', describeClaims(tool)),
	];
}

const toLine = (text: string): ApprovalLine => ({label: '', text});

function labelled(label: string, lines: readonly ApprovalLine[]): readonly ApprovalLine[] {
	return lines.map((line, index) => (index === 0 ? {...line, label} : line));
}

function orNothing(lines: readonly ApprovalLine[]): readonly ApprovalLine[] {
	return lines.length > 0 ? lines : [toLine('no arguments')];
}

/** With the version, one row of a window of 80 columns. */
const maxAccessLength = 38;
const maxVersionLength = 20;

function describeServer(entry: ServerEntry, version: string | undefined): string {
	const shown = shorten(describeAccess(entry), maxAccessLength);
	const versionText =
		version === undefined ? '' : `, version ${shorten(version, maxVersionLength)}`;
	return `${entry.name} (${shown}${versionText})`;
}

/** The words for a hint that is true, and for one that is false. */
const claims: ReadonlyArray<readonly [hint: string, yes: string, no: string | undefined]> = [
	['readOnlyHint', 'read-only', undefined],
	['destructiveHint', 'may delete or overwrite', 'only adds'],
	['idempotentHint', 'a repetition changes nothing', undefined],
	['openWorldHint', 'reaches other systems', 'reaches no other system'],
];

/** They mean nothing for a tool that only reads. */
const changeHints: readonly string[] = ['destructiveHint', 'idempotentHint'];

/** Two rows of a window of 80 columns: what is sent must not need a key to be seen. */
const maxDescriptionLength = 100;

/** Returns the words of the server about its tool. */
function describeClaims({
	title,
	description,
	annotations = {},
}: ServerTool): readonly ApprovalLine[] {
	const text = (description ?? title ?? '').trim().replace(/\s+/g, ' ');
	const rest = text.length - maxDescriptionLength;
	const more = rest > 0 ? ` (${formatCount(rest)} more characters)` : '';
	return [
		...(text === '' ? [] : [`${shorten(text, maxDescriptionLength)}${more}`]),
		...describeAnnotations(annotations),
	].map(toLine);
}

/** Returns a line about the claims of a server, if it makes any. */
export function describeAnnotations(annotations: JsonObject): readonly string[] {
	const claimed = claims.flatMap(([hint, yes, no]) => {
		const value = annotations[hint];
		if (annotations['readOnlyHint'] === true && changeHints.includes(hint)) return [];
		return value === true ? [yes] : value === false && no !== undefined ? [no] : [];
	});
	return claimed.length === 0 ? [] : [`${claimed.join(', ')}, by its own account`];
}
