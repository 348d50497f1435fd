/**
 * Prepares a prompt naming files, `see @notes.md`, a template, `/review security`, or a server
 * prompt, `/github:review 12`. It waits in the queue meanwhile.
 */
import type {Prompt} from '../../chat/prompt.ts';
import type {ChatError} from '../../errors.ts';
import {shorten} from '../../wording.ts';
import {print, printNotice, sequence, type Update, update} from '../action.ts';
import {sendInstead} from '../commands/command.ts';
import {confirmChange} from '../commands/request-commands.ts';
import {reportCallError} from '../commands/slash-commands.ts';
import {withMentions} from '../list/mentions.ts';
import {showNotice} from '../popup.ts';
import type {ExpandedTemplate, LoadedMention} from '../services.ts';
import type {QueuedPrompt, ReplState, TurnSettings} from '../state.ts';
import {startTask} from '../task.ts';
import {changeConversation} from './change-conversation.ts';
import {lineOfPrompt, restorePrompt} from './prompts.ts';
import {sendNext, withOptions} from './reduce-turn.ts';

/** @param queued is in the queue */
export function preparePrompt(state: ReplState, queued: QueuedPrompt): Update {
	const {mentions = [], call} = queued;
	return startTask(state, {
		name: 'prepare-prompt',
		async run({loadMentions, expandTemplate}) {
			const loaded = mentions.length === 0 ? [] : await loadMentions(mentions);
			const {attachments} = withMentions(queued, loaded);
			return {loaded, expanded: call && (await expandTemplate(call, attachments))};
		},
		done: (current, {loaded, expanded}) => takePrepared(current, queued, loaded, expanded),
		fail: (current, error) => returnUnprepared(current, queued, error),
	});
}

/** Sends a prepared prompt, unless it has left the queue meanwhile. */
export function takePrepared(
	state: ReplState,
	queued: QueuedPrompt,
	loaded: readonly LoadedMention[],
	expanded?: ExpandedTemplate,
): Update {
	const place = state.queue.indexOf(queued);
	if (place === -1) return update(state);
	const {call: _, mentions: __, ...typed} = queued;
	const taken =
		expanded === undefined
			? update({...state, queue: state.queue.with(place, withMentions(typed, loaded))})
			: takeExpanded(state, place, typed, expanded);
	const texts = [
		...describeMissing(queued, loaded),
		...loaded.flatMap(({notices}) => notices),
		...(expanded?.notices ?? []),
	];
	return sequence(
		state,
		() => taken,
		(current) => update(current, ...texts.map(printNotice)),
		sendNext,
	);
}

/** Says which mentions look like files and are none: a slip would go out unseen. */
function describeMissing(
	{mentions = []}: QueuedPrompt,
	loaded: readonly LoadedMention[],
): readonly string[] {
	const missing = mentions.filter(
		(name) => /[./]/.test(name) && loaded.every(({mention}) => mention !== name),
	);
	const names = missing.map((name) => shorten(name, maxLabel)).join(', ');
	return missing.length === 0 ? [] : [`no such file: ${names}; sent as text`];
}

function takeExpanded(
	state: ReplState,
	place: number,
	typed: QueuedPrompt,
	{prompt, settings, isDraft}: ExpandedTemplate,
): Update {
	const rest = {...state, queue: state.queue.toSpliced(place, 1)};
	if (prompt === undefined) return takeRole(rest, typed, settings);
	const {replaces} = typed;
	if (isDraft) return makeDraft(rest, {...prompt, replaces});
	const made = {...foldPrompt(prompt, lineOfPrompt(typed)), origin: {typed, settings}, replaces};
	return update({...state, queue: state.queue.with(place, made)});
}

/** Puts a failed prompt back into the editor. */
export function returnUnprepared(state: ReplState, queued: QueuedPrompt, error: ChatError): Update {
	const place = state.queue.indexOf(queued);
	if (place === -1) return update(state);
	const queue = state.queue.toSpliced(place, 1);
	// The prompts after it may need it.
	const isQueueHeld = queue.length > place || (state.isQueueHeld && place > 0);
	const {call, mentions: _, ...typed} = queued;
	const restored = restorePrompt({...state, queue, isQueueHeld}, typed);
	return call === undefined
		? update(restored, print({type: 'error', error}))
		: reportCallError(restored, call.name, error, ` ${sendInstead}`);
}

/** Puts another author's prompt into the editor, as mere text. */
function makeDraft(state: ReplState, {text, attachments, replaces}: QueuedPrompt): Update {
	// Enter does not send text resembling a command.
	const plain = text.replace(/^(?=\/)/, ' ');
	const restored = restorePrompt(state, {text: plain, attachments, folds: [], replaces});
	const note = 'the server wrote this draft; read it, then press Enter to send it';
	const {state: next} = showNotice(restored, note);
	return update(next, {type: 'draft-made', prompt: {text, attachments}});
}

/** Folds the whole text under the typed command. */
function foldPrompt({text, attachments}: Prompt, typed: string): Prompt {
	const fold = {from: 0, to: text.length, label: shorten(typed, maxLabel)};
	return {text, attachments, folds: text === '' ? [] : [fold]};
}

const maxLabel = 120;

/** Changes the settings for the remaining run. */
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
		(current) => confirmChange(current, texts.join(', ') || 'the template is empty'),
	);
}
