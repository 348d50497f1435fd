/** Templates, and prompts of servers, as slash commands: `/review security`, `/github:review 12`. */
import type {Prompt} from '../../chat/prompt.ts';
import type {ChatError} from '../../errors.ts';
import {shorten} from '../../wording.ts';
import {print, printNotice, sequence, type Update, update} from '../action.ts';
import {withoutChips} from '../editor/prompt-text.ts';
import {withMentions} from '../list/mentions.ts';
import {printOrShow, showNotice} from '../popup.ts';
import type {ExpandedTemplate} from '../services.ts';
import {type QueuedPrompt, type ReplState, type TurnSettings, tableOf} from '../state.ts';
import {startTask} from '../task.ts';
import {lineOfPrompt, restorePrompt} from '../turn/prompts.ts';
import {changeConversation, sendNext, withOptions} from '../turn/reduce-turn.ts';
import {sendInstead} from './command-form.ts';
import {confirm} from './request-commands.ts';
import {describeUnread} from './servers.ts';

/** Says that nobody has a command of this name; there are these templates. */
type DescribeUnknown = (name: string, templates: readonly string[]) => string;

/** Explains the template, or the prompt of a server, of this name. */
export function explainTemplate(
	state: ReplState,
	name: string,
	describeUnknown: DescribeUnknown,
): Update {
	return startTask(
		state,
		'explain-template',
		async (services) => {
			const rows = await services.explainTemplate(name);
			return (current) => printOrShow(current, tableOf(rows));
		},
		{fail: (error) => (current) => fail(current, name, describeUnknown, error)},
	);
}

/** Makes a prompt of the template that a queued prompt names. */
export function expandTemplate(
	state: ReplState,
	queued: QueuedPrompt,
	describeUnknown: DescribeUnknown,
): Update {
	const {mentions = [], call = {name: '', argument: ''}} = queued;
	return startTask(
		state,
		'expand-template',
		async (services) => {
			const loaded = mentions.length === 0 ? [] : await services.loadMentions(mentions);
			const {attachments} = withMentions(queued, loaded);
			const {notices, ...expanded} = await services.expandTemplate(call, attachments);
			const all = [...loaded.flatMap((files) => files.notices), ...notices];
			return (current) => takeExpanded(current, queued, {...expanded, notices: all});
		},
		{fail: (error) => (current) => refuseCall(current, queued, describeUnknown, error)},
	);
}

/** Puts a call that has failed back into the editor. */
export function refuseCall(
	state: ReplState,
	queued: QueuedPrompt,
	describeUnknown: DescribeUnknown,
	error: ChatError,
): Update {
	const place = state.queue.indexOf(queued);
	if (place === -1) return update(state);
	const queue = state.queue.toSpliced(place, 1);
	// The prompts after it may need it.
	const isQueueHeld = queue.length > place || (state.isQueueHeld && place > 0);
	const {call, mentions: _, ...typed} = queued;
	const restored = restorePrompt({...state, queue, isQueueHeld}, typed);
	const describe: DescribeUnknown = (...names) => `${describeUnknown(...names)} ${sendInstead}`;
	return fail(restored, call?.name ?? '', describe, error);
}

/** Sends the prompt that a template has made, in the place of its call. */
export function takeExpanded(
	state: ReplState,
	queued: QueuedPrompt,
	expanded: ExpandedTemplate,
): Update {
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
	const note = 'the server wrote this draft; read it, then press Enter to send it';
	const {state: next} = showNotice(restored, note);
	return update(next, {type: 'draft-made', prompt: {text, attachments}});
}

/** Folds the whole text under the command that was typed. */
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

/** Reports an unusable template, or an unknown command. */
function fail(
	state: ReplState,
	name: string,
	describeUnknown: DescribeUnknown,
	error: ChatError,
): Update {
	const {hint, closestNames} = error.details;
	if (closestNames !== undefined) {
		const unread = state.servers.find((server) => name.startsWith(`${server.name}:`));
		if (unread?.isRead === false) return showNotice(state, describeUnread(unread));
		const prompts = state.servers.flatMap((server) => server.prompts.map((prompt) => prompt.name));
		return showNotice(state, describeUnknown(name, [...closestNames, ...prompts]));
	}
	if (error.kind === 'usage' && hint === undefined) return showNotice(state, error.message);
	return printOrShow(state, {type: 'error', error});
}
