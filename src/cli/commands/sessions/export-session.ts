/** `chat sessions export`: prints a whole conversation for people or other programs. */
import type {Conversation, Turn} from '../../../chat/conversation.ts';
import type {ExitCode} from '../../../errors.ts';
import {printExact, printInfo} from '../../../output/print.ts';
import {withoutReasoning} from '../../../sessions/export/exported-session.ts';
import {findSession} from '../../../sessions/find-session.ts';
import {type StoredSession, withUnanswered} from '../../../sessions/read-session.ts';
import {loadWriter} from '../../run/saving/export-writers.ts';
import {readStored} from '../../run/saving/resume-session.ts';
import type {VerbRun} from './session-verb.ts';

export async function exportSession({
	words,
	flags,
	directory,
	environment,
}: VerbRun): Promise<ExitCode> {
	const session = readStored(findSession(directory, words[0] ?? ''), directory);
	for (const {message} of session.notices) printInfo(message, environment);
	const {id, title, created, settings} = session;
	const conversation = withDraft(session);
	const write = await loadWriter(flags.format);
	const text = write({
		id,
		title,
		created,
		model: settings?.model ?? conversation.turns.at(-1)?.model ?? '',
		conversation: flags.keepReasoning ? conversation : withoutReasoning(conversation),
	});
	return await printExact(text, environment);
}

/** Adds the prompt that a run left without an answer. */
function withDraft(session: StoredSession): Conversation {
	const {id, draft, updated, settings} = session;
	const conversation = withUnanswered(session);
	if (draft === undefined) return conversation;
	const turn: Turn = {
		id: `${id}-draft`,
		prompt: draft,
		model: settings?.model ?? '',
		messages: [],
		times: {startedAt: updated, reasoningMs: 0, totalMs: 0},
		status: 'incomplete',
	};
	return {...conversation, turns: [...conversation.turns, turn]};
}
