/** Writes the conversation of a running session to a file. */
import {existsSync, rmSync, writeFileSync} from 'node:fs';
import {extname, resolve} from 'node:path';
import {type Conversation, hasAnswer, treeOf} from '../../chat/conversation.ts';
import type {Environment} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import {createKeyRedactor, type Redact, redactJson} from '../../redact.ts';
import {titleOfPrompt} from '../../sessions/session-title.ts';
import type {ExportFormat} from '../command-line/session-options.ts';
import {loadWriter} from './export-writers.ts';

type RunningSession = {
	/** Undefined if it is not saved. */
	readonly id: string | undefined;
	/** The one that was given or read. */
	readonly title: string | undefined;
	readonly model: string;
	readonly conversation: Conversation;
	/** Masks the key of the service. */
	readonly redact: Redact;
};

const formatOfEnding: ReadonlyMap<string, ExportFormat> = new Map([
	['.md', 'md'],
	['.json', 'json'],
	['.html', 'html'],
]);

/**
 * Never replaces a file.
 *
 * @param file its path; empty for one in the current folder that is named after the title
 * @returns a line about what was written
 * @throws {ChatError} `usage` if the file exists or its ending is unknown, `output` if it cannot be written
 */
export async function exportToFile(
	{redact, ...session}: RunningSession,
	file: string,
	environment: Environment,
): Promise<string> {
	const redactKeys = createKeyRedactor(environment.variables);
	const masked = redactJson(session, (text) => redactKeys(redact(text)));
	const {conversation} = masked;
	const [first] = treeOf(conversation);
	if (first === undefined || !conversation.turns.some(hasAnswer)) {
		throw new ChatError('usage', 'there is no answer to export yet');
	}
	const title = masked.title ?? titleOfPrompt(first.turn.prompt);
	const name = file === '' ? `${nameOfTitle(title)}.md` : file;
	const format = formatOfEnding.get(extname(name).toLowerCase());
	if (format === undefined) {
		const endings = [...formatOfEnding.keys()].join(', ');
		throw new ChatError('usage', `"${name}" does not end in one of ${endings}`);
	}
	const write = await loadWriter(format);
	const created = first.turn.times.startedAt;
	writeNewFile(name, `${write({...masked, title, created})}\n`, environment.cwd);
	return `exported to ${name}`;
}

const maxNameLength = 60;

function nameOfTitle(title: string): string {
	const words = title.normalize().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
	const characters = Array.from(words.join('-')).slice(0, maxNameLength);
	return characters.join('') || 'conversation';
}

function writeNewFile(name: string, text: string, folder: string): void {
	const path = resolve(folder, name);
	let isOurs = false;
	try {
		writeFileSync(path, '', {flag: 'wx', mode: 0o600});
		isOurs = true;
		writeFileSync(path, text, {flush: true});
	} catch (cause) {
		const {code, message} = cause as NodeJS.ErrnoException;
		if (isOurs) rmSync(path, {force: true});
		if (code !== 'EEXIST')
			throw new ChatError('output', `cannot write ${name}: ${message}`, {cause});
		const next = `/export ${findFreeName(name, folder)}`;
		throw new ChatError('usage', `${name} exists already; ${next} writes a new file`);
	}
}

function findFreeName(name: string, folder: string): string {
	const ending = extname(name);
	const stem = name.slice(0, -ending.length);
	for (let number = 2; ; number++) {
		const candidate = `${stem}-${number}${ending}`;
		if (!existsSync(resolve(folder, candidate))) return candidate;
	}
}
