/** `/compact`: asks for a summary, and shows it in the editor; only the user can apply it. */
import {type Compaction, placeCompactions} from '../../chat/compaction.ts';
import type {Attachment} from '../../chat/prompt.ts';
import {estimateText} from '../../context/estimate-tokens.ts';
import {aboutTokens, ratioOf} from '../../context/fit.ts';
import {type CompactionPlan, planResults, planSummary} from '../../context/plan-compaction.ts';
import {formatCount, formatSize, nameTurns, plural} from '../../wording.ts';
import {printNotice, sequence, type Update, update} from '../action.ts';
import {nameAttachments} from '../commands/attachment-commands.ts';
import {expand, moveTo} from '../editor/buffer.ts';
import {emptyEditor} from '../editor/history.ts';
import {bufferOfText} from '../editor/prompt-text.ts';
import {printOrShow, showNotice} from '../popup.ts';
import type {ReplState, SummaryDraft} from '../state.ts';
import {compactTask, startTask} from '../task.ts';
import {changeConversation} from '../turn/change-conversation.ts';
import {withoutEdit} from '../turn/prompt-edit.ts';

/** @param wish the user's words on what matters; may be empty */
export function startCompaction(state: ReplState, wish: string): Update {
	const {conversation, options} = state;
	if (options.model === '') return showNotice(state, 'no model is set; /model NAME sets one');
	if (state.queue.length > 0 && !state.isQueueHeld) {
		return showNotice(state, 'a prompt is being prepared; try again');
	}
	const plan = planSummary(conversation, ratioOf(conversation, options.model));
	if (plan === undefined) {
		return showNotice(state, 'nothing to compact: the last turn stays, and there is no other');
	}
	return startTask(state, {
		name: compactTask,
		isBrief: true,
		run: ({summarize}, {conversation, options}, signal) =>
			summarize({conversation, plan, wish, options}, signal),
		done: (ended, text) => update(openSummary(ended, plan, text)),
		fail: (ended, error) =>
			error.kind === 'interrupted'
				? showNotice({...ended, isQueueHeld: ended.queue.length > 0}, 'nothing was compacted')
				: printOrShow(
						{...ended, isQueueHeld: ended.queue.length > 0},
						{type: 'error', error, next: 'nothing was compacted'},
					),
	});
}

/** Shows a summary in place of the draft. */
function openSummary(before: ReplState, plan: CompactionPlan, text: string): ReplState {
	const state = withoutEdit(before);
	const {editor, attachments, date} = state;
	const names = nameAttachments(mediaIn(state, plan));
	const whole = names === '' ? text : `${text}\n\nNo longer attached: ${names}`;
	const {kills, vi} = editor;
	// Unfolded, and from its beginning: it has to be read.
	const buffer = moveTo(bufferOfText({text: whole, folds: [], attachments: []}), {
		line: 0,
		column: 0,
	});
	return {
		...state,
		...{search: undefined, menu: undefined, tree: undefined, popup: undefined},
		editing: {summary: {...plan, openedAt: date}, turnIds: [], editor, attachments},
		editor: {...emptyEditor, buffer, kills, vi},
		attachments: [],
	};
}

/** Returns the attachments that a summary cannot contain: text files are part of it. */
function mediaIn({conversation}: ReplState, {first, last}: CompactionPlan): readonly Attachment[] {
	return conversation.turns
		.slice(first - 1, last)
		.flatMap(({prompt}) => prompt.attachments.filter(({type}) => type !== 'file'));
}

/** Returns `compacts turns 1–14, 38,200 → about 2,100 tokens`. */
export function describeSummary(summary: SummaryDraft, {editor, ...state}: ReplState): string {
	const ratio = ratioOf(state.conversation, state.options.model) ?? 1;
	const after = aboutTokens(estimateText(expand(editor.buffer)) * ratio);
	const before = formatCount(Number(summary.tokens.toPrecision(3)));
	return `compacts ${nameTurns(summary)}, ${before} → ${after} tokens`;
}

/** Makes the summary in the editor count, and shows the draft again. */
export function applySummary(state: ReplState, summary: SummaryDraft): Update {
	const text = expand(state.editor.buffer).trim();
	if (text === '') return showNotice(state, 'an empty summary compacts nothing; Esc drops it');
	const told = `${nameTurns(summary)} ${summary.first === summary.last ? 'is' : 'are'} sent as this summary; /undo takes it back`;
	return addCompaction(withoutEdit(state), {...summary, kind: 'summary', text}, told);
}

/** Leaves a plan's turns out of requests. */
export function omitTurns(plan: CompactionPlan): (state: ReplState) => Update {
	const {tokens} = plan;
	const told = `the oldest turns (${nameTurns(plan)}, ${aboutTokens(tokens)} tokens) left out of requests; /undo takes it back`;
	return (state) => addCompaction(state, {...plan, kind: 'omission', text: ''}, told);
}

/** `/compact tools`: leaves out large tool results of older turns. */
export function omitResults(state: ReplState): Update {
	const plan = planResults(state.conversation);
	if (plan === undefined) {
		return showNotice(state, 'no tool result over 8 KiB is older than 4 turns');
	}
	const {count, length} = plan;
	const told = `${plural(count, 'tool result')} (${formatSize(length)}) left out of requests; /undo takes it back`;
	return addCompaction(state, {...plan, kind: 'results', text: ''}, told);
}

function addCompaction(
	state: ReplState,
	{parent, from, to, kind, text}: Omit<Compaction, 'id'>,
	told: string,
): Update {
	// The same action may start a turn, which has its own id.
	const compaction = {id: `compact-${state.nextTurnId}`, parent, from, to, kind, text};
	return sequence(
		state,
		(current) =>
			changeConversation({...current, isFullAsked: false}, {type: 'compacted', compaction}),
		(current) => update(current, printNotice(told)),
	);
}

/** Takes back the compaction made after the last turn; undefined without one. */
export function undoCompaction(state: ReplState): Update | undefined {
	const {turns, compactions} = state.conversation;
	const head = turns.at(-1)?.id;
	const placed = placeCompactions(turns, compactions);
	const last = placed.findLast(({compaction}) => compaction.parent === head);
	if (last === undefined) return undefined;
	const {id} = last.compaction;
	const range = nameTurns({first: last.first + 1, last: last.last + 1});
	const told = `compaction undone: ${range} ${last.first === last.last ? 'is' : 'are'} sent whole again`;
	return sequence(
		state,
		(current) => changeConversation(current, {type: 'compaction-undone', id}),
		(current) => update(current, printNotice(told)),
	);
}
