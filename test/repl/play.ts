/** Actions for a session, written as a person would describe them, and what comes of them. */
import {expect} from 'vitest';
import {messagesOf as messagesToSend, treeOf} from '../../src/chat/conversation.ts';
import type {ChatEvent, Notice} from '../../src/chat/event.ts';
import type {Attachment, Prompt, Typed} from '../../src/chat/prompt.ts';
import {outputText} from '../../src/chat/tool-output.ts';
import {ChatError, type ErrorKind} from '../../src/errors.ts';
import {
	type Action,
	type Effect,
	type Outcome,
	sequence,
	type Update,
} from '../../src/repl/action.ts';
import {addLoaded, attachDropped} from '../../src/repl/commands/attachment-commands.ts';
import {
	type EditorBuffer,
	emptyBuffer,
	expand,
	moveTo,
	shownText,
} from '../../src/repl/editor/buffer.ts';
import {insertTyped} from '../../src/repl/editor/edit.ts';
import {labelOf, type MenuValue, type ValueSource} from '../../src/repl/list/menu.ts';
import {openMenuOf, showValues} from '../../src/repl/list/reduce-menu.ts';
import {type Field, textOfField} from '../../src/repl/question/field.ts';
import {openField} from '../../src/repl/question/question.ts';
import {reduce} from '../../src/repl/reduce.ts';
import type {ExpandedTemplate, LoadedMention, ReplServices} from '../../src/repl/services.ts';
import {
	createReplState,
	type PlainEntry,
	type QueuedPrompt,
	type ReplSettings,
	type ReplState,
	type Stamp,
	type TranscriptEntry,
} from '../../src/repl/state.ts';
import {returnUnprepared, takePrepared} from '../../src/repl/turn/prepare.ts';
import {returnDraft} from '../../src/repl/turn/prompts.ts';
import {alignRows} from '../../src/terminal/align-rows.ts';
import {createKey, type KeyInput} from '../../src/terminal/keys/key-input.ts';
import type {Usage} from '../../src/usage.ts';
import {reasoningDelta, textDelta, turnEnd} from '../helpers/events.ts';

export function begin(settings: Partial<ReplSettings> = {}): ReplState {
	return createReplState({
		options: {model: 'MODEL-5.6-sol', isStreaming: true, isSearching: false},
		family: 'MODEL',
		reasoningMode: 'auto',
		columns: 80,
		rows: 24,
		...settings,
	});
}

/**
 * An action, or what is pressed, arriving together: text, keys in angle brackets such as `<ctrl+c>`,
 * and `⏎` for Enter. `<< 4` is a complete answer, `<< 4…` an unfinished one, `<<` the end of one,
 * `<< (hm) 4` one after reasoning, and `<< !timeout` a failure.
 */
export type Step = Action | string | ((state: ReplState) => Action);

/** Returns the state after the steps, and all their effects. */
export function play(state: ReplState, ...steps: readonly Step[]): Update {
	return sequence(
		state,
		...steps.map(
			(step) => (current: ReplState) =>
				reduce(current, actionOf(current, step), nextStamp(current)),
		),
	);
}

export function actionOf(state: ReplState, step: Step): Action {
	if (typeof step === 'function') return step(state);
	if (typeof step !== 'string') return step;
	return step.startsWith('<<') ? eventsIn(state, step.replace(/^<< ?/, '')) : pressed(step);
}

/** Returns the keys in a step. */
export function pressed(step: string): KeysAction {
	return keys(...keysIn(step));
}

function keysIn(text: string): readonly KeyInput[] {
	const inputs = text.match(/⏎|<[\w+/ -]+>|[^⏎<]+|</g) ?? [];
	return inputs.flatMap((input) => {
		if (input === '⏎') return [keyOf('enter')];
		const [, chords] = /^<(.+)>$/.exec(input) ?? [];
		return chords === undefined ? [{type: 'text', text: input}] : chords.split(' ').map(keyOf);
	});
}

function eventsIn({conversation}: ReplState, text: string): EventsAction {
	const [, kind] = /^!(\w+)$/.exec(text) ?? [];
	if (kind !== undefined) return events(failure(kind as ErrorKind));
	const [, thought = '', said = ''] = /^(?:\((.*?)\) ?)?(.*?)…?$/s.exec(text) ?? [];
	return events(
		...(conversation.open?.message === undefined && text !== '' ? [stepStart] : []),
		...(thought === '' ? [] : [reasoningDelta(thought)]),
		...(said === '' ? [] : [textDelta(said)]),
		...(text.endsWith('…') ? [] : [stepEnd(), turnEnd]),
	);
}

/** Types a text letter by letter. */
export function letters(text: string): readonly Action[] {
	return Array.from(text, type);
}

/** Returns the first id that the conversation does not have, and always the same date. */
export function nextStamp({conversation}: ReplState): Stamp {
	const ids = new Set([...treeOf(conversation).map(({turn}) => turn.id), conversation.open?.id]);
	let number = 1;
	while (ids.has(`turn-${number}`)) number += 1;
	return {date: 0, nextTurnId: `turn-${number}`};
}

type KeysAction = Extract<Action, {type: 'keys'}>;

function keys(...inputs: readonly KeyInput[]): KeysAction {
	return {type: 'keys', keys: inputs, now: 0};
}

/** Presses keys by their chords, such as `ctrl+c`. */
export function press(...chords: readonly string[]): KeysAction {
	return keys(...chords.map(keyOf));
}

export function type(text: string): KeysAction {
	return keys({type: 'text', text});
}

export function paste(text: string): KeysAction {
	return keys({type: 'paste', text});
}

/** Types a line and presses Enter. */
export function enter(text: string, now = 0): KeysAction {
	return {type: 'keys', keys: [{type: 'text', text}, keyOf('enter')], now};
}

/** Enters a line on a terminal that edits lines. */
export function lineOf(text: string): Action {
	return {type: 'text-entered', text, now: 0};
}

function keyOf(chord: string): KeyInput {
	const names = chord.split('+');
	const name = names.pop() ?? '';
	return createKey(name, Object.fromEntries(names.map((modifier) => [modifier, true])));
}

type EventsAction = Extract<Action, {type: 'events'}>;

export function events(...list: readonly ChatEvent[]): EventsAction {
	return {type: 'events', events: list, now: 0};
}

/** Returns the same at another time. */
export function at(now: number, action: EventsAction): EventsAction;
export function at(now: number, step: string): Step;
export function at(now: number, step: EventsAction | string): Step {
	if (typeof step !== 'string') return {...step, now};
	return (state) => ({...eventsIn(state, step.replace(/^<< ?/, '')), now});
}

export const stepStart: ChatEvent = {
	type: 'step-start',
	model: 'MODEL-5.6-sol',
	requestedModel: 'MODEL-5.6-sol',
	id: 'c-1',
	created: undefined,
	attempts: 1,
};

export function stepEnd(usage?: Omit<Usage, 'raw'>): ChatEvent {
	return {
		type: 'step-end',
		finishReason: {kind: 'stop', raw: 'stop'},
		usage: usage && {...usage, raw: {}},
	};
}

export function noticeOf(code: Notice['code'], message: string): ChatEvent {
	return {type: 'notice', notice: {code, message}};
}

/** Announces the first of two retries, in 12 s. */
export function retryOf(reason: string): ChatEvent {
	const retry = {delayMs: 12_000, attempt: 1, maxRetries: 2, reason};
	return {type: 'notice', notice: {code: 'retry', message: reason, retry}};
}

export function failure(kind: ErrorKind, message: string = kind): ChatEvent {
	return {type: 'error', error: new ChatError(kind, message)};
}

/** A complete answer, with reasoning before it if there is some. */
export function answer(text: string, reasoning = ''): EventsAction {
	return events(
		stepStart,
		...(reasoning === '' ? [] : [reasoningDelta(reasoning)]),
		textDelta(text),
		stepEnd(),
		turnEnd,
	);
}

export function entriesOf(effects: readonly Effect[]): readonly TranscriptEntry[] {
	return effects.flatMap((effect) => (effect.type === 'print' ? [effect.entry] : []));
}

/** Returns the printed notices and texts, one line each. */
export function saidBy(effects: readonly Effect[]): string {
	return textOf(entriesOf(effects));
}

/** Returns the text of the popup. */
export function popupOf({popup}: ReplState): string {
	return popup === undefined ? '' : textOf([popup.entry]);
}

/** Returns the reply to a command, printed or in the popup. */
export function replyOf({state, effects}: Update): string {
	return [saidBy(effects), popupOf(state)].filter((text) => text !== '').join('\n');
}

function textOf(entries: readonly TranscriptEntry[]): string {
	return entries
		.map((entry) => {
			if (entry.type === 'table') {
				return entry.groups
					.flatMap(({rows}) => rows.map(([name, meaning]) => `${name}  ${meaning}`))
					.join('\n');
			}
			if (entry.type === 'numbers') return tableOfNumbers(entry);
			return entry.type === 'notice' || entry.type === 'text' ? entry.text : '';
		})
		.filter((text) => text !== '')
		.join('\n');
}

function tableOfNumbers({columns, rows, note}: Extract<PlainEntry, {type: 'numbers'}>): string {
	const numbers = columns.map((_, index) => index + 1);
	const lines = alignRows([['', ...columns], ...rows], ({length}) => length, {numbers});
	return [...lines, ...(note === undefined ? [] : [note])].join('\n');
}

const reports: ReadonlySet<string> = new Set(['conversation-changed', 'draft-made']);

/** Returns the types of the effects that are performed, and the names of tasks. */
export function typesOf(effects: readonly Effect[]): readonly string[] {
	return effects
		.map((effect) => (effect.type === 'task' ? effect.name : effect.type))
		.filter((name) => !reports.has(name));
}

/** Returns what was typed of the turn that the effects start, for the history of later runs. */
export function typedOf(effects: readonly Effect[]): Typed | undefined {
	for (const effect of effects) {
		if (effect.type !== 'conversation-changed') continue;
		if (effect.change.type === 'turn-started') return effect.change.typed;
	}
	return undefined;
}

/** Returns the first call of each task: the service and its arguments. */
export function callsOf(effects: readonly Effect[]): ReadonlyArray<readonly unknown[]> {
	const calls: Array<readonly unknown[]> = [];
	const services: ReplServices = new Proxy(Object.create(null), {
		get:
			(_, name) =>
			(...given: readonly unknown[]) => {
				calls.push([name, ...given]);
				return new Promise(() => {});
			},
	});
	for (const effect of effects)
		if (effect.type === 'task') void effect.run(services, begin(), new AbortController().signal);
	return calls;
}

/** Runs the tasks with these services, and plays how they end. */
export async function settle(
	{state, effects}: Update,
	services: Partial<ReplServices>,
): Promise<Update> {
	const offered: ReplServices = Object.assign(Object.create(null), services);
	const tasks = effects.filter((effect) => effect.type === 'task');
	return play(
		state,
		...(await Promise.all(
			tasks.map((task) => task.run(offered, state, new AbortController().signal)),
		)),
	);
}

/** Ends a task. */
export function ended(name: string, outcome: Outcome): Action {
	return {type: 'task-ended', name, outcome};
}

export function attached(
	attachments: readonly Attachment[],
	notices: readonly string[] = [],
): Action {
	return ended('attach', (state) => addLoaded(state, {attachments, notices}));
}

export function dropped(text: string, ...attachments: readonly Attachment[]): Action {
	return ended('read-dropped', (state) => attachDropped(state, text, {attachments, notices: []}));
}

export function valuesListed(source: ValueSource, values: readonly MenuValue[]): Action {
	return ended('list-values', (state) => showValues(state, source, values));
}

/** Lists values by their names; a folder ends in a slash. */
export function listed(source: ValueSource, ...names: readonly string[]): Action {
	return valuesListed(
		source,
		names.map((text) => ({text, isPartial: text.endsWith('/') && !text.includes(':')})),
	);
}

/** Reads the mentions of the first prompt that waits; the others are not files. */
export function mentionsRead(...loaded: readonly LoadedMention[]): Step {
	return ({queue: [prompt = {text: '', attachments: []}]}) =>
		ended('prepare-prompt', (state) => takePrepared(state, prompt, loaded));
}

export function draftEdited(text: string): Action {
	const draft = {text, folds: [], attachments: []};
	return ended('edit-draft', (state) => returnDraft(state, draft));
}

/** Answers the call of a template that waits in the queue. */
export function expandedTo(text: string, more: Partial<ExpandedTemplate> = {}): Step {
	const prompt = {text, attachments: []};
	const expanded = {prompt, settings: {options: {}, system: undefined}, notices: [], ...more};
	return ({queue}) => {
		const call = callIn(queue);
		return ended('prepare-prompt', (state) => takePrepared(state, call, [], expanded));
	};
}

/** Refuses the call of a template. */
export function failedCall(error: ChatError): Step {
	return ({queue}) => {
		const call = callIn(queue);
		return ended('prepare-prompt', (state) => returnUnprepared(state, call, error));
	};
}

/** Answers the call of a template, or a word that nobody knows: there is none. */
export function refused(...closestNames: readonly string[]): Step {
	return failedCall(new ChatError('input', 'there is no such template', {closestNames}));
}

function callIn(queue: readonly QueuedPrompt[]): QueuedPrompt {
	return queue.find(({call}) => call !== undefined) ?? {text: '', attachments: []};
}

/** Returns the text in the editor in full. */
export function draftOf({editor}: ReplState): string {
	return expand(editor.buffer);
}

/** Returns the text in the editor, with `|` at the cursor. */
export function markedDraft({editor}: ReplState): string {
	const {cursor} = editor.buffer;
	return shownText(editor.buffer)
		.split('\n')
		.map((line, index) =>
			index === cursor.line ? `${line.slice(0, cursor.column)}|${line.slice(cursor.column)}` : line,
		)
		.join('\n');
}

/** Returns the state with a draft, the cursor at the `|`. */
export function withDraft(state: ReplState, marked: string): ReplState {
	const before = marked.slice(0, marked.indexOf('|')).split('\n');
	const buffer: EditorBuffer = moveTo(insertTyped(emptyBuffer, marked.replace('|', '')), {
		line: before.length - 1,
		column: before.at(-1)?.length ?? 0,
	});
	return {...state, editor: {...state.editor, buffer}};
}

/** Returns the prompt of the turn under way. */
export function promptOf({conversation}: ReplState): Prompt | undefined {
	return conversation.open?.prompt;
}

/** Returns the rows of the menu, with `>` before the selected one. */
export function rowsOf(state: ReplState): readonly string[] {
	const menu = openMenuOf(state);
	return (menu?.items ?? []).map(({item}, index) =>
		index === menu?.selected ? `> ${labelOf(item)}` : labelOf(item),
	);
}

/** Returns the messages to send, as `role: text` with the status in brackets. */
export function messagesOf({conversation}: ReplState): readonly string[] {
	return messagesToSend(conversation).map((message) => {
		if (message.role === 'tool') return `tool: ${outputText(message)}`;
		const parts = message.parts.map((part) =>
			part.type === 'text' ? part.text : `<${part.type}>`,
		);
		const mark =
			message.role === 'assistant' && message.status !== 'complete' ? ` [${message.status}]` : '';
		return `${message.role}: ${parts.join(' ')}${mark}`;
	});
}

function fieldOf({question}: ReplState): Field | undefined {
	return question && openField(question);
}

/** Returns the text in the open field of a question. */
function textIn(state: ReplState): string | undefined {
	const field = fieldOf(state);
	return field && textOfField(field);
}

/** Effects a person notices, and requests to the outside. */
const sights = {
	draft: ({state}: Update) => draftOf(state),
	marked: ({state}: Update) => markedDraft(state),
	files: ({state}: Update) => state.attachments.map(({name}) => name),
	queue: ({state}: Update) => state.queue.map(({text}) => text),
	isHeld: ({state}: Update) => state.isQueueHeld,
	armed: ({state}: Update) => state.armedKey,
	popup: ({state}: Update) => popupOf(state),
	phase: ({state}: Update) => state.turn?.phase,
	pane: ({state}: Update) => state.turn?.paneChoice,
	fold: ({state}: Update) => state.openFold,
	prompt: ({state}: Update) => promptOf(state)?.text,
	sent: ({state}: Update) => promptOf(state)?.attachments.map(({name}) => name),
	messages: ({state}: Update) => messagesOf(state),
	model: ({state}: Update) => state.options.model,
	mentions: ({state}: Update) => state.queue[0]?.mentions,
	call: ({state}: Update) => state.queue[0]?.call,
	rows: ({state}: Update) => rowsOf(state),
	field: ({state}: Update) => fieldOf(state)?.name,
	text: ({state}: Update) => textIn(state),
	problem: ({state}: Update) => state.question?.problem,
	selected: ({state}: Update) => state.question?.selected,
	isArmed: ({state}: Update) => state.question?.isArmed,
	reply: replyOf,
	said: ({effects}: Update) => saidBy(effects),
	prints: ({effects}: Update) => entriesOf(effects),
	does: ({effects}: Update) => typesOf(effects),
	calls: ({effects}: Update) => callsOf(effects),
	answers: ({effects}: Update) =>
		effects.flatMap((effect) => (effect.type === 'answer-question' ? [effect.answer] : [])),
};

export type Seen = Partial<Record<keyof typeof sights, unknown>>;

/** Compares what is seen after some steps. */
export function expectSeen(update: Update, seen: Seen, message?: string): void {
	const names = Object.keys(seen) as ReadonlyArray<keyof Seen>;
	const found = names.map((name) => [name, sights[name](update)] as const);
	expect(Object.fromEntries(found), message).toEqual(seen);
}

/** Steps, and what is seen after them. */
export type Row = readonly [steps: Step | readonly Step[], seen: Seen];

/** Plays each row from the same state. */
export function expectRows(from: ReplState, ...rows: readonly Row[]): void {
	for (const [steps, seen] of rows) {
		const all = Array.isArray(steps) ? steps : [steps];
		expectSeen(play(from, ...all), seen, JSON.stringify(all));
	}
}
