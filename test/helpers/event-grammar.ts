/**
 * Checks a sequence of chat events against the grammar of `ChatEvent`, in one pass. Reports the
 * first broken rule with the position of its event.
 */
import type {ChatEvent, ChatEventBatch} from '../../src/chat/event.ts';

type Place =
	/** Between steps. */
	| 'turn'
	/** In a step, where text may grow. */
	| 'step'
	/** In a step, after its first `tool-call`. */
	| 'calls'
	/** After a rejected answer: another step must follow, or the turn fails. */
	| 'rejected'
	/** After an unwrapped answer, which is the last. */
	| 'unwrapped'
	/** After the check of quotations: the turn ends. */
	| 'checked'
	/** After `turn-end` or `error`. */
	| 'over';

type AnnouncedCall = {readonly name: string; text: string; isRepeated: boolean};

type GrammarState = {
	place: Place;
	/** The calls of the open step, by id. */
	calls: Map<string, AnnouncedCall>;
	/** The calls of the previous step without a result, in order. */
	unanswered: string[];
	hasResults: boolean;
	decided: Set<string>;
	/** The last delta of each growing text of the open step. */
	lastDeltas: Map<string, string>;
};

type Rules = {
	readonly [type in ChatEvent['type']]: {
		/** Where the event may occur. */
		readonly places: readonly Place[];
		/** Checks the other rules; returns the one it breaks. */
		readonly check?: (
			event: Extract<ChatEvent, {type: type}>,
			state: GrammarState,
		) => string | undefined;
		/** The next state, if it changes. */
		readonly to?: Place;
	};
};

const rules: Rules = {
	'step-start': {
		places: ['turn', 'rejected'],
		to: 'step',
		check: ({attempts}, state) => {
			if (state.hasResults && state.unanswered.length > 0) {
				return `${state.unanswered[0]} has a result before the next step`;
			}
			state.calls = new Map();
			state.lastDeltas = new Map();
			return Number.isInteger(attempts) && attempts >= 1
				? undefined
				: 'a step takes 1 or more attempts';
		},
	},
	'reasoning-delta': {
		places: ['step'],
		check: ({text}, state) => checkDelta('reasoning', text, state),
	},
	'reasoning-end': {
		places: ['step'],
		check: (_, {lastDeltas}) => {
			lastDeltas.delete('reasoning');
			return undefined;
		},
	},
	'text-delta': {places: ['step'], check: ({text}, state) => checkDelta('text', text, state)},
	'refusal-delta': {
		places: ['step'],
		check: ({text}, state) => checkDelta('refusal', text, state),
	},
	'tool-call-start': {
		places: ['step'],
		check: ({callId, name}, {calls}) => {
			if (callId === '') return 'a tool call has an id';
			if (calls.has(callId)) return `the id ${callId} is unique in its step`;
			calls.set(callId, {name, text: '', isRepeated: false});
			return undefined;
		},
	},
	'tool-call-delta': {
		places: ['step'],
		check: ({callId, text}, state) => {
			const call = state.calls.get(callId);
			if (call === undefined) return `a tool-call-start of ${callId} comes first`;
			call.text += text;
			return checkDelta(`call ${callId}`, text, state);
		},
	},
	'tool-call': {
		places: ['step', 'calls'],
		to: 'calls',
		check: ({call}, {calls}) => {
			const announced = calls.get(call.callId);
			if (announced === undefined) return `a tool-call-start of ${call.callId} comes first`;
			if (announced.isRepeated) return `${call.callId} is repeated once`;
			announced.isRepeated = true;
			if (announced.name !== call.name) return `${call.callId} keeps its name`;
			if (!isRepetition(announced.text, call.arguments))
				return `${call.callId} keeps its arguments`;
			return undefined;
		},
	},
	continuation: {places: ['turn', 'step'], to: 'step'},
	'step-end': {
		places: ['step', 'calls'],
		to: 'turn',
		check: (_, state) => {
			const {calls} = state;
			for (const [callId, call] of calls) {
				if (!call.isRepeated) return `a tool-call of ${callId} comes before the step ends`;
			}
			// A call without a name cannot be answered.
			state.unanswered = [...calls].flatMap(([callId, {name}]) => (name === '' ? [] : [callId]));
			state.hasResults = false;
			state.decided = new Set();
			return undefined;
		},
	},
	'tool-decision': {
		places: ['turn'],
		check: ({callId}, {unanswered, decided, hasResults}) => {
			if (hasResults) return 'all decisions come before the first result';
			if (!unanswered.includes(callId)) return `there is no open call ${callId}`;
			if (decided.has(callId)) return `${callId} is decided on once`;
			decided.add(callId);
			return undefined;
		},
	},
	'tool-result': {
		places: ['turn'],
		check: ({callId}, state) => {
			state.hasResults = true;
			const next = state.unanswered.shift();
			return next === callId ? undefined : `the result of ${next ?? 'nothing'} comes next`;
		},
	},
	'answer-rejected': {places: ['turn'], to: 'rejected'},
	'answer-unwrapped': {places: ['turn'], to: 'unwrapped'},
	'quotations-checked': {places: ['turn', 'step', 'calls', 'unwrapped'], to: 'checked'},
	notice: {places: ['turn', 'step', 'rejected']},
	trace: {places: ['turn', 'step', 'calls', 'rejected', 'unwrapped']},
	'turn-end': {places: ['turn', 'unwrapped', 'checked'], to: 'over'},
	error: {places: ['turn', 'step', 'calls', 'rejected', 'unwrapped', 'checked'], to: 'over'},
};

/**
 * Checks the events of one whole turn, in order.
 *
 * @throws {Error} with the position, from 0, and the broken rule.
 */
export function checkEventGrammar(events: readonly ChatEvent[]): void {
	const state: GrammarState = {
		place: 'turn',
		calls: new Map(),
		unanswered: [],
		hasResults: false,
		decided: new Set(),
		lastDeltas: new Map(),
	};
	for (const [position, event] of events.entries()) {
		const broken = checkEvent(event, state);
		if (broken !== undefined) throw new Error(`event ${position} (${event.type}): ${broken}`);
	}
	if (state.place !== 'over') {
		throw new Error(`event ${events.length} (missing): a turn ends in turn-end or error`);
	}
}

/**
 * Checks the batches of one whole turn: none is empty, and together they follow the grammar.
 *
 * @throws {Error} as `checkEventGrammar` does.
 */
export function checkEventBatches(batches: readonly ChatEventBatch[]): void {
	for (const [position, batch] of batches.entries()) {
		if (batch.length === 0) throw new Error(`batch ${position}: a batch is never empty`);
	}
	checkEventGrammar(batches.flat());
}

function checkEvent(event: ChatEvent, state: GrammarState): string | undefined {
	// The table pairs each type with its own event, which the compiler cannot follow through a look-up.
	const rule = rules[event.type] as Rules[keyof Rules] & {
		readonly check?: (event: ChatEvent, state: GrammarState) => string | undefined;
	};
	if (state.place === 'over') return 'nothing follows the end of a turn';
	if (!rule.places.includes(state.place)) return misplaced[state.place];
	const broken = rule.check?.(event, state);
	state.place = rule.to ?? state.place;
	return broken;
}

const misplaced = {
	turn: 'it belongs into a step, and none is open',
	step: 'the step is not over',
	rejected: 'another step follows a rejected answer',
	unwrapped: 'the turn ends after an unwrapped answer',
	checked: 'the turn ends after the check of its quotations',
	calls: 'behind the first tool-call of a step only others and its end may come',
} as const satisfies Record<Exclude<Place, 'over'>, string>;

function checkDelta(channel: string, text: string, {lastDeltas}: GrammarState): string | undefined {
	if (text === '') return 'a delta is never empty';
	const last = lastDeltas.get(channel) ?? '';
	lastDeltas.set(channel, text);
	const isSplit = /[\ud800-\udbff]$/.test(last) && /^[\udc00-\udfff]/.test(text);
	return isSplit ? `the ${channel} is not cut inside a character` : undefined;
}

/** Blank arguments mean the empty object; white space around them does not count. */
function isRepetition(deltas: string, whole: string): boolean {
	return (deltas.trim() || '{}') === (whole.trim() || '{}');
}
