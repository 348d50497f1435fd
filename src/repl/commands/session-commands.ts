/** `/new`, `/resume`, `/sessions`, `/name`, `/export` and `/private`: conversations, and how they are saved. */

import {type Conversation, treeOf} from '../../chat/conversation.ts';
import {print, printNotice, sequence, type Update, update} from '../action.ts';
import {type Completion, completePath} from '../list/menu.ts';
import {showNotice} from '../popup.ts';
import type {OpenedSession} from '../services.ts';
import type {ReplState} from '../state.ts';
import {startReport, startTask} from '../task.ts';
import {moveHead, switchConversation} from '../turn/change-conversation.ts';
import {restorePrompt} from '../turn/prompts.ts';
import {sendNext} from '../turn/reduce-turn.ts';
import {pastTurns, showTurns} from '../turn/shown-turns.ts';
import {entriesOfPast} from '../turn/turn-entries.ts';
import type {SlashCommand} from './command.ts';

export const sessionCommands: readonly SlashCommand[] = [
	{
		name: 'new',
		group: 'conversation',
		aliases: ['clear'],
		summary: 'start a new conversation (keeps the system message)',
		isBasic: true,
		needsIdle: true,
		run: startConversation,
	},
	{
		name: 'resume',
		group: 'conversation',
		parameters: '[n|id|title]',
		summary: 'switch to another conversation, or choose one',
		isBasic: true,
		needsIdle: true,
		complete: completeSession,
		run: openSession,
	},
	{
		name: 'sessions',
		group: 'conversation',
		summary: 'search saved conversations, and switch to one',
		needsIdle: true,
		run: (state) => update(state, {type: 'pick-session'}),
	},
	{
		name: 'name',
		group: 'conversation',
		parameters: '[title]',
		summary: 'name the conversation, or show its name and its id',
		run: nameConversation,
	},
	{
		name: 'export',
		group: 'conversation',
		parameters: '[file]',
		summary: 'write the conversation to a new .md, .json or .html file',
		needsIdle: true,
		complete: completePath,
		run: (state, path) =>
			startReport(state, {
				name: 'export',
				run: (services, current) => services.exportConversation(path, current),
			}),
	},
	{
		name: 'private',
		group: 'conversation',
		summary: 'save nothing from here on; again: save what follows',
		needsIdle: true,
		run: togglePrivacy,
	},
];

function startConversation(state: ReplState): Update {
	const next: ReplState = {
		...state,
		queue: [],
		isQueueHeld: false,
		attachments: [],
		openFold: undefined,
	};
	const isPrivate = state.privateFrom !== undefined;
	const text = isPrivate ? 'new conversation, still private' : 'new conversation';
	return sequence(
		next,
		(current) => switchConversation(current, {type: 'turns-cleared'}),
		(current) => update(current, printNotice(text)),
	);
}

/** Enter takes a typed number, never another conversation with the number in its title. */
function completeSession(query: string, {earlier}: ReplState): Completion {
	return earlier.length > 0 && isNumber(query)
		? {query, values: [{text: query}]}
		: {query, source: {type: 'sessions'}};
}

function isNumber(word: string): boolean {
	return /^[1-9]$/.test(word);
}

/** Switches to a saved conversation; without a word, lets the user choose one. */
function openSession(state: ReplState, word: string): Update {
	if (word === '') return update(state, {type: 'pick-session'});
	// The number means what was shown, also after the list has left the screen.
	const {id} = (isNumber(word) && state.earlier[Number(word) - 1]) || {id: word};
	return startTask(state, {
		name: 'open-session',
		run: (services) => services.openSession(id),
		done: replaceConversation,
		fail(current, error) {
			// Prompts meant for the other conversation are not sent in this one.
			const isQueueHeld = current.queue.length > 0;
			return update({...current, isQueueHeld}, print({type: 'error', error}));
		},
	});
}

/** Opens the session chosen from a list. */
export function openPicked(state: ReplState, id: string): Update {
	// A prompt typed ahead may have started it.
	if (state.turn !== undefined) return showNotice(state, '/resume is available after the answer');
	return openSession(state, id);
}

/** Returns the ids of all turns and compactions. */
function idsIn(conversation: Conversation): readonly string[] {
	const {compactions = []} = conversation;
	return [...treeOf(conversation).map(({turn}) => turn.id), ...compactions.map(({id}) => id)];
}

/** Keeps the draft, its attachments and held prompts: they are still what the user wants to ask. */
function replaceConversation(
	state: ReplState,
	{conversation, options, draft, notices}: OpenedSession,
): Update {
	const shown = showTurns(state.shown, pastTurns(conversation));
	const next = {...state, options, shown, openFold: undefined};
	const entries = [
		...notices.map((text) => ({type: 'notice', text}) as const),
		...entriesOfPast(conversation, shown),
	];
	return sequence(
		draft === undefined ? next : restorePrompt(next, draft),
		(current) => switchConversation(current, {type: 'replaced', conversation}),
		(current) => update(current, ...entries.map(print)),
		sendNext,
	);
}

/** Names the conversation; without a title, shows its name. */
function nameConversation(state: ReplState, title: string): Update {
	if (!state.isSaved) return showNotice(state, notSaved);
	if (state.privateFrom !== undefined) {
		return showNotice(state, 'a private conversation is not saved, so it has no name');
	}
	return startReport(state, {name: 'name', run: (services) => services.nameConversation(title)});
}

const notSaved = 'saving is off in this run';

/**
 * Stops or resumes saving. A conversation with private turns stays private: a saved answer could
 * repeat them.
 */
function togglePrivacy(state: ReplState): Update {
	const {isSaved, privateFrom, conversation} = state;
	if (!isSaved) return showNotice(state, notSaved);
	if (privateFrom === undefined) {
		return update(
			{...state, privateFrom: conversation},
			{type: 'privacy-changed', isPrivate: true},
			printNotice('private: nothing from here on is saved'),
		);
	}
	const known = new Set(idsIn(privateFrom));
	if (idsIn(conversation).some((id) => !known.has(id))) {
		return showNotice(state, 'private turns cannot be saved later; start a /new conversation');
	}
	return sequence(
		state,
		(current) =>
			update({...current, privateFrom: undefined}, {type: 'privacy-changed', isPrivate: false}),
		// The recorder has not seen where the user went meanwhile.
		(current) =>
			conversation.turns === privateFrom.turns
				? update(current)
				: moveHead(current, conversation.turns.at(-1)?.id ?? null),
		(current) => update(current, printNotice('no longer private: what follows is saved')),
	);
}
