/** Enter: runs a command, or sends the prompt with its mentioned files. */
import {hasContent} from '../../chat/prompt.ts';
import {sequence, type Update, update} from '../action.ts';
import {isCommand} from '../commands/command.ts';
import {findCommandIn, readCall, runSlashCommand} from '../commands/slash-commands.ts';
import {applySummary} from '../compact/start-compaction.ts';
import {emptyBuffer, expand, isEmpty, lineAt} from '../editor/buffer.ts';
import {changeText} from '../editor/change-editor.ts';
import {continueLine, insertPasted, insertTyped} from '../editor/edit.ts';
import {clearIntoHistory} from '../editor/history.ts';
import {slashSign} from '../editor/signs.ts';
import {findMentions} from '../list/mentions.ts';
import {followText} from '../list/reduce-menu.ts';
import {showNotice} from '../popup.ts';
import {restartArmingIn} from '../question/reduce-question.ts';
import type {QueuedPrompt, ReplState, SummaryDraft} from '../state.ts';
import {isAttaching, isBusy, isOpening} from '../task.ts';
import {preparePrompt} from './prepare.ts';
import {beginEdit, endEdit, leaveEdit, turnInEdit} from './prompt-edit.ts';
import {promptOf} from './prompts.ts';
import {sendNext, startTurn} from './reduce-turn.ts';

/**
 * Continues the line after a `\`, runs a command, or sends the prompt; during an answer, queues it.
 */
function submit(state: ReplState): Update {
	const {buffer} = state.editor;
	const {summary} = state.editing ?? {};
	if (summary !== undefined) return submitSummary(state, summary);
	const continued = continueLine(buffer);
	if (continued !== undefined) {
		return update({...state, editor: changeText(state.editor, () => continued)});
	}
	const text = expand(buffer);
	const isTyped = lineAt(buffer, 0).startsWith(slashSign);
	if (!isTyped && isCommand(text)) return showNotice(state, notTyped);
	const command = isTyped ? runCommand(state, text) : undefined;
	if (command !== undefined) return command;
	const prompt = promptOf(buffer, state.attachments);
	if (!hasContent(prompt.text)) {
		return state.editing === undefined
			? sendNext({...state, isQueueHeld: false})
			: leaveEdit(state);
	}
	const meant =
		state.attachments.length === 0 ? commandWords.get(text.trim().toLowerCase()) : undefined;
	if (meant !== undefined && state.doubted !== text) {
		return showNotice({...state, doubted: text}, `${meant}; Enter again sends it as a prompt`);
	}
	if (isAttaching(state)) return showNotice(state, 'a file is still being read; try again');
	const mentions = findMentions(prompt);
	const call = isTyped ? readCall(prompt.text) : undefined;
	const sent = {...prompt, replaces: turnInEdit(state)?.id};
	const cleared = takeDraft(state);
	if (call === undefined && mentions.length === 0) return enterPrompt(cleared, sent);
	const queued = {...sent, mentions, ...(call && {call})};
	return preparePrompt(enqueue(cleared, queued), queued);
}

/** Keys typed before the summary could be read are not meant for it. */
const readingMs = 600;

function submitSummary(state: ReplState, summary: SummaryDraft): Update {
	const text = expand(state.editor.buffer);
	const isTyped = lineAt(state.editor.buffer, 0).startsWith(slashSign);
	if (isTyped && findCommandIn(text) !== undefined) return showNotice(state, openSummaryNote);
	if (state.date - summary.openedAt < readingMs) return showNotice(state, openSummaryNote);
	return sequence(state, (current) => applySummary(current, summary), sendNext);
}

const openSummaryNote = 'a summary is open: Enter applies it, Esc drops it';

const exitWords = ['exit', 'exit()', 'quit', 'quit()', 'bye', 'logout', ':q', ':q!', ':wq'];
const helpWords = ['help', '?'];

/**
 * Words for leaving other programs, or asking for help there: a service would charge for an answer.
 */
const commandWords: ReadonlyMap<string, string> = new Map([
	...exitWords.map((word) => [word, 'to exit: /exit or Ctrl-D'] as const),
	...helpWords.map((word) => [word, 'for help: /help'] as const),
]);

/** Opens a command's list if its argument is missing; submits any other text. */
export function submitOrList(state: ReplState): Update {
	const {buffer} = state.editor;
	const text = expand(buffer);
	const typed = lineAt(buffer, 0).startsWith(slashSign) ? findListed(text) : undefined;
	if (typed === undefined) return submit(state);
	const command = insertTyped(emptyBuffer, typed);
	return followText({...state, editor: changeText(state.editor, () => command)}, 'tab');
}

/** Returns the text before the list. */
function findListed(text: string): string | undefined {
	if (isMenuCall(text)) return '/';
	const {command, argument} = findCommandIn(text) ?? {};
	return command?.opensList && argument?.trim() === '' ? `/${command.name} ` : undefined;
}

/** Takes the draft out of the editor, into the history. */
function takeDraft(state: ReplState): ReplState {
	const {editing} = state;
	if (editing === undefined) return remember({...state, attachments: [], doubted: undefined});
	const next = remember(endEdit(state));
	const {buffer, past, future} = editing.editor;
	return {...next, editor: {...next.editor, buffer, past, future}};
}

/** Runs a command. One leaving the conversation unchanged shows the edited prompt again. */
function runCommand(state: ReplState, text: string): Update | undefined {
	const ran = runSlashCommand(endEdit(state), text);
	if (state.editing === undefined || ran === undefined) return ran;
	const {state: next, effects} = ran;
	const {editor, conversation} = state;
	const isOther = next.editing !== undefined || next.tree !== undefined || isOpening(next);
	const isPicking = effects.some(({type}) => type === 'pick-session');
	if (isOther || isPicking || next.conversation !== conversation) return ran;
	return next.editor.buffer === editor.buffer
		? update({...state, popup: next.popup}, ...effects)
		: update(beginEdit(next, editor.history.index), ...effects);
}

const notTyped =
	'a / that was not typed runs nothing: type it again to run this, or a space before it to send it';

/** Submits a text in place of the draft, which goes to the history; after a command it stays. */
export function enterText(state: ReplState, text: string): Update {
	const isAgain = text === '' || text === state.doubted;
	const doubted = isAgain ? state.doubted : undefined;
	const closed: ReplState = {...state, doubted, popup: undefined, armedKey: undefined};
	return sequence(closed, restartArmingIn, (current) => submitEntered(current, text));
}

function submitEntered(state: ReplState, text: string): Update {
	if (text === '') return submit(state);
	// Where no menu is shown, the help lists the commands.
	const line = isMenuCall(text) ? '/help' : text;
	const folded = insertPasted(emptyBuffer, line);
	const buffer = folded.pastes.length > 0 ? folded : insertTyped(emptyBuffer, line);
	const submitText = (current: ReplState) =>
		submit({...current, editor: {...current.editor, buffer}});
	if (!isCommand(expand(buffer))) {
		return submitText(state.editing === undefined ? remember(state) : state);
	}
	const {state: next, effects} = submitText(state);
	// After a command the draft is still there; an unknown command comes back for retyping.
	const isTaken = next.editor.buffer !== buffer;
	const before = (state.editing?.editor ?? state.editor).buffer;
	// A failed call gives way to the next one.
	const kept = isCommand(expand(before)) ? emptyBuffer : before;
	const {editing} = next;
	if (editing !== undefined) {
		const editor = isTaken ? next.editor : state.editor;
		const waiting = {...editing, editor: {...editing.editor, buffer: kept}};
		return update({...next, editor, editing: waiting}, ...effects);
	}
	const draft = isEmpty(next.editor.buffer) || !isTaken ? kept : next.editor.buffer;
	return update({...next, editor: {...next.editor, buffer: draft}}, ...effects);
}

/** Whether a text asks for the commands. */
function isMenuCall(text: string): boolean {
	return /^\/\??\s*$/.test(text);
}

/** Clears the editor into the history. */
export function remember(state: ReplState): ReplState {
	return {...state, editor: clearIntoHistory(state.editor)};
}

/** Held prompts wait for a new one: the editor may contain an earlier one, which failed. */
function isNext(state: ReplState): boolean {
	const {turn, queue, isQueueHeld} = state;
	return turn === undefined && !isBusy(state) && (queue.length === 0 || isQueueHeld);
}

function enterPrompt(state: ReplState, prompt: QueuedPrompt): Update {
	return isNext(state) ? startTurn(state, prompt) : update(enqueue(state, prompt));
}

function enqueue(state: ReplState, prompt: QueuedPrompt): ReplState {
	const isQueueHeld = state.isQueueHeld && isOpening(state);
	const queue = isNext(state) ? [prompt, ...state.queue] : [...state.queue, prompt];
	return {...state, queue, isQueueHeld};
}
