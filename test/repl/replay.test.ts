/**
 * The contract of a conversation with those who record it: its changes make it again, and one made from
 * plain data can do all that the one in use can.
 */
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import fc from 'fast-check';
import {describe, expect} from 'vitest';
import {
	type Conversation,
	type ConversationChange,
	messagesOf,
	type TreeTurn,
	treeOf,
} from '../../src/chat/conversation.ts';
import type {ChatEvent} from '../../src/chat/event.ts';
import {textOutput} from '../../src/chat/tool-output.ts';
import {ChatError} from '../../src/errors.ts';
import type {Action, Effect} from '../../src/repl/action.ts';
import {emptyEditor} from '../../src/repl/editor/history.ts';
import {reduce} from '../../src/repl/reduce.ts';
import type {ReplState} from '../../src/repl/state.ts';
import type {ShownTurn} from '../../src/repl/turn/shown-turns.ts';
import {entriesOfTurn} from '../../src/repl/turn/turn-entries.ts';
import {readSession} from '../../src/sessions/read-session.ts';
import {createRecorder} from '../../src/sessions/recorder.ts';
import {listSessionFiles} from '../../src/sessions/session-files.ts';
import {reasoningDelta, textDelta, turnEnd} from '../helpers/events.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';
import {
	answer,
	at,
	attached,
	begin,
	enter,
	events,
	failure,
	lineOf,
	paste,
	play,
	press,
	stepEnd,
	stepStart,
} from './play.ts';

/** Returns a value as it comes back from a file. */
function throughJson<Value>(value: Value): Value {
	return JSON.parse(JSON.stringify(value));
}

function changesOf(effects: readonly Effect[]): readonly ConversationChange[] {
	return effects.flatMap((effect) =>
		effect.type === 'conversation-changed' ? [effect.change] : [],
	);
}

/** Returns the state of a session with the same scrollback that goes on with the conversation, as it was saved. */
function resume({shown, options, reasoningMode, ...state}: ReplState): ReplState {
	const conversation = throughJson(state.conversation);
	const turns = treeOf(conversation).map(({turn}) => turn);
	// A turn that left nothing and the next one have the same id here.
	const saved = ({turn: known}: ShownTurn) =>
		turns.find((turn) => isDeepStrictEqual(turn, throughJson(known))) ?? known;
	return {
		...begin({conversation, options, reasoningMode}),
		shown: shown.map((known) => ({...known, turn: saved(known)})),
	};
}

/** Returns the state without the prompts that were not sent. */
function withoutDrafts(state: ReplState): ReplState {
	return {
		...state,
		...{editor: emptyEditor, attachments: [], tasks: [], queue: [], isQueueHeld: false},
		...{openFold: undefined, popup: undefined, menu: undefined, tree: undefined},
		...{armedKey: undefined, now: 0, escapedAt: undefined},
		...{editing: undefined, nextEdit: 0, replaced: undefined},
	};
}

const commands = [
	...['/undo', '/retry', '/continue', '/edit', '/edit 1', '/tree', '/usage'],
	...['/reasoning', '/reasoning 1', '/reasoning 2'],
];

/** Every way to look at the past, and to go back to it. */
const looks: ReadonlyArray<readonly Action[]> = [
	...commands.map((command) => [enter(command)]),
	[press('ctrl+o')],
	[enter('/undo'), enter('/undo'), press('enter')],
	[enter('/retry'), answer('again'), enter('/usage')],
	[enter('/tree'), press('up', 'up', 'enter')],
	[enter('/tree'), press('home', 'enter'), enter('more')],
];

function expectSameSession(state: ReplState): void {
	const restored = resume(state);
	for (const look of looks) {
		const outcome = play(withoutDrafts(state), ...look);
		expect(throughJson(play(restored, ...look))).toEqual(throughJson(outcome));
	}
	const {turns} = restored.conversation;
	const numbers = {number: 1, codeBlocksAbove: 0, callsAbove: 0};
	expect(turns.map((turn) => entriesOfTurn(turn, numbers))).toEqual(
		throughJson(state.conversation.turns.map((turn) => entriesOfTurn(turn, numbers))),
	);
	expect(messagesOf(restored.conversation)).toEqual(throughJson(messagesOf(state.conversation)));
}

type Move = (state: ReplState) => readonly Action[];

const always =
	(...actions: readonly Action[]): Move =>
	() =>
		actions;

/** Events of the turn under way; a step is begun first if there is none. */
const ofTurn = (...list: readonly ChatEvent[]) => beginningWith(stepStart, list);

function beginningWith(first: ChatEvent, list: readonly ChatEvent[]): Move {
	return ({now, conversation: {open}}) => {
		if (open === undefined) return [];
		return [at(now + 700, events(...(open.message === undefined ? [first] : []), ...list))];
	};
}

const joined: ChatEvent = {
	type: 'continuation',
	continuation: {state: 'joined', id: 'c1', created: 0, model: 'm', attempts: 1},
};

const usage = {promptTokens: 3, completionTokens: 5, reasoningTokens: 2, totalTokens: 8};
const callEvents: readonly ChatEvent[] = [
	{type: 'tool-call-start', callId: 'a', name: 'f'},
	{type: 'tool-call', call: {callId: 'a', name: 'f', arguments: '{}', isRunnable: true}},
	stepEnd(usage),
];
const result: ChatEvent = {type: 'tool-result', callId: 'a', ...textOutput('ran', false)};
const attachment = {type: 'file', name: 'notes.txt', text: 'remember'} as const;
const lines = Array.from({length: 20}, (_, index) => `line ${index}`).join('\n');

const text = fc.constantFrom('a', 'b c', '**bold**\n\n- item\n', '```js\nlet a;\n```\n', '日本');
const kind = fc.constantFrom('interrupted', 'incomplete', 'unavailable');

const move: fc.Arbitrary<Move> = fc.oneof(
	{weight: 3, arbitrary: text.map((value) => always(press('ctrl+u'), enter(value)))},
	fc
		.oneof(text, fc.constantFrom('', '/undo', '/retry', '/continue'))
		.map((value) => always(lineOf(value))),
	text.map((value) => always(paste(lines), enter(value))),
	text.map((value) => always(enter('/file notes.txt'), attached([attachment]), enter(value))),
	fc
		.constantFrom(...commands, '/new', '/system Be brief.', '/system -', '/model luna')
		.map((command) => always(press('ctrl+u'), enter(command))),
	fc
		.constantFrom('ctrl+c', 'escape', 'ctrl+o', 'enter', 'up', 'home', 'down')
		.map((key) => always(press(key))),
	text.map((value) => ofTurn(reasoningDelta(value))),
	{weight: 3, arbitrary: text.map((value) => ofTurn(textDelta(value)))},
	text.map((value) => beginningWith(joined, [textDelta(value)])),
	text.map((value) => ofTurn({type: 'refusal-delta', text: value})),
	fc.constantFrom([], [result]).map((results) => ofTurn(...callEvents, ...results)),
	fc.constantFrom(undefined, usage).map((counts) => ofTurn(stepEnd(counts))),
	{weight: 3, arbitrary: fc.constant(ofTurn(stepEnd(usage), turnEnd))},
	text.map((value) => ofTurn(reasoningDelta(value), textDelta(value), stepEnd(), turnEnd)),
	kind.map((value) => ofTurn(failure(value))),
	fc.constant(
		ofTurn({
			type: 'error',
			error: new ChatError('incomplete', 'cut', {usage: {...usage, raw: {}}}),
		}),
	),
);

describe('any session', () => {
	fuzzProperty(
		'is the same after its conversation was saved and read again',
		20,
		fc.property(fc.array(move, {maxLength: 40, size: 'max'}), (moves) => {
			let state = begin();
			for (const [index, next] of moves.entries()) {
				state = play(state, ...next(state)).state;
				// Each look plays much of a session.
				const isLookedAt = index % 4 === 0 || index === moves.length - 1;
				if (isLookedAt && state.conversation.open === undefined) expectSameSession(state);
			}
		}),
	);
});

describe('a saved session', () => {
	fuzzProperty(
		'is the same after it was read from its file, and loses no prompt before that',
		30,
		fc.property(fc.array(move, {maxLength: 40, size: 'max'}), (moves) => {
			const directory = mkdtempSync(join(tmpdir(), 'chat-replay-'));
			try {
				checkSaved(directory, moves);
			} finally {
				rmSync(directory, {recursive: true});
			}
		}),
	);
});

/** Saves each conversation of a session, and reads the last one after every move. */
function checkSaved(directory: string, moves: readonly Move[]): void {
	let count = 0;
	const open = (conversation: Conversation) =>
		createRecorder(
			{
				directory,
				id: `session${count++}`,
				start: {created: count, cwd: '/', forkOf: undefined},
				conversation,
			},
			{redact: (text) => text, createMediaStore: undefined},
		);
	let state = begin();
	let recorder = open(state.conversation);
	const settings = {model: 'm', service: '', system: '', options: {}};
	for (const action of (function* () {
		for (const next of moves) yield* next(state);
	})()) {
		// Unlike `play`, a session never uses an id twice.
		const {state: after, effects} = reduce(state, action, {date: 0, nextTurnId: `t${count++}`});
		state = after;
		for (const change of changesOf(effects)) {
			if (change.type === 'turns-cleared') recorder = open(state.conversation);
			else recorder.record(change, () => ({settings, conversation: state.conversation}));
		}
		expect(recorder.failure()).toBeUndefined();
		const file = listSessionFiles(directory).find(({id}) => id === recorder.id);
		const stored = file && readSession(file);
		const {turns, otherTurns, open: under} = state.conversation;
		expect(stored?.notices ?? []).toEqual([]);
		const read = stored?.conversation.turns ?? [];
		expect(throughJson(under === undefined ? read : read.slice(0, turns.length))).toEqual(
			throughJson(turns),
		);
		expect(idsOf(stored?.conversation.otherTurns)).toEqual(idsOf(otherTurns));
		if (under !== undefined) {
			const last = stored?.draft ?? read.at(-1)?.prompt;
			expect(throughJson(last)).toEqual(throughJson(under.prompt));
		}
	}
}

/** Returns the turns with their parents, in one order. */
function idsOf(turns: readonly TreeTurn[] = []): readonly string[] {
	return turns.map(({turn, parent}) => `${turn.id} after ${parent}`).sort();
}
