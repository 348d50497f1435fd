/** An entry, as the lines that a person agrees to. */
import type {Environment} from '../../../environment.ts';
import {describeDestination, describeEntry} from '../../../mcp/describe-entry.ts';
import type {ServerEntry} from '../../../mcp/server-entry.ts';
import {revealText} from '../../../terminal/safe-text.ts';

/**
 * Returns all that a person agrees to, a line each: how a server is reached, and what it is given.
 *
 * @param isForeign whether others may have written the entry
 */
export function showEntry(
	entry: ServerEntry,
	environment: Pick<Environment, 'homedir' | 'variables'>,
	isForeign: boolean,
): readonly string[] {
	const {access} = entry;
	return [
		...describeEntry(entry, environment.homedir, isForeign),
		...(access.type === 'http' ? describeDestination(access, environment) : []),
	].map(({label, text}) => `${label}: ${revealText(text)}`);
}

/** Rows of 80 columns: more would leave the scrollback of some terminals, or the patience of a reader. */
const maxRows = 300;

/** Whether lines are too long to be agreed to, because nobody would see all of them. */
export function isTooLong(lines: readonly string[]): boolean {
	const rows = lines.map(({length}) => Math.ceil(length / 80));
	return rows.reduce((sum, count) => sum + count, 0) > maxRows;
}
