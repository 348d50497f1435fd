/** An existing conversation's records, for a new session file or an export. */
import type {Compaction} from '../chat/compaction.ts';
import {type Conversation, type Turn, type TurnStart, treeOf} from '../chat/conversation.ts';
import type {ChatEvent} from '../chat/event.ts';
import type {Prompt, Typed} from '../chat/prompt.ts';
import type {RecordOf} from './session-record.ts';

/** Records with media as messages have them: not stored yet. */
export type TurnRecord =
	| (Omit<RecordOf<'user'>, 'attachments' | 'folds' | 'typed'> &
			Pick<Prompt, 'attachments' | 'folds'> & {readonly typed?: Typed | undefined})
	| (Omit<RecordOf<'answer'>, 'messages'> & Pick<Turn, 'messages'>)
	| (Omit<RecordOf<'partial'>, 'events'> & {readonly events: readonly ChatEvent[]})
	| RecordOf<'compact' | 'head'>;

export function promptRecord(turn: TurnStart, parent: string | null, typed?: Typed): TurnRecord {
	const {id, model, startedAt, prompt} = turn;
	const {text, attachments, folds} = prompt;
	const at = new Date(startedAt).toISOString();
	return {type: 'user', id, parent, at, model, text, attachments, folds, typed};
}

export function answerRecord(turn: Turn): TurnRecord {
	const {id, status, messages, usage, cut, quotations, times} = turn;
	const {reasoningMs, totalMs} = times;
	const record = {
		type: 'answer',
		of: id,
		status,
		messages,
		usage,
		cut,
		reasoningMs,
		totalMs,
	} as const;
	return quotations === undefined ? record : {...record, quotations: [...quotations]};
}

export function compactRecord(compaction: Compaction): RecordOf<'compact'> {
	return {type: 'compact', ...compaction};
}

/** Returns the records of all turns, each after its parent, of compactions, and of the head. */
export function turnRecords(conversation: Conversation): readonly TurnRecord[] {
	const records = treeOf(conversation).flatMap(({turn, parent}) => {
		const prompt = promptRecord({...turn, startedAt: turn.times.startedAt}, parent);
		return isAnswered(turn) ? [prompt, answerRecord(turn)] : [prompt];
	});
	const compactions = (conversation.compactions ?? []).map(compactRecord);
	const head = {type: 'head', at: conversation.turns.at(-1)?.id ?? null} as const;
	return [...records, ...compactions, ...(conversation.otherTurns.length === 0 ? [] : [head])];
}

/** Whether a turn has any result: usage alone counts. */
export function isAnswered({messages, usage}: Turn): boolean {
	return messages.length > 0 || usage !== undefined;
}
