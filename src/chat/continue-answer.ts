/**
 * Continues cut answers: asks for the rest, and joins it if the seam is proved. All parts are one
 * step: nothing above sees more than a longer answer.
 */
import {writeContinuationRequest} from '../continuation-request.ts';
import {ChatError, type ErrorKind, toChatError} from '../errors.ts';
import type {Usage} from '../usage.ts';
import type {ChatEvent, ChatEventBatch, CutCause, Notice} from './event.ts';
import {type AssistantMessage, type Message, messageText} from './message.ts';
import {createSeamFinder, findAnchor, type Seam} from './seam.ts';
import type {StepOptions, StepRequest, StreamChat} from './stream-chat.ts';

type ContinueOptions = {
	/** How often one answer is continued. */
	readonly limit: number;
	/** Whether a continuation without its place is received to the end, to be shown apart. */
	readonly isRestWanted: boolean;
};

/**
 * Returns a client that continues cut answers. A request ending in a cut answer asks for its
 * continuation at once.
 */
export function createContinuingChat(
	streamChat: StreamChat,
	{limit, isRestWanted}: ContinueOptions,
): StreamChat {
	return async function* (request, signal) {
		const {messages, options} = request;
		const resumed = findCutAnswer(request);
		const before = resumed === undefined ? messages : messages.slice(0, -1);
		const answer: Answer = {text: resumed === undefined ? '' : messageText(resumed), isOpen: false};
		let cut: Cut | undefined;
		if (resumed === undefined) {
			const first = (event: ChatEvent) => {
				grow(answer, event);
				return [event];
			};
			cut = cutOf(yield* receive(streamChat(request, signal), first, signal), answer);
		} else cut = cutOfMessage(resumed);
		/** Asks for the rest once, and returns whether it was joined. */
		const goOn = async function* (from: Cut, count: number) {
			const {cause, usage} = from;
			const place = findPlace(answer, cause, options);
			if (typeof place !== 'string') {
				yield [{type: 'notice', notice: place} as const];
				return false;
			}
			yield [
				{type: 'continuation', continuation: {state: 'asked', cause, usage, count, limit}} as const,
			];
			const message = `continued after ${causes[cause]} (${count} of ${limit}); the seam was checked`;
			const rest = createRest(answer, place, {code: 'continued', message});
			const asked = {messages: [...before, ...askForRest(answer, place, options)], options};
			const isDone = () => rest.state() === 'rejected' && !isRestWanted;
			const end = yield* receive(streamChat(asked, signal), rest.take, signal, isDone);
			const last = rest.end(end);
			if (last.length > 0) yield last;
			const isJoined = rest.state() === 'joined';
			cut = isJoined ? cutOf(end, answer) : {...from, usage: undefined};
			return isJoined;
		};
		for (let count = 1; cut !== undefined && count <= limit; count += 1) {
			const {length} = answer.text;
			const isJoined: boolean = yield* goOn(cut, count);
			// A model that adds next to nothing would do so again.
			if (!isJoined || answer.text.length - length < leastGrowth) break;
		}
		if (cut !== undefined) yield* endCut(cut);
	};
}

const leastGrowth = 20;

/** The answer so far; open if a call or a refusal began. */
type Answer = {text: string; isOpen: boolean};

function grow(answer: Answer, {type, ...event}: ChatEvent): void {
	if (type === 'text-delta' && 'text' in event) answer.text += event.text;
	if (type === 'refusal-delta' || type === 'tool-call-start') answer.isOpen = true;
}

type Cut = {
	readonly cause: CutCause;
	/** Undefined once it was reported. */
	readonly usage: Usage | undefined;
	/** The events held back, or the failure. */
	readonly end: ChatEventBatch | ChatError;
};

const causes: Readonly<Record<CutCause, string>> = {
	length: 'the token limit',
	interrupted: 'the interruption',
	incomplete: 'a broken connection',
	timeout: 'a silence',
	unavailable: 'a failure of the service',
	busy: 'an overload of the service',
};

function isCause(kind: ErrorKind | CutCause): kind is CutCause {
	return Object.hasOwn(causes, kind);
}

/** How a reply ended: the events of a token limit are held back. */
type End = {readonly held: readonly ChatEvent[]; readonly failure: ChatError | undefined};

/** Passes on what `take` returns for each event, until `isDone`. */
async function* receive(
	batches: AsyncIterable<ChatEventBatch>,
	take: (event: ChatEvent) => readonly ChatEvent[],
	signal: AbortSignal,
	isDone = () => false,
): AsyncGenerator<ChatEventBatch, End, undefined> {
	const held: ChatEvent[] = [];
	try {
		for await (const batch of batches) {
			const shown: ChatEvent[] = [];
			for (const event of batch) {
				if (isLimitReached(event)) held.push(event);
				else shown.push(...take(event));
			}
			if (shown.length > 0) yield shown;
			if (isDone()) break;
		}
		return {held, failure: undefined};
	} catch (error) {
		signal.throwIfAborted();
		return {held, failure: toChatError(error)};
	}
}

function isLimitReached(event: ChatEvent): boolean {
	if (event.type === 'notice') return event.notice.code === 'length';
	return event.type === 'step-end' && event.finishReason.kind === 'length';
}

/** @throws {ChatError} the failure, if it leaves nothing to continue */
function cutOf({held, failure}: End, {text}: Answer): Cut | undefined {
	if (failure !== undefined) {
		const {kind, details} = failure;
		if (text === '' || !isCause(kind)) throw failure;
		return {cause: kind, usage: details.usage, end: failure};
	}
	return held.length === 0 ? undefined : {cause: 'length', usage: usageOf(held), end: held};
}

function usageOf(events: ChatEventBatch): Usage | undefined {
	return events.find((event) => event.type === 'step-end')?.usage;
}

/** Ends the step as it would have ended without the continuation. */
function* endCut({end, usage}: Cut): Generator<ChatEventBatch, void, undefined> {
	if (end instanceof ChatError) {
		const {kind, message, details} = end;
		throw new ChatError(kind, message, {...details, usage});
	}
	yield end.map((event) => (event.type === 'step-end' ? {...event, usage} : event));
}

function findCutAnswer({messages}: StepRequest): AssistantMessage | undefined {
	const last = messages.at(-1);
	return last?.role === 'assistant' ? last : undefined;
}

/** A complete message is one that the token limit ended. */
function cutOfMessage({status}: AssistantMessage): Cut {
	if (status !== 'complete') {
		const error = new ChatError('incomplete', 'the answer is still cut off');
		return {cause: status, usage: undefined, end: error};
	}
	const message = 'the answer is still cut off at the token limit';
	const end: ChatEventBatch = [
		{type: 'notice', notice: {code: 'length', message}},
		{type: 'step-end', finishReason: {kind: 'length', raw: 'length'}, usage: undefined},
	];
	return {cause: 'length', usage: undefined, end};
}

/** Returns the anchor, or the reason why the answer cannot be continued. */
function findPlace(
	{text, isOpen}: Answer,
	cause: CutCause,
	{responseFormat}: StepOptions,
): string | Notice {
	const refuse = (reason: string, hint?: Notice['hint']): Notice => ({
		code: 'not-continued',
		message: `the answer was not continued: ${reason}`,
		hint,
	});
	if (text.trim() === '') {
		const isLimit = cause === 'length';
		return refuse('it has no text yet', isLimit ? tokenHint : undefined);
	}
	if (isOpen) return refuse('it ended in a tool call or a refusal');
	if (responseFormat !== undefined && responseFormat !== 'text') {
		return refuse('JSON is asked for as a whole');
	}
	return findAnchor(text) ?? refuse('it repeats itself, so that no place in it can be proved');
}

const tokenHint = {
	line: 'a larger --max-tokens leaves room for one',
	repl: '/set max_tokens N leaves room for one',
};

function askForRest(
	{text}: Answer,
	anchor: string,
	{model}: StepOptions,
): readonly [AssistantMessage, Message] {
	return [
		{role: 'assistant', parts: [{type: 'text', text}], status: 'incomplete', model},
		{role: 'user', parts: [{type: 'text', text: writeContinuationRequest(anchor)}]},
	];
}

type Rest = {
	/** Returns the events to pass on. */
	take(event: ChatEvent): readonly ChatEvent[];
	/** Decides, and returns the last events. */
	end(end: End): readonly ChatEvent[];
	state(): 'waiting' | 'joined' | 'rejected';
};

type StepStart = Extract<ChatEvent, {type: 'step-start'}>;

const noStart = {id: '', created: undefined, model: '', attempts: 0};

/** Receives the rest of an answer, which grows by what is joined. Its reasoning is about the seam alone. */
function createRest(answer: Answer, anchor: string, notice: Notice): Rest {
	const finder = createSeamFinder(answer.text, anchor);
	let state: ReturnType<Rest['state']> = 'waiting';
	let received = '';
	let usage: Usage | undefined;
	let start: Pick<StepStart, 'id' | 'created' | 'model' | 'attempts'> = noStart;

	const follow = (seam: Seam): readonly ChatEvent[] => {
		if (seam.type === 'waiting') return [];
		if (seam.type === 'unproved') {
			state = 'rejected';
			return [];
		}
		state = 'joined';
		const {text} = seam;
		answer.text += text;
		const {id, created, model, attempts} = start;
		return [
			{type: 'continuation', continuation: {state: 'joined', id, created, model, attempts}},
			{type: 'notice', notice},
			...(text === '' ? [] : [{type: 'text-delta', text} as const]),
		];
	};
	const pass = (event: ChatEvent): readonly ChatEvent[] => {
		if (state !== 'joined') return [];
		grow(answer, event);
		return [event];
	};
	const takeText = (event: Extract<ChatEvent, {type: 'text-delta'}>) => {
		if (state === 'joined') return pass(event);
		received += event.text;
		return state === 'waiting' ? follow(finder.push(event.text)) : [];
	};

	return {
		state: () => state,
		take(event) {
			switch (event.type) {
				case 'step-start':
					start = event;
					return [];
				case 'reasoning-delta':
				case 'reasoning-end':
					return [];
				case 'notice':
				case 'trace':
					return [event];
				case 'text-delta':
					return takeText(event);
				case 'step-end': {
					({usage} = event);
					const last = state === 'waiting' ? follow(finder.end()) : [];
					return [...last, ...pass(event)];
				}
				default:
					if (state === 'waiting') state = 'rejected';
					return pass(event);
			}
		},
		end({held, failure}) {
			const last = state === 'waiting' && failure === undefined ? follow(finder.end()) : [];
			if (state === 'joined') return last;
			state = 'rejected';
			const reason =
				start.attempts === 0 && failure !== undefined
					? failure.message
					: 'the continuation does not repeat the end of the answer';
			const message = `the answer could not be continued: ${reason}`;
			usage ??= usageOf(held) ?? failure?.details.usage;
			const attempts = start.attempts || (failure?.details.attempts ?? 0);
			const rejected = {state: 'rejected', text: received, usage, attempts} as const;
			return [
				{type: 'continuation', continuation: rejected},
				{type: 'notice', notice: {code: 'not-continued', message}},
			];
		},
	};
}
