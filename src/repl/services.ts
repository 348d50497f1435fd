/** The work of the REPL outside its state: turns, files, saved conversations, the clipboard. */
import type {Conversation, OpenConversation} from '../chat/conversation.ts';
import type {ChatEventBatch} from '../chat/event.ts';
import type {ChatOptions} from '../chat/message.ts';
import type {Attachment, Prompt} from '../chat/prompt.ts';
import type {Questions} from '../chat/tool.ts';
import type {ServerVerb} from './commands/server-view.ts';
import type {MenuValue, ValueSource} from './list/menu.ts';
import type {PlainEntry, ReplState, TableGroup, TemplateCall, TurnSettings} from './state.ts';

export type Loaded = {
	readonly attachments: readonly Attachment[];
	readonly notices: readonly string[];
};

export type LoadedMention = Loaded & {readonly mention: string};

export type ExpandedTemplate = {
	/** Undefined for a role without a prompt: its settings count from here on. */
	readonly prompt: Pick<Prompt, 'text' | 'attachments'> | undefined;
	readonly settings: TurnSettings;
	readonly notices: readonly string[];
	/** Set for a prompt that the user has to read before it is sent. */
	readonly isDraft?: true;
};

/** A saved conversation, ready to go on. */
export type OpenedSession = {
	readonly conversation: Conversation;
	/** The options of the next request. */
	readonly options: ChatOptions;
	/** A prompt that got no answer. */
	readonly draft: Prompt | undefined;
	/** Printed above its last turns. */
	readonly notices: readonly string[];
};

/** The service that a session goes on with. */
export type SwitchedService = {
	/** The name that a person uses. */
	readonly title: string;
	readonly model: string;
	/** Request fields that its profile sets. */
	readonly options: Partial<ChatOptions>;
	readonly isSaved: boolean;
	readonly notices: readonly string[];
};

export type ReplServices = {
	/**
	 * Lends the terminal to a dialog that connects a service, and switches to it. Returns undefined if
	 * the user decides against it.
	 *
	 * @throws {ChatError} if nothing was changed
	 */
	connectService(): Promise<SwitchedService | undefined>;
	/** @throws {ChatError} if there is no such profile, or its service cannot be used */
	openProfile(name: string): Promise<SwitchedService>;
	/** Runs a turn; the screen asks its questions. */
	openTurn(
		conversation: OpenConversation,
		options: ChatOptions,
		signal: AbortSignal,
		questions: Questions,
	): AsyncIterable<ChatEventBatch>;
	/** @throws {ChatError} if it cannot be read */
	load(kind: 'file' | 'image', source: string): Promise<Loaded>;
	/**
	 * Reads the image in the clipboard, or its text without one.
	 *
	 * @throws {ChatError} if there is neither, or no clipboard
	 */
	loadClipboard(): Promise<Loaded | {readonly text: string}>;
	/** Reads the files of a paste that is their paths, and nothing else; otherwise returns undefined. */
	loadDropped(text: string): Promise<Loaded | undefined>;
	/**
	 * Reads the files, and the resources of servers, among the texts after at signs, and leaves out the others.
	 *
	 * @throws {ChatError} if one of them cannot be sent
	 */
	loadMentions(mentions: readonly string[]): Promise<readonly LoadedMention[]>;
	/**
	 * Makes a prompt of a template, or lets a server make one; the attachments go along.
	 *
	 * @throws {ChatError} if there is neither, or it cannot be used as it is called
	 */
	expandTemplate(call: TemplateCall, attachments: readonly Attachment[]): Promise<ExpandedTemplate>;
	/** @throws {ChatError} if there is no such template, or it cannot be read */
	explainTemplate(name: string): Promise<TableGroup['rows']>;
	/**
	 * Shows or switches an MCP server of the run.
	 *
	 * @throws {ChatError} if it cannot be started
	 */
	askServer(verb: ServerVerb, name: string): Promise<PlainEntry>;
	/** @throws if they cannot be listed */
	listValues(source: ValueSource): Promise<readonly MenuValue[]>;
	/** @throws {ChatError} if there is no such conversation, or it cannot be read */
	openSession(word: string): Promise<OpenedSession>;
	/** Names the running conversation, unless the title is empty, and returns a line about its name. */
	nameConversation(title: string): Promise<string>;
	/**
	 * Writes the conversation to a new file; without a path, to one named after its title. Returns a line
	 * about it, as the others below.
	 *
	 * @throws {ChatError} if it cannot be written
	 */
	exportConversation(path: string, state: ReplState): Promise<string>;
	/** Returns the conversation as Markdown. */
	printConversation(state: ReplState): Promise<string>;
	/**
	 * Copies a text to the clipboard; `isPartial`: more of it may follow.
	 *
	 * @throws {ChatError} if there is no clipboard for it
	 */
	copy(text: string, isPartial: boolean): Promise<string>;
	/**
	 * Writes a text to a new file; `part` is the number of its code block, or empty.
	 *
	 * @throws {ChatError} if it cannot be written
	 */
	save(text: string, part: string, path: string): Promise<string>;
	/**
	 * Lets the user change a text in an editor, and returns it.
	 *
	 * @throws {ChatError} if the editor fails
	 */
	editText(text: string): Promise<string>;
	/** Opens a page in the browser of the user; resolves with whether there is one. */
	openPage(url: URL): Promise<boolean>;
	/** Milliseconds of a clock that never goes back. */
	now(): number;
	/** Milliseconds since 1970. */
	date(): number;
	createId(): string;
};
