/** The REPL's work outside its state: turns, files, saved conversations, the clipboard. */
import type {Conversation, OpenConversation} from '../chat/conversation.ts';
import type {ChatEventBatch} from '../chat/event.ts';
import type {ChatOptions, ToolDefinition} from '../chat/message.ts';
import type {Attachment, Prompt} from '../chat/prompt.ts';
import type {Questions} from '../chat/tool.ts';
import type {SummaryRequest} from '../context/summarize.ts';
import type {ServerVerb} from './commands/server-view.ts';
import type {MenuValue, ValueSource} from './list/menu.ts';
import type {Question} from './question/question.ts';
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
	/** Set for a prompt the user has to read before sending. */
	readonly isDraft?: true;
};

/** A saved conversation, ready to go on. */
export type OpenedSession = {
	readonly conversation: Conversation;
	/** The next request's options. */
	readonly options: ChatOptions;
	/** An unanswered prompt. */
	readonly draft: Prompt | undefined;
	/** Printed above its last turns. */
	readonly notices: readonly string[];
};

/** The service a session moves to. */
export type SwitchedService = {
	/** The service's everyday name. */
	readonly title: string;
	readonly model: string;
	/** Request fields from the profile. */
	readonly options: Partial<ChatOptions>;
	readonly isSaved: boolean;
	readonly notices: readonly string[];
};

/** The room for a request. */
export type ContextWindow = {
	/** In tokens; undefined if unknown. */
	readonly window: number | undefined;
	/** The tools sent with the next request. */
	readonly tools: readonly ToolDefinition[];
};

export type ReplServices = {
	/** Asks the user, and returns the answer. */
	ask<Answer>(question: Question<Answer>): Promise<Answer>;
	/** Finds the model's context window. */
	findWindow(model: string, signal: AbortSignal): Promise<ContextWindow>;
	/** @throws {ChatError} if there is no whole summary */
	summarize(request: SummaryRequest, signal: AbortSignal): Promise<string>;
	/**
	 * Lends the terminal to a connection dialog, and switches to the new service. Returns undefined
	 * if the user decides against it.
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
	/** Reads a paste's files if it consists only of their paths; otherwise returns undefined. */
	loadDropped(text: string): Promise<Loaded | undefined>;
	/**
	 * Reads the files and server resources among the texts after at signs, skipping the others.
	 *
	 * @throws {ChatError} if one cannot be sent
	 */
	loadMentions(mentions: readonly string[]): Promise<readonly LoadedMention[]>;
	/**
	 * Makes a prompt from a template, or lets a server make one; the attachments go along.
	 *
	 * @throws {ChatError} if there is neither, or the call is wrong
	 */
	expandTemplate(call: TemplateCall, attachments: readonly Attachment[]): Promise<ExpandedTemplate>;
	/** @throws {ChatError} if the template is missing or unreadable */
	explainTemplate(name: string): Promise<TableGroup['rows']>;
	/**
	 * Shows or switches one of the run's MCP servers.
	 *
	 * @throws {ChatError} if it cannot be started
	 */
	askServer(verb: ServerVerb, name: string): Promise<PlainEntry>;
	/** @throws if they cannot be listed */
	listValues(source: ValueSource): Promise<readonly MenuValue[]>;
	/** @throws {ChatError} if the conversation is missing or unreadable */
	openSession(word: string): Promise<OpenedSession>;
	/** Names the running conversation, unless the title is empty, and returns a line about its name. */
	nameConversation(title: string): Promise<string>;
	/**
	 * Writes the conversation to a new file; without a path, to one named after its title. Returns
	 * a line about it, like the functions below.
	 *
	 * @throws {ChatError} if it cannot be written
	 */
	exportConversation(path: string, state: ReplState): Promise<string>;
	/** Returns the conversation as Markdown. */
	printConversation(state: ReplState): Promise<string>;
	/**
	 * Copies a text to the clipboard; `isPartial`: more may follow.
	 *
	 * @throws {ChatError} if there is no clipboard for it
	 */
	copy(text: string, isPartial: boolean): Promise<string>;
	/**
	 * Writes a text to a new file; `part` is its code block number, or empty.
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
	/** Opens a page in the user's browser; resolves with whether there is one. */
	openPage(url: URL): Promise<boolean>;
	/** Monotonic clock, in milliseconds. */
	now(): number;
	/** Milliseconds since 1970. */
	date(): number;
	createId(): string;
};
