/** Writes a conversation's changes to its file as they happen. */
import {constants} from 'node:fs';
import {dirname} from 'node:path';
import type {AnswerMessage, Conversation, ConversationChange} from '../chat/conversation.ts';
import type {ChatEvent} from '../chat/event.ts';
import type {ToolOutputPart} from '../chat/message.ts';
import type {Attachment, Typed} from '../chat/prompt.ts';
import {makeFolders} from '../files/private-files.ts';
import {toJsonLine} from '../json.ts';
import {type Redact, redactJson} from '../redact.ts';
import {
	type AppendFile,
	createAppendFile,
	FileDeletedError,
	openAppendFile,
} from './append-file.ts';
import type {MediaStore} from './media-store.ts';
import {createPartialAnswer} from './partial-answer.ts';
import type {StoredSession} from './read-session.ts';
import {hasSessions, mediaFolder, sessionPath} from './session-path.ts';
import type {RecordOf} from './session-record.ts';
import {
	answerRecord,
	compactRecord,
	promptRecord,
	type TurnRecord,
	turnRecords,
} from './turn-records.ts';

export type SessionTarget = {
	/** The folder holding saved conversations. */
	readonly directory: string;
	readonly id: string;
	/** The file to continue, or a new one's first record. */
	readonly start: OldSession | SessionHeader;
	/** In a new session its turns are copied first. */
	readonly conversation: Conversation;
};

export type OldSession = Pick<StoredSession, 'path' | 'created' | 'cwd' | 'title' | 'settings'>;

export type SessionHeader = {
	/** Milliseconds since 1970. */
	readonly created: number;
	readonly cwd: string;
	/** The session whose turns are copied. */
	readonly forkOf: string | undefined;
	/** Names the copied conversation from another program: `chatgpt:…`. */
	readonly source?: string | undefined;
};

/** A session's settings for the turns to come. */
export type SessionSettings = Readonly<Omit<RecordOf<'settings'>, 'type'>>;

export type RecordedState = {
	/** The next request's settings. */
	readonly settings: SessionSettings;
	/** The conversation after the change. */
	readonly conversation: Conversation;
};

export type RecorderOptions = {
	/** Masks the known secrets. */
	readonly redact: Redact;
	/** Stores media in a folder, apart from the records; undefined keeps them in the records. */
	readonly createMediaStore: ((folder: string) => MediaStore) | undefined;
};

export interface Recorder {
	readonly id: string;
	/** The file, which the first prompt creates. */
	readonly path: string;
	/** Whether nothing was ever saved in the folder before. */
	readonly isFirst: boolean;
	/** Whether the file has everything so far; false before the first prompt. */
	isKept(): boolean;
	/**
	 * Never throws: after a failure nothing more is written. If another run has deleted the file, the whole
	 * conversation is written again.
	 *
	 * @param state called only when something is written
	 */
	record(change: ConversationChange, state: () => RecordedState): void;
	/** Gives the session a title, which waits for the first prompt. Never throws. */
	rename(title: string): void;
	/** How often the file was rewritten after another run deleted it. */
	restored(): number;
	/** The first failure to write, which ended the recording. */
	failure(): NodeJS.ErrnoException | undefined;
	/** Waits until the disk has the turn. */
	sync(): void;
	close(): void;
}

/** The file is opened by the first prompt: a session without one leaves nothing. */
export function createRecorder(
	{directory, id, start, conversation}: SessionTarget,
	{redact, createMediaStore}: RecorderOptions,
): Recorder {
	const path = 'path' in start ? start.path : sessionPath(directory, id, start.created);
	let file: AppendFile | undefined;
	let failure: NodeJS.ErrnoException | undefined;
	let settingsLine = 'path' in start && start.settings ? lineOf(start.settings) : '';
	/** The last turn, ended or under way. */
	let head = conversation.turns.at(-1)?.id ?? null;
	/** Where the head was before the turn under way. */
	let parent = head;
	let partial = createPartialAnswer(0);
	/** The prompt of the turn under way, as typed. */
	let typed: Typed | undefined;
	/** Records of the answer under way. */
	let partials: TurnRecord[] = [];
	let title: string | undefined;
	let restored = 0;

	/** @param onDeleted called if another run has deleted the file */
	const attempt = (write: () => void, onDeleted?: () => void) => {
		if (failure !== undefined) return;
		try {
			write();
		} catch (error) {
			if (onDeleted && error instanceof FileDeletedError) attempt(onDeleted);
			else failure = error as NodeJS.ErrnoException;
		}
	};
	const lineOfRecord = (record: object) => toJsonLine(redactJson(record, redact));
	const append = (record: object) => file?.append(lineOfRecord(record));
	const media = createMediaStore?.(mediaFolder(path));
	const storePart: MediaStore['storePart'] = (part) => media?.storePart(part) ?? part;
	const packParts = (parts: readonly ToolOutputPart[]) =>
		parts.map((part) => (part.type === 'image' ? storePart(part) : part));
	const packMessage = (message: AnswerMessage) =>
		message.role === 'tool' ? {...message, parts: packParts(message.parts)} : message;
	const packAttachment = (attachment: Attachment) =>
		attachment.type === 'file' ? attachment : {...attachment, part: storePart(attachment.part)};
	const packEvent = (event: ChatEvent) =>
		event.type === 'tool-result' ? {...event, parts: packParts(event.parts)} : event;

	const appendTurn = (record: TurnRecord) => {
		switch (record.type) {
			case 'user':
				return append({...record, attachments: record.attachments.map(packAttachment)});
			case 'answer':
				return append({...record, messages: record.messages.map(packMessage)});
			case 'partial':
				return append({...record, events: record.events.map(packEvent)});
			case 'compact':
			case 'head':
				return append(record);
			default:
				return record satisfies never;
		}
	};
	const writePartial = (of: string, now: number) => {
		const {ms, events} = partial.take(now);
		if (events.length === 0) return;
		const record = {type: 'partial', of, ms, events} as const;
		partials.push(record);
		appendTurn(record);
	};
	const open = (state: () => RecordedState) => {
		if ('path' in start) file ??= openAppendFile(path);
		else if (file === undefined) {
			file = createAppendFile(path);
			begin(start, conversation, state);
		}
		writeSettings(state);
	};
	const begin = (
		{created, cwd, forkOf, source, restored}: SessionHeader & {readonly restored?: number},
		whole: Conversation,
		state: () => RecordedState,
	) => {
		const time = new Date(created).toISOString();
		append({v: 1, type: 'session', id, created: time, cwd, forkOf, source, restored});
		if (title !== undefined) writeTitle(title);
		writeSettings(state);
		for (const record of turnRecords(whole)) appendTurn(record);
	};
	/** Two runs may do so at once: a duplicate counts once. */
	const restore = (state: () => RecordedState) => {
		const {conversation: whole} = state();
		file?.close();
		makeFolders(dirname(path));
		file = openAppendFile(path, constants.O_CREAT);
		settingsLine = '';
		if ('path' in start) title ??= start.title;
		begin({forkOf: undefined, ...start, restored: file.created}, whole, state);
		parent = whole.turns.at(-1)?.id ?? null;
		if (whole.open !== undefined) {
			appendTurn(promptRecord(whole.open, parent, typed));
			partials.forEach(appendTurn);
		}
		head = whole.open?.id ?? parent;
		restored += 1;
	};
	const writeTitle = (text: string) => file?.amend(lineOfRecord({type: 'title', text}));
	const rename = (text: string) => {
		title = text;
		if ('path' in start) file ??= openAppendFile(path);
		if (file === undefined) return;
		writeTitle(text);
		file.sync();
	};
	const writeSettings = (state: () => RecordedState) => {
		const current = state().settings;
		const line = lineOf(current);
		if (line === settingsLine) return;
		append({type: 'settings', ...current});
		settingsLine = line;
	};
	const write = (change: ConversationChange, state: () => RecordedState) => {
		switch (change.type) {
			case 'turn-started':
				open(state);
				parent = head;
				head = change.turn.id;
				typed = change.typed;
				appendTurn(promptRecord(change.turn, parent, typed));
				partial = createPartialAnswer(change.now);
				partials = [];
				break;
			case 'turn-resumed':
				open(state);
				parent = head;
				partial = createPartialAnswer(change.now);
				partials = [];
				break;
			case 'turn-advanced':
				if (partial.add(change.events, change.now) && head !== null) writePartial(head, change.now);
				break;
			case 'turn-ended':
				if (change.turn !== undefined) appendTurn(answerRecord(change.turn));
				// The prompt stays the last record, so it comes back as a draft.
				else head = parent;
				break;
			case 'head-moved':
				// A turn copied from elsewhere may not be in a file yet.
				open(state);
				moveHead(change.at);
				break;
			case 'compacted':
				open(state);
				appendTurn(compactRecord(change.compaction));
				break;
			case 'compaction-undone':
				open(state);
				append({type: 'uncompact', of: change.id});
				break;
			case 'system-changed':
			case 'turns-cleared':
			case 'replaced':
				break;
			default:
				change satisfies never;
		}
	};
	const moveHead = (at: string | null) => {
		appendTurn({type: 'head', at});
		head = at;
	};

	return {
		id,
		path,
		isFirst: !hasSessions(directory),
		isKept: () => file !== undefined && failure === undefined,
		record: (change, state) =>
			attempt(
				() => write(change, state),
				() => restore(state),
			),
		// A deleted file gets its title when it is written again.
		rename: (text) =>
			attempt(
				() => rename(text),
				() => {},
			),
		restored: () => restored,
		failure: () => failure,
		sync: () => attempt(() => file?.sync()),
		close: () => attempt(() => file?.close()),
	};
}

function lineOf({model, service, system, options}: SessionSettings): string {
	return toJsonLine({model, service, system, options});
}
