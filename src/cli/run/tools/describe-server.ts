/** An entry and the offer of its server, as lines for a person. */
import type {Environment} from '../../../environment.ts';
import {
	describeDestination,
	describeEntry,
	describeForeignEntry,
} from '../../../mcp/describe-entry.ts';
import type {Manifest} from '../../../mcp/manifest.ts';
import type {ServerEntry} from '../../../mcp/server-entry.ts';
import {escapeInvisible, revealText} from '../../../terminal/safe-text.ts';
import {plural, shorten} from '../../../wording.ts';

/** Returns `secure-filesystem-server 0.2.0: 14 tools, 1 prompt`. */
export function summarizeOffer({server, offer}: Manifest): string {
	const {tools, prompts, resources, resourceTemplates} = offer;
	const others = [
		[prompts.length, 'prompt'],
		[resources.length + resourceTemplates.length, 'resource'],
	] as const;
	const counts = [
		plural(tools.length, 'tool'),
		...others.filter(([count]) => count > 0).map(([count, word]) => plural(count, word)),
	];
	return `${describeServer(server)}: ${counts.join(', ')}`;
}

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
	const describe = isForeign ? describeForeignEntry : describeEntry;
	return [
		...describe(entry, environment.homedir),
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

/** As the server calls itself. */
export function describeServer({name, version}: Manifest['server']): string {
	return showText(`${name} ${version}`, 100);
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
