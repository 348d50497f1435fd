/** Writes a running session's conversation, to a file or as a text. */
import {extname} from 'node:path';
import {type Conversation, hasAnswer, treeOf} from '../../../chat/conversation.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {createKeyRedactor, type Redact, redactJson} from '../../../redact.ts';
import type {ExportedSession} from '../../../sessions/export/exported-session.ts';
import {titleOfPrompt} from '../../../sessions/session-title.ts';
import {writeNewFile} from '../write-new-file.ts';
import {exportFormats} from './export-formats.ts';

export type RunningSession = {
	/** Undefined if it is not saved. */
	readonly id: string | undefined;
	/** The title given or read. */
	readonly title: string | undefined;
	readonly model: string;
	readonly conversation: Conversation;
	/** Masks the service's key. */
	readonly redact: Redact;
};

/**
 * Never replaces a file.
 *
 * @param file its path; empty for one in the current folder named after the title
 * @returns a line about the written file
 * @throws {ChatError} `usage` if the file exists or its extension is unknown, `output` if it cannot
 * be written
 */
export async function exportToFile(
	session: RunningSession,
	file: string,
	environment: Environment,
): Promise<string> {
	const exported = prepareExport(session, environment);
	const name = file === '' ? `${nameOfTitle(exported.title)}.md` : file;
	const formats = Object.values(exportFormats);
	const ending = extname(name).toLowerCase();
	const format = formats.find((row) => row.ending === ending);
	if (format === undefined) {
		const endings = formats.flatMap((row) => row.ending ?? []).join(', ');
		throw new ChatError('usage', `"${name}" does not end in one of ${endings}`);
	}
	const write = await format.load();
	const text = `${write(exported)}\n`;
	writeNewFile({name, text, command: '/export', mode: 0o600}, environment.cwd);
	return `exported to ${name}`;
}

/** @throws {ChatError} `usage` if there is no answer yet */
export async function exportAsMarkdown(
	session: RunningSession,
	environment: Environment,
): Promise<string> {
	const {writeMarkdown} = await import('../../../sessions/export/write-markdown.ts');
	return writeMarkdown(prepareExport(session, environment));
}

function prepareExport(
	{redact, ...session}: RunningSession,
	{variables}: Environment,
): ExportedSession {
	const redactKeys = createKeyRedactor(variables);
	const masked = redactJson(session, (text) => redactKeys(redact(text)));
	const {conversation} = masked;
	const [first] = treeOf(conversation);
	if (first === undefined || !conversation.turns.some(hasAnswer)) {
		throw new ChatError('usage', 'there is no answer to export yet');
	}
	const title = masked.title ?? titleOfPrompt(first.turn.prompt);
	return {...masked, title, created: first.turn.times.startedAt};
}

const maxNameLength = 60;

function nameOfTitle(title: string): string {
	const words = title.normalize().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
	const characters = Array.from(words.join('-')).slice(0, maxNameLength);
	return characters.join('') || 'conversation';
}
