/** An entry, as the lines a person agrees to. */
import type {Environment} from '../../../environment.ts';
import {describeDestination, describeEntry} from '../../../mcp/describe-entry.ts';
import type {ServerEntry} from '../../../mcp/server-entry.ts';
import {revealText} from '../../../terminal/safe-text.ts';

/**
 * Returns everything a person agrees to, a line each: how a server is reached, and what it
 * receives.
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

/** In 80-column rows: more would exceed some terminals' scrollback, and any reader's patience. */
const maxRows = 300;

/** Whether lines are too long for informed consent. */
export function isTooLong(lines: readonly string[]): boolean {
	const rows = lines.map(({length}) => Math.ceil(length / 80));
	return rows.reduce((sum, count) => sum + count, 0) > maxRows;
}
