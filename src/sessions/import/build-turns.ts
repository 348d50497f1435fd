/** Makes turns of the messages of another program, so that they can be sent. */
import type {AnswerMessage, TreeTurn, Turn, TurnStart} from '../../chat/conversation.ts';
import type {AssistantPart, ToolCall} from '../../chat/message.ts';
import type {Prompt} from '../../chat/prompt.ts';
import {textOutput} from '../../chat/tool-output.ts';
import type {ForeignConversation, ForeignMessage, ImportedSession} from './foreign.ts';

/** @param now the time of messages without one, in milliseconds since 1970 */
export function buildSession(foreign: ForeignConversation, now: number): ImportedSession {
	const {id, title, model, messages, branches = [], created, updated, omitted} = foreign;
	const start = created ?? updated ?? now;
	const {system, turns, draft} = buildPath(messages, model, start);
	const known = new Set(turns.map((turn) => turn.id));
	const otherTurns: TreeTurn[] = [];
	for (const branch of branches) {
		let parent: string | null = null;
		for (const turn of buildPath(branch, model, start).turns) {
			if (!known.has(turn.id)) otherTurns.push({turn, parent});
			known.add(turn.id);
			parent = turn.id;
		}
	}
	return {
		...{id, title, omitted: countEach(omitted), draft},
		created: created ?? turns[0]?.times.startedAt,
		updated: updated ?? endOf(turns.at(-1)),
		settings: {model: turns.at(-1)?.model ?? model, service: '', system, options: {}},
		conversation: {system, turns, otherTurns},
	};
}

function countEach(words: readonly string[]): Readonly<Record<string, number>> {
	const counts = new Map<string, number>();
	for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
	return Object.fromEntries(counts);
}

/** Returns when the answer was whole. */
export function endOf(turn: Turn | undefined): number | undefined {
	return turn && turn.times.startedAt + turn.times.totalMs;
}

type Path = {
	readonly system: string;
	readonly turns: readonly Turn[];
	readonly draft: TurnStart | undefined;
};

type OpenTurn = {
	readonly prompt: Prompt;
	readonly startedAt: number;
	id: string;
	model: string;
	reasoningMs: number;
	endedAt: number;
	readonly messages: AnswerMessage[];
};

function buildPath(
	messages: readonly ForeignMessage[],
	fallbackModel: string,
	fallbackTime: number,
): Path {
	const system = new Set<string>();
	const open: OpenTurn[] = [];
	let time = fallbackTime;
	for (const message of messages) {
		time = message.at ?? time;
		if (message.role === 'system') {
			if (message.text.trim() !== '') system.add(message.text);
			continue;
		}
		const turn = turnOf(message, open, time, fallbackModel);
		if (message.id) turn.id = message.id;
		turn.endedAt = Math.max(turn.endedAt, time);
		if (message.role === 'assistant') addAnswer(turn, message);
		if (message.role === 'tool') addResult(turn, message);
	}
	const ids = new Set<string>();
	const turns = open.map((turn, index) => closeTurn(turn, index, ids));
	const last = turns.at(-1);
	const isCut = last?.messages.length === 0;
	return {
		system: [...system].join('\n\n'),
		turns: isCut ? turns.slice(0, -1) : turns,
		draft: isCut ? startOf(last) : undefined,
	};
}

function startOf({id, prompt, model, times}: Turn): TurnStart {
	return {id, prompt, model, startedAt: times.startedAt};
}

/** Returns the turn that the message belongs to: several prompts without an answer are one. */
function turnOf(
	message: ForeignMessage,
	turns: OpenTurn[],
	startedAt: number,
	model: string,
): OpenTurn {
	const last = turns.at(-1);
	const isPrompt = message.role === 'user';
	if (last !== undefined && !isPrompt) return last;
	const given = isPrompt ? message : undefined;
	const isContinued = last !== undefined && last.messages.length === 0;
	const before = isContinued ? last.prompt : {text: '', attachments: []};
	const texts = [before.text, given?.text ?? noPrompt].filter((text) => text !== '');
	const turn = {
		prompt: {
			text: texts.join('\n\n'),
			attachments: [...before.attachments, ...(given?.attachments ?? [])],
		},
		startedAt: isContinued ? last.startedAt : startedAt,
		...{id: '', model, reasoningMs: 0, endedAt: startedAt, messages: []},
	};
	if (isContinued) turns.pop();
	turns.push(turn);
	return turn;
}

/** Before an answer without a prompt; most services refuse an empty one. */
const noPrompt = '[no prompt]';

type Answer = Extract<ForeignMessage, {readonly role: 'assistant'}>;
type Result = Extract<ForeignMessage, {readonly role: 'tool'}>;

function addAnswer(turn: OpenTurn, {parts, model, reasoningMs}: Answer): void {
	if (model) turn.model = model;
	turn.reasoningMs += reasoningMs ?? 0;
	if (parts.length === 0) return;
	const last = turn.messages.at(-1);
	const before = last?.role === 'assistant' ? last.parts : [];
	if (last?.role === 'assistant') turn.messages.pop();
	else cancelCalls(turn);
	const all = joinParts(before, parts);
	turn.messages.push({
		role: 'assistant',
		parts: nameCalls(all),
		status: 'complete',
		model: turn.model,
	});
}

/** Two texts in a row are paragraphs of one. */
function joinParts(
	before: readonly AssistantPart[],
	after: readonly AssistantPart[],
): readonly AssistantPart[] {
	const [first, ...rest] = after;
	const last = before.at(-1);
	if (last?.type !== 'text' || first?.type !== 'text') return [...before, ...after];
	return [...before.slice(0, -1), {type: 'text', text: `${last.text}\n\n${first.text}`}, ...rest];
}

/** Gives each call an id of its own, and a name that services accept. */
function nameCalls(parts: readonly AssistantPart[]): readonly AssistantPart[] {
	const ids = new Set<string>();
	return parts.map((part, index) => {
		if (part.type !== 'tool-call') return part;
		const {callId, name} = part.call;
		const ownId = callId === '' || ids.has(callId) ? `call_${index + 1}` : callId;
		ids.add(ownId);
		const ownName = name.replace(/[^\w-]/g, '_').slice(0, 64) || 'tool';
		return {type: 'tool-call', call: {...part.call, callId: ownId, name: ownName}};
	});
}

function addResult(turn: OpenTurn, {callId, parts, isError}: Result): void {
	const waiting = waitingCalls(turn);
	const call = callId === '' ? waiting[0] : waiting.find((one) => one.callId === callId);
	const last = turn.messages.at(-1);
	if (call !== undefined) {
		turn.messages.push({role: 'tool', callId: call.callId, parts, isError});
	} else if (callId === '' && last?.role === 'tool') {
		// Some tools answer in several messages.
		turn.messages.splice(-1, 1, {...last, parts: [...last.parts, ...parts]});
	}
}

function cancelCalls(turn: OpenTurn): void {
	for (const {callId} of waitingCalls(turn)) {
		turn.messages.push({role: 'tool', callId, ...textOutput('no result', true)});
	}
}

/** Returns the calls of the last step without a result. */
function waitingCalls({messages}: OpenTurn): readonly ToolCall[] {
	const place = messages.findLastIndex(({role}) => role === 'assistant');
	const message = messages[place];
	if (message === undefined) return [];
	const answered = new Set(
		messages.slice(place + 1).flatMap((later) => (later.role === 'tool' ? [later.callId] : [])),
	);
	return callsOf(message).filter(({callId}) => !answered.has(callId));
}

function callsOf(message: AnswerMessage): readonly ToolCall[] {
	if (message.role === 'tool') return [];
	return message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
}

/** Without an id of its own, a turn is named by its place, so that it is the same in each import. */
function closeTurn(turn: OpenTurn, index: number, ids: Set<string>): Turn {
	cancelCalls(turn);
	const {prompt, model, messages, startedAt, endedAt, reasoningMs} = turn;
	const id = turn.id === '' || ids.has(turn.id) ? `turn-${index + 1}` : turn.id;
	ids.add(id);
	const times = {startedAt, reasoningMs, totalMs: Math.max(0, endedAt - startedAt)};
	return {id, prompt, model, messages, times, status: 'complete'};
}
