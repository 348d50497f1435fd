/** Conversations that were exported as JSON or Markdown. */
import type {Conversation, Turn} from '../../chat/conversation.ts';
import {ChatError} from '../../errors.ts';
import type {ReadSession} from '../export/exported-session.ts';
import {isExport, readJsonExport} from '../export/json-format.ts';
import {readMarkdown} from '../export/read-markdown.ts';
import {isAnswered} from '../recorder.ts';
import {endOf, startOf} from './build-turns.ts';
import type {FoundSession, ImportedSession, ImportFormat, Unreadable} from './foreign.ts';

export const ownJsonFormat: ImportFormat = {
	name: 'chat',
	detect: isExport,
	*read(pieces, {now}) {
		for (const {place, value = {}} of pieces) {
			yield attempt(place, () => toImported(readJsonExport(value), now));
		}
	},
};

export function readMarkdownFile(text: string, now: number): FoundSession | Unreadable {
	return attempt('line 1', () => toImported(readMarkdown(text), now));
}

function attempt(place: string, read: () => ImportedSession): FoundSession | Unreadable {
	try {
		return {place, session: read()};
	} catch (error) {
		if (!(error instanceof ChatError)) throw error;
		return {place, problem: error.message};
	}
}

function toImported(
	{id = '', title = '', created, ...read}: ReadSession,
	now: number,
): ImportedSession {
	const dated = created === undefined ? dateTurns(read.conversation, now) : read.conversation;
	const {system, turns} = dated;
	const last = turns.at(-1);
	// A prompt at the end is yet to be answered.
	const isDraft = last !== undefined && !isAnswered(last);
	const conversation = isDraft ? {...dated, turns: turns.slice(0, -1)} : dated;
	return {
		...{id, title, created, conversation, omitted: {}},
		draft: isDraft ? startOf(last) : undefined,
		updated: endOf(last),
		settings: {model: last?.model ?? '', service: '', system, options: {}},
	};
}

/** Markdown that a person wrote has no times. */
function dateTurns(conversation: Conversation, now: number): Conversation {
	const date = (turn: Turn) =>
		turn.times.startedAt === 0 ? {...turn, times: {...turn.times, startedAt: now}} : turn;
	return {...conversation, turns: conversation.turns.map(date)};
}
