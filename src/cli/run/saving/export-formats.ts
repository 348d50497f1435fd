/** The formats of an export. Each loads only its own code. */
import {messagesOf} from '../../../chat/conversation.ts';
import type {ExportedSession} from '../../../sessions/export/exported-session.ts';

type Write = (session: ExportedSession) => string;

type ExportFormat = {
	/** The ending of the files that `/export` writes; undefined for a format that it does not have. */
	readonly ending?: string;
	/** For a name that does not say all. */
	readonly meaning?: string;
	readonly load: () => Promise<Write>;
};

const loadMarkdown = () => import('../../../sessions/export/write-markdown.ts');
const loadJson = () => import('../../../sessions/export/write-json.ts');

const rows = {
	md: {ending: '.md', load: async () => (await loadMarkdown()).writeMarkdown},
	json: {ending: '.json', load: async () => (await loadJson()).writeJsonExport},
	html: {
		ending: '.html',
		load: async () => (await import('../../../sessions/export/write-html.ts')).writeHtml,
	},
	openai: {
		meaning: 'the messages of a request',
		async load() {
			const wire = await import('../../../protocol/chat-completions/chat-completions.ts');
			return ({conversation, model}) =>
				JSON.stringify(wire.encodeMessages(messagesOf(conversation), model), undefined, 2);
		},
	},
} as const satisfies Record<string, ExportFormat>;

/** By the words of `--format`. */
export const exportFormats: Readonly<Record<keyof typeof rows, ExportFormat>> = rows;

export const exportWords = Object.keys(rows) as ReadonlyArray<keyof typeof rows>;

/** The forms in which a conversation is only shown, by the words of `--output`. */
export const shownForms = {
	text: async () => (await loadMarkdown()).writeReadable,
	json: async () => (await loadJson()).writeJsonExport,
	jsonl: async () => (await loadJson()).writeJsonLines,
} as const satisfies Record<string, () => Promise<Write>>;
