/** Compares a request with the context window, and asks what to do if it is too large. */
import {
	applyChange,
	beginTurn,
	type Conversation,
	smallLength,
	textLengthOf,
} from '../../chat/conversation.ts';
import type {ChatOptions} from '../../chat/message.ts';
import {exceeds, ratioOf, type SizedRequest, sizeRequest} from '../../context/fit.ts';
import {planOmission, planSummary} from '../../context/plan-compaction.ts';
import {type Update, update} from '../action.ts';
import type {ReplServices} from '../services.ts';
import type {QueuedPrompt, ReplState} from '../state.ts';
import {startTask} from '../task.ts';
import {omitTurns, startCompaction} from './start-compaction.ts';
import {createWindowQuestion, type WindowAnswer} from './window-question.ts';

export type {WindowAnswer} from './window-question.ts';

/** More tokens than any text has, for a UTF-16 unit. */
const mostPerUnit = 1.2;
const usualAnswer = 4096;

/** The share of the window from which on the user is asked. */
const fullShare = 0.85;
/** The share that is free after turns were left out. */
const freedShare = 0.25;

/** Whether a prompt has to be compared with the window: not if it certainly fits. */
export function mayExceed(state: ReplState, prompt: QueuedPrompt): boolean {
	if (state.compact === 'off' || prompt.size === 'accepted') return false;
	const {model, maxTokens = usualAnswer} = optionsOf(state, prompt);
	const open = {id: '', prompt, model, startedAt: 0};
	const length = textLengthOf(beginTurn(conversationFor(state, prompt), open, 0));
	const window = state.knownModels.get(model)?.context;
	return window === undefined
		? length >= smallLength
		: length * mostPerUnit + maxTokens > window * fullShare;
}

function optionsOf({options}: ReplState, {origin}: QueuedPrompt): ChatOptions {
	return {...options, ...origin?.settings.options};
}

/** Returns the conversation that the prompt continues. */
function conversationFor({conversation}: ReplState, {replaces}: QueuedPrompt): Conversation {
	const {turns} = conversation;
	const place = turns.findIndex(({id}) => id === replaces);
	if (place === -1) return conversation;
	return applyChange(conversation, {type: 'head-moved', at: turns[place - 1]?.id ?? null});
}

type Checked = {
	readonly answer: WindowAnswer;
	readonly window?: number | undefined;
	readonly isAsked?: true;
};

/** @param goOn goes on with the prompt, which waits in the queue meanwhile */
export function checkSize(
	state: ReplState,
	prompt: QueuedPrompt,
	goOn: (state: ReplState, prompt: QueuedPrompt, answer: WindowAnswer) => Update,
): Update {
	const queued: QueuedPrompt = {...prompt, size: 'asked'};
	const {model} = optionsOf(state, prompt);
	const waiting = {...state, queue: [queued, ...state.queue]};
	const end = (current: ReplState, {answer, window, isAsked}: Checked): Update => {
		const place = current.queue.indexOf(queued);
		const known = withWindow(current, model, window);
		if (place === -1) return update(known);
		const isFullAsked = isAsked ?? current.isFullAsked;
		const queue = current.queue.toSpliced(place, 1);
		return goOn({...known, queue, isFullAsked}, prompt, answer);
	};
	return startTask(waiting, {
		name: 'check-window',
		isBrief: true,
		run: (services, current, signal) => askIfLarge(services, current, prompt, signal),
		done: end,
		// An unknown window refuses nothing.
		fail: (current) => end(current, {answer: 'send'}),
	});
}

async function askIfLarge(
	{findWindow, ask}: ReplServices,
	state: ReplState,
	prompt: QueuedPrompt,
	signal: AbortSignal,
): Promise<Checked> {
	const options = optionsOf(state, prompt);
	const {window, tools} = await findWindow(options.model, signal);
	if (window === undefined) return {answer: 'send'};
	const conversation = conversationFor(state, prompt);
	const request: SizedRequest = {conversation, prompt, options, tools, window};
	const size = sizeRequest(request);
	const isTooLarge = exceeds(size, window);
	const isFull = size.tokens >= window * fullShare && !state.isFullAsked;
	if (!isTooLarge && !isFull) return {answer: 'send', window};
	const ratio = ratioOf(conversation, options.model, tools);
	const before = sizeRequest({...request, prompt: undefined});
	const excess = size.tokens + size.answer - window * (1 - freedShare);
	const least = size.tokens * (1 - size.doubt) + size.answer - window;
	const question = createWindowQuestion({
		size,
		window,
		isTooLarge,
		// Even the request for a summary has to fit.
		canCompact: planSummary(conversation, ratio) !== undefined && !exceeds(before, window),
		omission:
			planOmission(conversation, excess, ratio) ??
			(isTooLarge ? planOmission(conversation, least, ratio) : undefined),
	});
	return {answer: await ask(question), window, isAsked: true};
}

function withWindow(state: ReplState, model: string, context: number | undefined): ReplState {
	if (context === undefined) return state;
	const {prices} = state.knownModels.get(model) ?? {};
	return {...state, knownModels: new Map([...state.knownModels, [model, {context, prices}]])};
}

/** The share of the turns to leave out if the window is unknown. */
const usualShare = 0.3;

/** Asks what to do about a request that the service found too long; its prompt is the draft again. */
export function askAfterRefusal(state: ReplState): Update {
	if (state.compact === 'off') return update(state);
	const held = {...state, isQueueHeld: state.queue.length > 0};
	return startTask<WindowAnswer>(held, {
		name: 'check-window',
		isBrief: true,
		run({ask}, {conversation, options, knownModels}) {
			const ratio = ratioOf(conversation, options.model);
			const window = knownModels.get(options.model)?.context;
			const sized = {conversation, prompt: {text: '', attachments: []}, options};
			const size = sizeRequest({...sized, window: window ?? Number.MAX_SAFE_INTEGER});
			const question = createWindowQuestion({
				size,
				window,
				isTooLarge: true,
				isRefused: true,
				canCompact: planSummary(conversation, ratio) !== undefined,
				omission: planOmission(conversation, size.tokens * usualShare, ratio),
			});
			return ask(question);
		},
		done(current, answer) {
			if (answer === 'compact') return startCompaction(current, '');
			return typeof answer === 'object' ? omitTurns(answer.omission)(current) : update(current);
		},
		fail: (current) => update(current),
	});
}
