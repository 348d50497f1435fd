/** The work of a session outside its state: turns, files, saved conversations, the clipboard. */
import type {OpenConversation} from '../chat/conversation.ts';
import type {ChatEventBatch} from '../chat/event.ts';
import type {ChatOptions} from '../chat/message.ts';
import type {Attachment} from '../chat/prompt.ts';
import type {Questions} from '../chat/tool.ts';
import type {Effect, ExpandedTemplate, Loaded, LoadedMention, OpenedSession} from './action.ts';
import type {ServerVerb} from './commands/server-view.ts';
import type {MenuValue, ValueSource} from './list/menu.ts';
import type {PlainEntry, ReplState, TableGroup, TemplateCall} from './state.ts';

type CopiedText = Extract<Effect, {type: 'copy'}>;
type SavedText = Extract<Effect, {type: 'save'}>;

export type ReplServices = {
	/** Runs a turn; the screen asks its questions. */
	openTurn(
		conversation: OpenConversation,
		options: ChatOptions,
		signal: AbortSignal,
		questions: Questions,
	): AsyncIterable<ChatEventBatch>;
	/** @throws {ChatError} if it cannot be read */
	load(kind: 'file' | 'image', source: string): Promise<Loaded>;
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
	 * Shows or switches an MCP server of the session.
	 *
	 * @throws {ChatError} if it cannot be started
	 */
	askServer(verb: ServerVerb, name: string): Promise<PlainEntry>;
	/** @throws if they cannot be listed */
	listValues(source: ValueSource): Promise<readonly MenuValue[]>;
	/** @throws {ChatError} if there is no such conversation, or it cannot be read */
	openSession(word: string): Promise<OpenedSession>;
	/**
	 * Returns a line about what was written.
	 *
	 * @throws {ChatError} if nothing was
	 */
	exportConversation(path: string, state: ReplState): Promise<string>;
	/**
	 * Copies a text, or the whole conversation. Returns a line about it.
	 *
	 * @throws {ChatError} if nothing was copied
	 */
	copy(text: CopiedText | 'conversation', state: ReplState): Promise<string>;
	/**
	 * Writes a text to a new file. Returns a line about it.
	 *
	 * @throws {ChatError} if nothing was written
	 */
	save(saved: SavedText): Promise<string>;
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
