/** Sessions in a folder of their own, written by the recorder and by hand. */
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {
	applyChange,
	type Conversation,
	type ConversationChange,
	createConversation,
	reduceConversation,
} from '../../src/chat/conversation.ts';
import type {ChatEvent} from '../../src/chat/event.ts';
import type {Prompt, Typed} from '../../src/chat/prompt.ts';
import {createRedactor} from '../../src/redact.ts';
import {createMediaStore} from '../../src/sessions/media-store.ts';
import {readSession, type StoredSession} from '../../src/sessions/read-session.ts';
import {createRecorder, type Recorder, type SessionSettings} from '../../src/sessions/recorder.ts';
import {listSessionFiles} from '../../src/sessions/session-files.ts';
import {sessionPath} from '../../src/sessions/session-path.ts';
import {textDelta, turnEnd} from '../helpers/events.ts';
import {stepEnd, stepStart} from '../repl/play.ts';

export const secret = 'sk-very-secret-0123456789';

const settings: SessionSettings = {
	model: 'm',
	service: 'https://api.example.com/',
	system: '',
	options: {},
};

/** Returns a new folder for sessions, which does not exist yet. */
export function createFolder(): string {
	const home = mkdtempSync(join(tmpdir(), 'chat-sessions-'));
	onTestFinished(() => rmSync(home, {recursive: true, force: true}));
	return join(home, 'state', 'chat');
}

export const createTestMedia = (folder: string) => createMediaStore(folder, () => 'draft');

const created = Date.UTC(2026, 10, 22, 2, 47, 45);

type Asked = Pick<Prompt, 'folds'> & {
	/** Milliseconds since 1970. */
	readonly at?: number;
	readonly typed?: Typed;
};

export type Writer = {
	readonly recorder: Recorder;
	conversation(): Conversation;
	change(...changes: readonly ConversationChange[]): void;
	/** Starts a turn, whose id is the text of its prompt. */
	ask(text: string, attachments?: Prompt['attachments'], more?: Asked): void;
	/** Events of the turn, with its end if they have it. */
	receive(events: readonly ChatEvent[], now?: number): void;
	/** A whole turn. */
	chat(text: string): void;
};

/** Records a new session, a copy of a conversation, or goes on with a stored one. */
export function openWriter(
	directory: string,
	id: string,
	before: StoredSession | Conversation = createConversation(),
	cwd = '/home/ada',
): Writer {
	const isStored = 'path' in before;
	let conversation = isStored ? before.conversation : before;
	const start = isStored ? before : {created, cwd, forkOf: undefined};
	const recorder = createRecorder(
		{directory, id, start, conversation},
		{redact: createRedactor([secret]), createMediaStore: createTestMedia},
	);
	const change = (...changes: readonly ConversationChange[]) => {
		for (const one of changes) {
			conversation = applyChange(conversation, one);
			recorder.record(one, () => ({settings, conversation}));
		}
	};
	const writer: Writer = {
		recorder,
		conversation: () => conversation,
		change,
		ask(text, attachments = [], more = {}) {
			const {folds} = more;
			const prompt = {text, attachments, folds};
			const startedAt = more.at ?? created;
			const turn = {id: text || 'empty', prompt, model: 'm', startedAt};
			change({type: 'turn-started', turn, now: 0, typed: more.typed});
		},
		receive(events, now = 0) {
			const {open} = conversation;
			if (open === undefined) throw new Error('no turn');
			const after = events.reduce(
				(current, event) => reduceConversation(current, event, now),
				conversation,
			);
			if (after.open !== undefined) return change({type: 'turn-advanced', events, now});
			const turn = after.turns.find((ended) => ended.id === open.id);
			change({type: 'turn-ended', id: open.id, turn});
		},
		chat(text) {
			writer.ask(text);
			writer.receive([stepStart, textDelta(`answer to ${text}`), stepEnd(), turnEnd]);
		},
	};
	return writer;
}

export function pathOf(directory: string, id: string): string {
	return sessionPath(directory, id, created);
}

export function read(directory: string, id: string): StoredSession {
	const file = listSessionFiles(directory).find((candidate) => candidate.id === id);
	if (file === undefined) throw new Error(`no session ${id}`);
	return readSession(file);
}

/** Returns the prompts and answers, as text. */
export function textsOf({conversation}: Pick<StoredSession, 'conversation'>): readonly string[] {
	return conversation.turns.flatMap(({prompt, messages}) => [
		prompt.text,
		...messages.flatMap(({parts}) =>
			parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
		),
	]);
}

export function messagesOf({notices}: StoredSession): readonly string[] {
	return notices.map(({message}) => message);
}
