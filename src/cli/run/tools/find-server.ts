/** Finds a server in the user's own file. */
import {findClosest} from '../../../did-you-mean.ts';
import {ChatError, type ErrorKind} from '../../../errors.ts';
import type {Hint} from '../../../hint.ts';
import {ownFileName} from '../../../mcp/own-entries.ts';
import type {ReadEntry} from '../../../mcp/read-entries.ts';
import type {ServerEntry} from '../../../mcp/server-entry.ts';

/** @throws {ChatError} `config` for a mistake in the entry */
export function checkEntry({entry}: ReadEntry): ServerEntry {
	if (entry instanceof ChatError) throw entry;
	return entry;
}

/**
 * Finds an entry, even a faulty one.
 *
 * @param kind the error kind if there is none
 */
export function findOwn(name: string, kind: ErrorKind, own: readonly ReadEntry[]): ReadEntry {
	const found = own.find((entry) => entry.name === name);
	if (found !== undefined) return found;
	const names = own.map((entry) => entry.name);
	const known = names.length === 0 ? 'there are none' : `there are: ${names.join(', ')}`;
	throw new ChatError(kind, `there is no MCP server ${name} in ${ownFileName}; ${known}`, {
		hint: hintOf(name, names),
	});
}

function hintOf(name: string, known: readonly string[]): Hint | undefined {
	if (known.length === 0) return 'To add one: chat mcp add';
	const closest = findClosest(name, known);
	return closest === undefined ? undefined : `Did you mean ${closest}?`;
}
