/** Templates as slash commands: `/review security`. */
import type {Prompt} from '../chat/prompt.ts';
import type {ChatError} from '../errors.ts';
import {shorten} from '../wording.ts';
import {
	type ExpandedTemplate,
	print,
	printNotice,
	sequence,
	type TemplateAction,
	type Update,
	update,
} from './action.ts';
import {withoutChips} from './editor/prompt-text.ts';
import {printOrShow, showNotice} from './popup.ts';
import {changeConversation, sendNext, withOptions} from './reduce-turn.ts';
import {confirm} from './request-commands.ts';
import {lineOfPrompt, restorePrompt} from './session-prompt.ts';
import {describeUnknown, sendInstead} from './slash-commands.ts';
import {type QueuedPrompt, type ReplState, type TurnSettings, tableOf} from './state.ts';

export function reduceTemplates(state: ReplState, action: TemplateAction): Update {
	switch (action.type) {
		case 'template-explained':
			return printOrShow(state, tableOf(action.rows));
		case 'template-unknown':
			return fail(state, action.name, action.error, '');
		case 'template-expanded':
			return expand(state, action.prompt, action.expanded);
		case 'template-failed': {
			const rest = withoutQueued(state, action.prompt);
			if (rest === undefined) return update(state);
			const {call, mentions: _, ...typed} = action.prompt;
			const restored = restorePrompt({...rest, isQueueHeld: rest.queue.length > 0}, typed);
			return fail(restored, call?.name ?? '', action.error, ` ${sendInstead}`);
		}
		default:
			return action satisfies never;
	}
}

/** Returns undefined for a prompt that has left the queue meanwhile. */
function withoutQueued(state: ReplState, prompt: QueuedPrompt): ReplState | undefined {
	const place = state.queue.indexOf(prompt);
	return place === -1 ? undefined : {...state, queue: state.queue.toSpliced(place, 1)};
}

function expand(state: ReplState, queued: QueuedPrompt, expanded: ExpandedTemplate): Update {
	const rest = withoutQueued(state, queued);
	if (rest === undefined) return update(state);
	const {call: _, mentions: __, ...typed} = queued;
	const {prompt, settings, notices} = expanded;
	const report = (current: ReplState) =>
		update(
			current,
			{type: 'history-added', prompts: [withoutChips(typed)]},
			...notices.map(printNotice),
		);
	if (prompt === undefined) {
		return sequence(rest, (current) => takeRole(current, typed, settings), report, sendNext);
	}
	const made = {...foldPrompt(prompt, lineOfPrompt(typed)), origin: {typed, settings}};
	const queue = state.queue.with(state.queue.indexOf(queued), made);
	return sequence({...state, queue}, report, sendNext);
}

/** The text is a fold: what was typed is shown in its place. */
function foldPrompt({text, attachments}: Prompt, typed: string): Prompt {
	const fold = {from: 0, to: text.length, label: shorten(typed, maxLabel)};
	return {text, attachments, folds: text === '' ? [] : [fold]};
}

const maxLabel = 120;

/** Changes the settings for the rest of the session. */
function takeRole(state: ReplState, typed: Prompt, {system, options}: TurnSettings): Update {
	const hasOptions = Object.keys(options).length > 0;
	const texts = [
		...(system === undefined ? [] : ['system message set']),
		...(hasOptions ? ['settings of the template set'] : []),
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
		details: {hint},
	} = error;
	if (hint?.code === 'list-templates' || hint?.code === 'did-you-mean') {
		const closest = hint.code === 'did-you-mean' ? [hint.name] : [];
		return showNotice(state, `${describeUnknown(name, closest)}${next}`);
	}
	if (kind === 'usage') return showNotice(state, error.message);
	return update(state, print({type: 'error', error}));
}
