/** Templates, and prompts of servers, as slash commands: `/review security`, `/github:review 12`. */
import type {Prompt} from '../../chat/prompt.ts';
import type {ChatError} from '../../errors.ts';
import {shorten} from '../../wording.ts';
import {
	type ExpandedTemplate,
	print,
	printNotice,
	sequence,
	type TemplateAction,
	type Update,
	update,
} from '../action.ts';
import {withoutChips} from '../editor/prompt-text.ts';
import {printOrShow, showNotice} from '../popup.ts';
import {type QueuedPrompt, type ReplState, type TurnSettings, tableOf} from '../state.ts';
import {lineOfPrompt, restorePrompt} from '../turn/prompts.ts';
import {changeConversation, sendNext, withOptions} from '../turn/reduce-turn.ts';
import {confirm} from './request-commands.ts';
import {describeUnknown, sendInstead} from './run-command.ts';
import {describeUnread} from './servers.ts';

export function reduceTemplates(state: ReplState, action: TemplateAction): Update {
	switch (action.type) {
		case 'template-explained':
			return printOrShow(state, tableOf(action.rows));
		case 'template-unknown':
			return fail(state, action.name, action.error, '');
		case 'template-expanded':
			return expand(state, action.prompt, action.expanded);
		case 'template-failed': {
			const {prompt, error} = action;
			const place = state.queue.indexOf(prompt);
			if (place === -1) return update(state);
			const queue = state.queue.toSpliced(place, 1);
			// The prompts after it may need it.
			const isQueueHeld = queue.length > place || (state.isQueueHeld && place > 0);
			const {call, mentions: _, ...typed} = prompt;
			const restored = restorePrompt({...state, queue, isQueueHeld}, typed);
			return fail(restored, call?.name ?? '', error, ` ${sendInstead}`);
		}
		default:
			return action satisfies never;
	}
}

function expand(state: ReplState, queued: QueuedPrompt, expanded: ExpandedTemplate): Update {
	const place = state.queue.indexOf(queued);
	// It has left the queue meanwhile.
	if (place === -1) return update(state);
	const {call: _, mentions: __, ...typed} = queued;
	const {prompt, settings, notices} = expanded;
	const report = (current: ReplState) =>
		update(
			current,
			{type: 'history-added', prompts: [withoutChips(typed)]},
			...notices.map(printNotice),
		);
	const rest = {...state, queue: state.queue.toSpliced(place, 1)};
	if (prompt !== undefined && expanded.isDraft) {
		return sequence(rest, (current) => makeDraft(current, prompt), report, sendNext);
	}
	if (prompt === undefined) {
		return sequence(rest, (current) => takeRole(current, typed, settings), report, sendNext);
	}
	const made = {...foldPrompt(prompt, lineOfPrompt(typed)), origin: {typed, settings}};
	const queue = state.queue.with(place, made);
	return sequence({...state, queue}, report, sendNext);
}

/** Puts a prompt that somebody else has written into the editor, as nothing but text. */
function makeDraft(state: ReplState, {text, attachments}: Prompt): Update {
	// Enter does not send the form of a command.
	const plain = text.replace(/^(?=\/)/, ' ');
	const restored = restorePrompt(state, {text: plain, attachments, folds: []});
	return showNotice(restored, 'the server wrote this draft; read it, then press Enter to send it');
}

/** The text is a fold: what was typed is shown in its place. */
function foldPrompt({text, attachments}: Prompt, typed: string): Prompt {
	const fold = {from: 0, to: text.length, label: shorten(typed, maxLabel)};
	return {text, attachments, folds: text === '' ? [] : [fold]};
}

const maxLabel = 120;

/** Changes the settings for the rest of the session. */
function takeRole(state: ReplState, typed: Prompt, {system, options}: TurnSettings): Update {
	const {model, ...others} = options;
	const texts = [
		...(system === undefined ? [] : ['system message set']),
		...(model === undefined ? [] : [`model changed to ${model}`]),
		...(Object.keys(others).some((key) => key !== 'fieldSources') ? ['settings changed'] : []),
	];
	return sequence(
		{...state, options: withOptions(state.options, options)},
		(current) => update(current, print({type: 'command', text: lineOfPrompt(typed)})),
		(current) =>
			system === undefined
				? update(current)
				: changeConversation(current, {type: 'system-changed', system}),
		(current) => confirm(current, texts.join(', ') || 'the template is empty'),
	);
}

/** Reports a template that cannot be used, or a command that nobody has. */
function fail(state: ReplState, name: string, error: ChatError, next: string): Update {
	const {
		kind,
		details: {hint, closestNames},
	} = error;
	if (closestNames !== undefined) {
		const unread = state.servers.find((server) => name.startsWith(`${server.name}:`));
		if (unread?.isRead === false) return showNotice(state, describeUnread(unread));
		const prompts = state.servers.flatMap((server) => server.prompts.map((prompt) => prompt.name));
		return showNotice(state, `${describeUnknown(name, [...closestNames, ...prompts])}${next}`);
	}
	if (kind === 'usage' && hint === undefined) return showNotice(state, error.message);
	return printOrShow(state, {type: 'error', error});
}
