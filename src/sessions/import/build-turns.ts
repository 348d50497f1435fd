/** Makes sendable turns from foreign messages. */
import type {AnswerMessage, TreeTurn, Turn, TurnStart} from '../../chat/conversation.ts';
import type {AssistantPart, ToolCall} from '../../chat/message.ts';
import type {Attachment} from '../../chat/prompt.ts';
import {textOutput} from '../../chat/tool-output.ts';
import type {ForeignConversation, ForeignMessage, ImportedSession} from './foreign.ts';

/** @param now the time of messages without one, in milliseconds since 1970 */
export function buildSession(foreign: ForeignConversation, now: number): ImportedSession {
	const {id, title, cwd, model, messages, branches = [], created, updated, omitted} = foreign;
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
		...{id, title, cwd, omitted: countEach(omitted), draft},
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

function openTurn(model: string, startedAt: number) {
	return {
		id: '',
		model,
		/** Undefined before an answer without a prompt. */
		text: undefined as string | undefined,
		attachments: [] as Attachment[],
		messages: [] as AnswerMessage[],
		/** The last answer's parts. */
		parts: [] as AssistantPart[],
		/** Calls in that answer lacking a result, by their ids. */
		waiting: new Map<string, ToolCall>(),
		startedAt,
		endedAt: startedAt,
		reasoningMs: 0,
	};
}

type OpenTurn = ReturnType<typeof openTurn>;

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
		if (message.role === 'user') {
			const isBoth = turn.text && message.text;
			turn.text = isBoth ? `${turn.text}\n\n${message.text}` : turn.text || message.text;
			for (const attachment of message.attachments) turn.attachments.push(attachment);
		}
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

/** Returns the message's turn: several prompts without an answer are one. */
function turnOf(
	{role}: ForeignMessage,
	turns: OpenTurn[],
	startedAt: number,
	model: string,
): OpenTurn {
	const last = turns.at(-1);
	if (last !== undefined && (role !== 'user' || last.messages.length === 0)) return last;
	const turn = openTurn(model, startedAt);
	turns.push(turn);
	return turn;
}

type Answer = Extract<ForeignMessage, {readonly role: 'assistant'}>;
type Result = Extract<ForeignMessage, {readonly role: 'tool'}>;

/** Answers in a row are one. */
function addAnswer(turn: OpenTurn, {parts, model, reasoningMs}: Answer): void {
	if (model) turn.model = model;
	turn.reasoningMs += reasoningMs ?? 0;
	if (parts.length === 0) return;
	if (turn.messages.at(-1)?.role === 'assistant') turn.messages.pop();
	else {
		cancelCalls(turn);
		turn.parts = [];
	}
	for (const part of parts) addPart(turn, part);
	turn.messages.push({
		role: 'assistant',
		parts: turn.parts,
		status: 'complete',
		model: turn.model,
	});
}

/** Two texts in a row are paragraphs of one. */
function addPart({parts, waiting}: OpenTurn, part: AssistantPart): void {
	const last = parts.at(-1);
	if (part.type === 'tool-call') {
		const call = nameCall(part.call, parts.length, waiting);
		waiting.set(call.callId, call);
		parts.push({type: 'tool-call', call});
	} else if (part.type === 'text' && last?.type === 'text') {
		parts.splice(-1, 1, {type: 'text', text: `${last.text}\n\n${part.text}`});
	} else parts.push(part);
}

/** Gives a call its own id, and a name accepted by services. */
function nameCall(call: ToolCall, index: number, known: ReadonlyMap<string, ToolCall>): ToolCall {
	const isOwn = call.callId !== '' && !known.has(call.callId);
	return {
		...call,
		callId: isOwn ? call.callId : `call_${index + 1}`,
		name: call.name.replace(/[^\w-]/g, '_').slice(0, 64) || 'tool',
	};
}

function addResult({messages, waiting}: OpenTurn, {callId, parts, isError}: Result): void {
	const [first] = waiting.keys();
	const answered = callId === '' ? first : callId;
	const last = messages.at(-1);
	if (answered !== undefined && waiting.delete(answered)) {
		messages.push({role: 'tool', callId: answered, parts, isError});
	} else if (callId === '' && last?.role === 'tool') {
		// Some tools answer in several messages.
		messages.splice(-1, 1, {...last, parts: [...last.parts, ...parts]});
	}
}

function cancelCalls({messages, waiting}: OpenTurn): void {
	for (const callId of waiting.keys()) {
		messages.push({role: 'tool', callId, ...textOutput('no result', true)});
	}
	waiting.clear();
}

/** Before an answer without a prompt; most services refuse an empty one. */
const noPrompt = '[no prompt]';

/** A turn lacking an id is named by its place: every import gives it the same. */
function closeTurn(turn: OpenTurn, index: number, ids: Set<string>): Turn {
	cancelCalls(turn);
	const {attachments, model, messages, startedAt, endedAt, reasoningMs} = turn;
	const prompt = {text: turn.text ?? noPrompt, attachments};
	const id = turn.id === '' || ids.has(turn.id) ? `turn-${index + 1}` : turn.id;
	ids.add(id);
	const times = {startedAt, reasoningMs, totalMs: Math.max(0, endedAt - startedAt)};
	return {id, prompt, model, messages, times, status: 'complete'};
}
