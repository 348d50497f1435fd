/** The status below the prompt: the model, the context used, the live rate, the wait. */
import type {OpenTurn, Turn} from '../../../chat/conversation.ts';
import type {ToolCall} from '../../../chat/message.ts';
import {reasoningMsOf} from '../../../chat/reasoning-time.ts';
import type {Menu} from '../../../repl/list/menu.ts';
import {openMenuOf} from '../../../repl/list/reduce-menu.ts';
import type {AnswerState, ArmedKey, LiveTurn, ReplState} from '../../../repl/state.ts';
import {nameService} from '../../../repl/turn/describe-end.ts';
import {isPreparing} from '../../../repl/turn/reduce-turn.ts';
import {redactSafe, stripUnsafe} from '../../../terminal/safe-text.ts';
import {textWidth} from '../../../terminal/width.ts';
import {formatSeconds, formatTokens, shorten} from '../../../wording.ts';
import {firstFitting, fitLine, wrapText} from '../wrap-text.ts';
import type {FrameInput, Rows} from './frame-input.ts';
import {questionHints} from './question-hints.ts';

type Status = {
	/** From long to short. */
	readonly lines: readonly string[];
	/** The key that matters now. */
	readonly key: string | undefined;
};

export function replStatus(state: ReplState): Status {
	const {armedKey, question, turn, options, search, tree, privateFrom, editor} = state;
	if (armedKey !== undefined) return hints(armedHints(armedKey, state));
	if (search !== undefined) return hints(prefixesOf(searchKeys));
	if (tree !== undefined) return hints(treeHints);
	const menu = openMenuOf(state);
	if (menu !== undefined) return hints(prefixesOf(menuKeys[menu.kind]));
	const context = describeContext(state);
	const marks = [
		editor.vi?.mode === 'normal' ? 'NORMAL' : undefined,
		privateFrom && 'private',
		describeServers(state),
	];
	if (question !== undefined || turn !== undefined) {
		const key = editor.vi === undefined ? 'Esc stops' : 'Ctrl-C stops';
		return answerStatus(state, key, [...marks, context]);
	}
	return {
		lines: [
			joinParts([options.model, ...marks, context]),
			joinParts([...marks, context]),
			joinParts(marks),
		],
		key: isPreparing(state) ? 'Esc takes it back' : '/ commands · ? keys',
	};
}

function hints(lines: readonly string[]): Status {
	return {lines, key: undefined};
}

/** Returns lines that leave out the last keys, one by one. */
function prefixesOf(keys: readonly string[]): readonly string[] {
	return keys.map((_, index) => keys.slice(0, keys.length - index).join(' · '));
}

/** Returns `mcp 1/2` while a server starts: the others are ready, or have failed. */
function describeServers({servers}: ReplState): string | undefined {
	const ready = servers.filter(({state}) => state !== 'starting').length;
	return ready === servers.length ? undefined : `mcp ${ready}/${servers.length}`;
}

/** Returns `1.6k of 128k (1%)`, or the tokens alone if the window of the model is not known. */
function describeContext({conversation, options, knownModels}: ReplState): string | undefined {
	const used = contextTokens(conversation.turns.at(-1));
	if (used === undefined) return undefined;
	const tokens = knownModels.get(options.model)?.context;
	if (tokens === undefined) return `${formatTokens(used)} tokens`;
	return `${formatTokens(used)} of ${formatTokens(tokens)} (${Math.ceil((used / tokens) * 100)}%)`;
}

/** With tools, the sum of all steps says nothing about the last one. */
function contextTokens(turn: Turn | undefined): number | undefined {
	const {promptTokens, completionTokens} = turn?.usage ?? {};
	const steps = turn?.messages.filter(({role}) => role === 'assistant').length;
	if (steps !== 1 || promptTokens === undefined || completionTokens === undefined) return undefined;
	return promptTokens + completionTokens;
}

function armedHints(key: ArmedKey, {nextEdit, conversation}: ReplState): readonly string[] {
	if (key !== 'Esc') return keyHints[key];
	const isLast = nextEdit === conversation.turns.length - 1;
	const name = isLast ? 'the last prompt' : `prompt ${nextEdit + 1}`;
	return [`press Esc again to edit ${name}`, 'Esc again: edit'];
}

const keyHints: Readonly<Record<Exclude<ArmedKey, 'Esc'>, readonly string[]>> = {
	'Ctrl-C': ['press Ctrl-C again to exit', 'Ctrl-C again exits'],
	'Ctrl-D': ['press Ctrl-D again to exit', 'Ctrl-D again exits'],
	'Ctrl-X': ['Ctrl-E opens the draft in your editor', 'Ctrl-E: your editor'],
};

const searchKeys = ['Enter takes it', 'Esc cancels', 'Ctrl-R older', 'Ctrl-S newer'];

const menuKeys: Readonly<Record<Menu['kind'], readonly string[]>> = {
	command: ['Enter runs', 'Tab completes', '↑↓ choose', 'Esc closes'],
	argument: ['Tab completes', '↑↓ and Enter choose', 'Esc closes'],
	file: ['Enter or Tab inserts', '↑↓ choose', 'Esc closes'],
};

const treeHints = ['Enter continues here · Esc closes', 'Enter · Esc closes'];

/**
 * The status of an answer.
 *
 * @param key what stops it
 * @param details shown after the model
 */
export function answerStatus(
	state: AnswerState,
	key: string,
	details: ReadonlyArray<string | undefined> = [],
): Status {
	const {question, turn, now} = state;
	const {open} = state.conversation;
	if (question !== undefined) return hints(questionHints(question, state));
	if (turn === undefined || open === undefined) return hints([]);
	const elapsed = elapsedOf(turn, open, now);
	const wait = waitOf(turn, open, now);
	const short = joinParts([elapsed, wait]);
	return {
		lines: [
			joinParts([open.model, ...details, elapsed, liveRate(turn, now), wait]),
			joinParts([open.model, short]),
			short,
		].map((text) => `${signOfLife(now)} ${text}`),
		key: turn.phase === 'stopping' ? undefined : key,
	};
}

/** Moves with the clock, once a second. */
function signOfLife(now: number): string {
	return Math.floor(now / 1000) % 2 === 0 ? '•' : '·';
}

function joinParts(parts: ReadonlyArray<string | undefined>): string {
	return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

/** Returns the time since the prompt, unless `waitOf` already counts. */
function elapsedOf(turn: LiveTurn, open: OpenTurn, now: number): string | undefined {
	const {phase, retry, running} = turn;
	const isThinking = phase === 'reasoning' && running.length === 0 && !isStalled(turn, now);
	if (phase === 'waiting' || retry !== undefined || isThinking) return undefined;
	const seconds = Math.floor((now - open.since) / 1000);
	return seconds < 1 ? undefined : `${seconds} s`;
}

/** UTF-16 units of an average token; the rate is marked as an estimate. */
const tokenLength = 4;

function liveRate(turn: LiveTurn, now: number): string | undefined {
	const {answerFrom, answerLength, running} = turn;
	if (running.length > 0 || answerFrom === undefined || now - answerFrom < 500) return undefined;
	if (isStalled(turn, now)) return undefined;
	const rate = (answerLength / tokenLength / (now - answerFrom)) * 1000;
	return `~${roundRate(rate)} tokens/s`;
}

/** Two digits, so that the row does not change in every frame. */
function roundRate(rate: number): number {
	const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, rate))) - 1);
	return Math.round(rate / step) * step;
}

function waitOf(turn: LiveTurn, open: OpenTurn, now: number): string | undefined {
	const {phase, retry, running, lastEventAt} = turn;
	if (phase === 'stopping') return 'stopping…';
	if (running.length > 0) return `running ${running.map(describeCall).join(', ')}`;
	if (retry !== undefined) return retryOf(retry, now);
	if (phase === 'waiting') return waitingSince(open.since, now);
	if (isStalled(turn, now)) return `nothing for ${Math.floor((now - lastEventAt) / 1000)} s`;
	if (phase === 'answering') return undefined;
	return `thinking ${formatSeconds(reasoningMsOf(open, now))}`;
}

function waitingSince(since: number, now: number): string {
	return `waiting for the service ${formatSeconds(now - since)}`;
}

/** The reason may be long and comes from the service, so it comes last. */
function retryOf(retry: NonNullable<LiveTurn['retry']>, now: number): string {
	const {until, attempt, maxRetries, reason} = retry;
	const count = `${attempt} of ${maxRetries}`;
	if (now >= until) return `${waitingSince(until, now)} (retry ${count})`;
	return `retrying in ${formatSeconds(until - now)} (${count}): ${reason}`;
}

const stalledMs = 3000;

/** Whether a reply that has begun has stalled. */
function isStalled({phase, lastEventAt}: LiveTurn, now: number): boolean {
	return phase !== 'waiting' && now - lastEventAt >= stalledMs;
}

const shownArguments = 60;

function describeCall({name, arguments: text}: ToolCall): string {
	return `${name} ${shorten(text, shownArguments)}`;
}

/** The reason for a wait may need more than one row. */
const statusRows = 3;

/** Puts the first line that fits to the left of the key; otherwise wraps the last one. */
export function renderStatus(
	{lines, key}: Status,
	{state, style, redact, serviceUrl}: FrameInput,
	room: number,
): Rows {
	const width = Math.max(1, state.columns - 1);
	const maxRows = Math.min(statusRows, room);
	const texts = lines.map((text) =>
		nameService(redactSafe(stripUnsafe(text), redact), serviceUrl).replace(/\s+/g, ' '),
	);
	const whole = texts.map((text) => alignEnds(text, key, width)).find((row) => row !== undefined);
	if (whole !== undefined) return [style(stripUnsafe(whole), 'hint')].slice(0, room);
	const filled = texts.filter((text) => text !== '');
	if (maxRows === 1 && filled.length > 0) return [style(firstFitting(filled, width), 'hint')];
	const wrapped = filled.map((text) =>
		wrapText(key === undefined ? text : `${text} · ${key}`, width),
	);
	const shortest = keepEnds(wrapped.at(-1) ?? [], maxRows, width);
	const rows = wrapped.find(({length}) => length <= maxRows) ?? shortest;
	return rows.map((row) => style(row, 'hint'));
}

/** Returns a row with one text at each end, if they fit. */
function alignEnds(left: string, right: string | undefined, width: number): string | undefined {
	if (right === undefined) return undefined;
	const gap = width - textWidth(left) - textWidth(right);
	return gap < 2 ? undefined : left + ' '.repeat(gap) + right;
}

/** Keeps the first rows and the last one, with `…` where rows are left out. */
function keepEnds(rows: Rows, maxRows: number, width: number): Rows {
	const before = rows.slice(0, maxRows - 1);
	const marked = before.map((row, place) =>
		place === before.length - 1 ? fitLine(`${row} …`, Math.max(1, width)) : row,
	);
	return [...marked, ...rows.slice(-1)];
}
