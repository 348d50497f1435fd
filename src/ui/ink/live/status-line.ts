/** The row below the prompt, with model and context use, and the row above it for running work. */
import {isContinuable, type OpenTurn, type Turn} from '../../../chat/conversation.ts';
import type {ToolCall} from '../../../chat/message.ts';
import {reasoningMsOf} from '../../../chat/reasoning-time.ts';
import {isEmpty} from '../../../repl/editor/buffer.ts';
import {isRoomy, menuRows, ruleWidth} from '../../../repl/geometry.ts';
import type {Menu} from '../../../repl/list/menu.ts';
import {openMenuOf} from '../../../repl/list/reduce-menu.ts';
import {
	type AnswerState,
	type ArmedKey,
	isReplState,
	type LiveTurn,
	type ReplState,
} from '../../../repl/state.ts';
import {compactTask} from '../../../repl/task.ts';
import {goOn, nameService} from '../../../repl/turn/describe-end.ts';
import {nextPaneChoice} from '../../../repl/turn/live-turn.ts';
import {isPreparing} from '../../../repl/turn/reduce-turn.ts';
import {redactSafe, stripUnsafe} from '../../../terminal/safe-text.ts';
import {textWidth} from '../../../terminal/width.ts';
import {formatTokens, nameTool, shorten, shortenMiddle} from '../../../wording.ts';
import {firstFitting, wrapText} from '../wrap-text.ts';
import type {FrameInput, Rows} from './frame-input.ts';
import {questionHints} from './question-hints.ts';

type Status = {
	/** Ordered from long to short. */
	readonly lines: readonly string[];
	/** Keys useful now, from long to short. */
	readonly keys?: readonly string[];
	/**
	 * Shown without the keys if no line has room for it, from long to short; by default the lines.
	 */
	readonly bare?: readonly string[];
	/** Whether a line may take several rows. */
	readonly isWhole?: boolean;
};

const nothing: Status = {lines: []};

/** Returns the row below the prompt: hints about what has the keys, else the model and the context. */
export function statusOf(state: AnswerState): Status {
	const found = hintsOf(state);
	if (found !== undefined) return {lines: found, isWhole: state.question !== undefined};
	// In a small window only the activity row remains.
	if (!isReplState(state) || (state.turn !== undefined && !isRoomy(state))) return nothing;
	const {options, conversation, privateFrom, editor, turn} = state;
	const {model} = conversation.open ?? options;
	const marks = [
		editor.vi?.mode === 'normal' ? 'NORMAL' : undefined,
		privateFrom && 'private',
		describeServers(state),
		describeContext(state),
	];
	const others = joinParts(marks);
	const left = ruleWidth(state) - textWidth(others) - (others === '' ? 0 : separator.length);
	const line = joinParts([model, others]);
	const idleKeys = isPreparing(state) ? ['Esc takes it back'] : keysOf(state);
	return {
		lines: [line],
		keys: turn === undefined ? idleKeys : [],
		bare: [line, joinParts([shortenMiddle(model, Math.max(leastModel, left)), others]), others],
	};
}

/** A cut answer comes first, until something is typed. */
function keysOf({conversation, editor}: ReplState): readonly string[] {
	const last = conversation.turns.at(-1);
	const isOffered = last !== undefined && isContinuable(last) && isEmpty(editor.buffer);
	return isOffered ? [`${goOn} · / commands`, goOn] : firstKeys;
}

const firstKeys = ['/ commands · @ files · ? keys', '/ commands · ? keys'];

/** The fewest cells for a shortened model name. */
const leastModel = 12;

function hintsOf(state: AnswerState): readonly string[] | undefined {
	const {question} = state;
	const repl = isReplState(state) ? state : undefined;
	const {armedKey, search, tree} = repl ?? {};
	if (repl !== undefined && armedKey !== undefined) return armedHints(armedKey, repl);
	if (search !== undefined) return prefixesOf(searchKeys);
	if (tree !== undefined) return treeHints;
	const menu = repl && openMenuOf(repl);
	if (menu !== undefined) return prefixesOf([...placeIn(menu, state), ...menuKeys[menu.kind]]);
	if (repl?.menu !== undefined && repl.popup === undefined) {
		const note = noteOfEmpty(repl.menu, repl);
		if (note !== undefined) return [note];
	}
	return question && questionHints(question, state);
}

/** Returns the position within a partly shown list. */
function placeIn({items, selected}: Menu, state: AnswerState): readonly string[] {
	if (items.length <= menuRows(state)) return [];
	const count = items.length;
	return [selected === undefined ? `${count} choices` : `${selected + 1} of ${count}`];
}

/** Says why a menu has no rows. */
function noteOfEmpty(
	{kind, source, query, isListed, isClosed}: Menu,
	{options}: ReplState,
): string | undefined {
	if (isClosed) return undefined;
	if (source?.type === 'models' && !isListed) {
		return `reading the list of models… · the model is ${options.model}`;
	}
	const isUnknown = kind === 'command' && isListed && query !== '';
	return isUnknown
		? `no command matches ${query} · a space before it makes it a prompt`
		: undefined;
}

/** Returns lines dropping the last keys, one by one. */
function prefixesOf(keys: readonly string[]): readonly string[] {
	return keys.map((_, index) => keys.slice(0, keys.length - index).join(' · '));
}

/** Returns `mcp 1/2` while a server starts: the others are ready, or have failed. */
function describeServers({servers}: ReplState): string | undefined {
	const ready = servers.filter(({state}) => state !== 'starting').length;
	return ready === servers.length ? undefined : `mcp ${ready}/${servers.length}`;
}

/** Returns `1.6k of 128k context`, or the tokens alone for an unknown context window. */
function describeContext({conversation, options, knownModels}: ReplState): string | undefined {
	// A failed turn has no counts, and leaves the context unchanged.
	const last = conversation.turns.findLast(({usage}) => usage !== undefined);
	const used = contextTokens(last);
	// A compaction changes the context by an amount that nobody has counted yet.
	const isCompacted = conversation.compactions?.some(({parent}) => parent === last?.id);
	if (used === undefined || isCompacted) return undefined;
	const tokens = knownModels.get(options.model)?.context;
	if (tokens === undefined) return `${formatTokens(used)} tokens of context`;
	return `${formatTokens(used)} of ${formatTokens(tokens)} context (${Math.ceil((used / tokens) * 100)}%)`;
}

/** Usage summed over several tool steps says nothing about the last one. */
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

/** Returns the row above the prompt: the turn's activity, its duration, and the key stopping it. */
export function activityOf({
	state,
	reasoningKey,
}: Pick<FrameInput, 'state' | 'reasoningKey'>): Status {
	const {question, turn, now} = state;
	const {open} = state.conversation;
	const isTaken = !isRoomy(state) && hintsOf(state) !== undefined;
	if (isReplState(state) && state.tasks.includes(compactTask) && !isTaken) {
		return {lines: ['• writing a summary'], keys: [stopsKey(state)]};
	}
	if (turn === undefined || open === undefined || question !== undefined || isTaken) return nothing;
	const isRepl = isReplState(state);
	const stops = isRepl ? stopsKey(state) : 'Ctrl-C stops';
	const doing = describeDoing(turn, open, now);
	const rate = liveRate(turn, now);
	const reasoning = open.reasoningFrom === undefined ? undefined : reasoningKey;
	const keys = [
		reasoning && `${reasoning} ${keyWords[nextPaneChoice(state)]}`,
		turn.phase === 'stopping' ? undefined : stops,
	];
	return {
		lines: [joinParts([isRepl ? '' : open.model, doing, rate]), doing].map(
			(text) => `${signOfLife(now)} ${text}`,
		),
		keys: [joinParts(keys)].filter((text) => text !== ''),
	};
}

function stopsKey({editor}: ReplState): string {
	return editor.vi === undefined ? 'Esc stops' : 'Ctrl-C stops';
}

const keyWords = {open: 'opens', more: 'more', closed: 'closes'} as const;

/** Moves with the clock, once a second. */
function signOfLife(now: number): string {
	return Math.floor(now / 1000) % 2 === 0 ? '•' : '·';
}

const separator = ' · ';

function joinParts(parts: ReadonlyArray<string | undefined>): string {
	return parts.filter((part) => part !== undefined && part !== '').join(separator);
}

/** UTF-16 units per average token; the rate is marked as an estimate. */
const tokenLength = 4;

function liveRate(turn: LiveTurn, now: number): string | undefined {
	const {answerFrom, answerLength, running} = turn;
	if (running.length > 0 || answerFrom === undefined || now - answerFrom < 500) return undefined;
	if (isStalled(turn, now)) return undefined;
	const rate = (answerLength / tokenLength / (now - answerFrom)) * 1000;
	return `~${roundRate(rate)} tokens/s`;
}

/** Two digits keep the row from changing every frame. */
function roundRate(rate: number): number {
	const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, rate))) - 1);
	return Math.round(rate / step) * step;
}

/** Names the turn's activity and its duration in whole seconds: the screen's only clock. */
function describeDoing(turn: LiveTurn, open: OpenTurn, now: number): string {
	const {phase, retry, running, isSearching, lastEventAt, continuing} = turn;
	const since = (from: number) => withSeconds(now - from);
	if (phase === 'stopping') return 'stopping…';
	if (running.length > 0) return `running ${running.map(describeCall).join(', ')}`;
	if (retry !== undefined) return retryOf(retry, now);
	if (continuing !== undefined) {
		const {count, limit} = continuing;
		return `continuing the answer (${count} of ${limit})${since(lastEventAt)}`;
	}
	if (isSearching) return `searching the web${since(lastEventAt)}`;
	if (phase === 'waiting') return `waiting for the service${since(open.since)}`;
	if (isStalled(turn, now)) return `nothing for ${Math.floor((now - lastEventAt) / 1000)} s`;
	if (phase === 'answering') return `answering${since(open.since)}`;
	return `thinking${withSeconds(reasoningMsOf(open, now))}`;
}

function withSeconds(ms: number): string {
	const seconds = Math.floor(ms / 1000);
	return seconds < 1 ? '' : ` ${seconds} s`;
}

/** The reason comes from the service and may be long, so it goes last. */
function retryOf(retry: NonNullable<LiveTurn['retry']>, now: number): string {
	const {until, attempt, maxRetries, reason} = retry;
	const count = `${attempt} of ${maxRetries}`;
	if (now >= until) return `waiting for the service${withSeconds(now - until)} (retry ${count})`;
	return `retrying in ${Math.ceil((until - now) / 1000)} s (${count}) · ${reason}`;
}

const stalledMs = 3000;

/** Whether a reply has stalled after beginning. */
function isStalled({phase, lastEventAt}: LiveTurn, now: number): boolean {
	return phase !== 'waiting' && now - lastEventAt >= stalledMs;
}

const shownArguments = 60;

function describeCall({name, arguments: text}: ToolCall): string {
	return `${nameTool(name)} ${shorten(text, shownArguments)}`;
}

/** A question's keys may need more than one row. */
const questionHintRows = 3;

/** Returns the first line with room for the key, or else the first fitting without it. */
export function renderStatus(
	{lines, keys = [], bare = lines, isWhole = false}: Status,
	{state, style, redact, serviceUrl}: FrameInput,
	room = 1,
): Rows {
	const clean = (text: string) =>
		nameService(redactSafe(stripUnsafe(text), redact), serviceUrl).replace(/\s+/g, ' ');
	const width = Math.max(1, state.columns - 1);
	const withKey = lines.flatMap((text) =>
		keys.flatMap((key) => joinKey(clean(text), key, ruleWidth(state), width)),
	);
	const [row] = withKey;
	if (row !== undefined) return [style(stripUnsafe(row), 'hint')];
	const texts = bare.map(clean).filter((text) => text !== '');
	if (texts.length === 0) return [];
	const maxRows = Math.min(questionHintRows, room);
	if (!isWhole || maxRows < 2) return [style(firstFitting(texts, width), 'hint')];
	const wrapped = texts.map((text) => wrapText(text, width));
	const shown = wrapped.find(({length}) => length <= maxRows) ?? wrapped.at(-1) ?? [];
	return shown.slice(0, maxRows).map((row) => style(row, 'hint'));
}

/** Puts the key where the rules below end, or right after a longer text. */
function joinKey(text: string, key: string, aligned: number, width: number): readonly string[] {
	const gap = aligned - textWidth(text) - textWidth(key);
	const row = gap < 2 ? `${text}${separator}${key}` : text + ' '.repeat(gap) + key;
	return textWidth(row) <= width ? [row] : [];
}
