/** The formats of an export. Each loads only its own code. */
import {messagesOf} from '../../../chat/conversation.ts';
import type {ExportedSession} from '../../../sessions/export/exported-session.ts';

export const exportFormats = ['md', 'json', 'html', 'openai'] as const;

export type ExportFormat = (typeof exportFormats)[number];

type Writer = (session: ExportedSession) => string;

const loadMarkdown = () => import('../../../sessions/export/write-markdown.ts');

const loaders: Readonly<Record<ExportFormat | 'readable', () => Promise<Writer>>> = {
	md: async () => (await loadMarkdown()).writeMarkdown,
	readable: async () => (await loadMarkdown()).writeReadable,
	json: async () => (await import('../../../sessions/export/json-format.ts')).writeJson,
	html: async () => (await import('../../../sessions/export/write-html.ts')).writeHtml,
	openai: async () => {
		const {encodeMessages} = await import('../../../protocol/chat-completions/chat-completions.ts');
		return ({conversation, model}) =>
			JSON.stringify(encodeMessages(messagesOf(conversation), model), undefined, 2);
	},
};

export async function loadWriter(format: ExportFormat | 'readable'): Promise<Writer> {
	return await loaders[format]();
}
