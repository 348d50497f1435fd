/** Reads an export as an import does. */
import type {ImportedSession} from '../../src/sessions/import/foreign.ts';
import {ownFormat, readMarkdownFile} from '../../src/sessions/import/own.ts';
import {splitJson} from '../../src/sessions/import/split-json.ts';

export function readExport(text: string): ImportedSession {
	const context = {findFile: () => undefined, path: undefined, now: 0};
	const isJson = text.startsWith('[') || text.startsWith('{');
	const [found] = isJson
		? ownFormat.read(splitJson([Buffer.from(text)]), context)
		: [readMarkdownFile(text, context.now)];
	if (found === undefined || 'problem' in found) throw new Error(found?.problem ?? 'nothing found');
	return found.session;
}
