/** The export formats, each loading only its own code. */
import {messagesOf} from '../../../chat/conversation.ts';
import type {ExportedSession} from '../../../sessions/export/exported-session.ts';

type Write = (session: ExportedSession) => string;

type ExportFormat = {
	/** The file extension for `/export`; undefined for formats it lacks. */
	readonly ending?: string;
	/** Explains an unclear name. */
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

/** Formats by `--format` word. */
export const exportFormats: Readonly<Record<keyof typeof rows, ExportFormat>> = rows;

export const exportWords = Object.keys(rows) as ReadonlyArray<keyof typeof rows>;

/** Display-only forms, by `--output` words. */
export const shownForms = {
	text: async () => (await loadMarkdown()).writeReadable,
	json: async () => (await loadJson()).writeJsonExport,
	jsonl: async () => (await loadJson()).writeJsonLines,
} as const satisfies Record<string, () => Promise<Write>>;
