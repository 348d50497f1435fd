/** Conversations as format readers make them, before they are turns. */
import type {Conversation, TurnStart} from '../../chat/conversation.ts';
import type {AssistantPart, ToolOutputPart} from '../../chat/message.ts';
import type {Attachment} from '../../chat/prompt.ts';
import type {JsonObject} from '../../json.ts';
import type {SessionSettings} from '../recorder.ts';

export type ForeignConversation = {
	/** The id in the other program; empty without one. */
	readonly id: string;
	readonly title: string;
	/** Milliseconds since 1970. */
	readonly created?: number | undefined;
	readonly updated?: number | undefined;
	/** The folder it was held in, absolute. */
	readonly cwd?: string | undefined;
	/** The model for messages naming none. */
	readonly model: string;
	/** The messages up to the one where the conversation stands. */
	readonly messages: readonly ForeignMessage[];
	/** Other branches' messages, each from the first message on. */
	readonly branches?: ReadonlyArray<readonly ForeignMessage[]>;
	/** A word for each unreadable part: `image`. */
	readonly omitted: readonly string[];
};

export type ForeignMessage = {
	/** Unique within the conversation; empty without one. */
	readonly id?: string;
	/** Milliseconds since 1970. */
	readonly at?: number | undefined;
	readonly model?: string;
	/** How long the reasoning took. */
	readonly reasoningMs?: number | undefined;
} & (
	| {readonly role: 'system'; readonly text: string}
	| {
			readonly role: 'user';
			readonly text: string;
			readonly attachments: readonly Attachment[];
	  }
	| {readonly role: 'assistant'; readonly parts: readonly AssistantPart[]}
	| {
			readonly role: 'tool';
			/** The call's id; empty: the first call without a result. */
			readonly callId: string;
			readonly parts: readonly ToolOutputPart[];
			readonly isError: boolean;
	  }
);

/** A conversation ready for saving. */
export type ImportedSession = {
	/** The id in the other program; empty without one. */
	readonly id: string;
	/** The source of an earlier import there: `chatgpt:…`. */
	readonly source?: string | undefined;
	readonly title: string;
	/** Milliseconds since 1970. */
	readonly created: number | undefined;
	readonly updated: number | undefined;
	readonly cwd?: string | undefined;
	readonly settings: SessionSettings;
	readonly conversation: Conversation;
	/** The last prompt, if nothing answers it. */
	readonly draft: TurnStart | undefined;
	/** How many parts could not be read, by what they are: `image`. */
	readonly omitted: Readonly<Record<string, number>>;
};

export type FoundSession = {
	readonly place: string;
	readonly session: ImportedSession;
};

/** A piece of a file other than a conversation. */
export type Unreadable = {
	readonly place: string;
	/** `not a JSON object`. */
	readonly problem: string;
};

/** A piece of a file, and its place for a person: `line 3`. Undefined unless a JSON object. */
export type JsonPiece = {readonly place: string; readonly value: JsonObject | undefined};

export type ImportFormat = {
	/** Part of the sources in saved sessions, so it never changes. */
	readonly name: string;
	/** Whether a file's first piece has this format. */
	readonly detect: (value: JsonObject) => boolean;
	readonly read: (
		pieces: Iterable<JsonPiece>,
		context: ImportContext,
	) => Iterable<FoundSession | Unreadable>;
	/** Returns what is known from a file's first values. */
	readonly readHead?: (values: Iterable<JsonObject>, path: string) => LogHead;
};

/** Facts a list shows; empty if the start of the file lacks them. */
export type LogHead = {
	/** The source of an import. */
	readonly source: string;
	readonly title: string;
	readonly cwd: string;
};

export type ImportContext = {
	/** Returns the bytes of the file next to the export having this name prefix. */
	readonly findFile: FindFile;
	/** The file, beside which a session has its media; undefined for an archive and stdin. */
	readonly path: string | undefined;
	/** Titles that the program keeps in another file, by ids. */
	readonly titles?: ReadonlyMap<string, string> | undefined;
	/** The time for messages without one, in milliseconds since 1970. */
	readonly now: number;
};

export type FindFile = (start: string) => Uint8Array | undefined;
