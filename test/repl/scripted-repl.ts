/** A session whose service plays a script, through the real `runTurn`. */
import {onTestFinished} from 'vitest';
import type {Elicit} from '../../src/chat/elicitation.ts';
import type {ChatEvent} from '../../src/chat/event.ts';
import type {StreamChat} from '../../src/chat/stream-chat.ts';
import type {Approve, Questions} from '../../src/chat/tool.ts';
import {runTurn} from '../../src/chat/turn.ts';
import type {ChatError} from '../../src/errors.ts';
import type {Action, Effect} from '../../src/repl/action.ts';
import {createRepl, type Repl} from '../../src/repl/repl.ts';
import type {ReplServices} from '../../src/repl/services.ts';
import type {ReplState} from '../../src/repl/state.ts';
import {textDelta} from '../helpers/events.ts';
import {actionOf, begin, messagesOf, type Step, stepEnd, stepStart} from './play.ts';

/** A step of the service: a batch of events, a failure, or silence until it is stopped. */
export type Beat = readonly ChatEvent[] | ChatError | 'silence' | Promise<void> | (() => void);

/** A complete answer. */
export function reply(text: string): readonly Beat[] {
	return [[stepStart, textDelta(text), stepEnd()]];
}

export interface ScriptedRepl {
	readonly repl: Repl;
	/** The actions and effects reported so far. */
	readonly actions: readonly Action[];
	readonly effects: readonly Effect[];
	/** Asks as the turn under way does. */
	readonly ask: Approve;
	readonly elicit: Elicit;
	/** The messages of each request, in the form of `messagesOf`. */
	readonly requests: ReadonlyArray<readonly string[]>;
	play(...steps: readonly Step[]): void;
	/** Resolves when the condition holds after an action. */
	until(condition: (state: ReplState) => boolean): Promise<ReplState>;
	/** Resolves when no turn is under way. */
	idle(): Promise<ReplState>;
}

/** Every other service fails. */
const failing = new Proxy(
	{},
	{get: (_, name) => () => Promise.reject(new Error(`${String(name)} fails here`))},
);

/** Opens a session; each turn plays the next script. The end of the test closes it. */
export function openScripted(
	scripts: ReadonlyArray<readonly Beat[]>,
	{initial = begin(), ...services}: Partial<ReplServices> & {readonly initial?: ReplState} = {},
): ScriptedRepl {
	const requests: Array<readonly string[]> = [];
	const actions: Action[] = [];
	const effects: Effect[] = [];
	const left = [...scripts];
	let created = 0;
	const nobody = () => Promise.reject(new Error('no turn is under way'));
	let asked: Questions = {approve: nobody, elicit: nobody};
	const offered: Partial<ReplServices> = {
		openTurn: (conversation, options, signal, questions) => {
			asked = questions;
			requests.push(messagesOf({...initial, conversation}));
			const streamChat = play(left.shift() ?? []);
			return runTurn({conversation, options, streamChat, signal});
		},
		loadDropped: () => Promise.resolve(undefined),
		loadMentions: () => Promise.resolve([]),
		listValues: () => Promise.resolve([]),
		openPage: () => Promise.resolve(false),
		now: () => performance.now(),
		date: () => Date.now(),
		createId: () => {
			created += 1;
			return `turn-${created}`;
		},
		...services,
	};
	const repl = createRepl(initial, Object.assign(Object.create(failing), offered));
	repl.subscribe((action, _, performed) => {
		actions.push(action);
		effects.push(...performed);
	});
	onTestFinished(() => repl.close());
	const until = (condition: (state: ReplState) => boolean): Promise<ReplState> =>
		new Promise((resolve) => {
			if (condition(repl.getState())) return resolve(repl.getState());
			const stop = repl.subscribe((_, state) => {
				if (!condition(state)) return;
				stop();
				resolve(state);
			});
			return undefined;
		});
	return {
		repl,
		actions,
		effects,
		ask: (request, signal) => asked.approve(request, signal),
		elicit: (request, signal) => asked.elicit(request, signal),
		requests,
		play: (...list) => {
			for (const step of list) repl.dispatch(actionOf(repl.getState(), step));
		},
		until,
		idle: () => until(({turn}) => turn === undefined),
	};
}

function play(script: readonly Beat[]): StreamChat {
	return async function* (_, signal) {
		for (const beat of script) {
			if (beat instanceof Error) throw beat;
			if (typeof beat === 'function') beat();
			else if (beat instanceof Promise) await beat;
			else if (beat === 'silence') await stopped(signal);
			else yield beat;
		}
	};
}

function stopped(signal: AbortSignal): Promise<never> {
	return new Promise((_, reject) => {
		if (signal.aborted) reject(signal.reason);
		else signal.addEventListener('abort', () => reject(signal.reason), {once: true});
	});
}
