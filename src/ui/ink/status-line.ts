/** The status below the prompt: the model, the reported tokens, the live rate, the wait. */
import {type OpenTurn, reasoningMsOf} from '../../chat/conversation.ts';
import type {ToolCall} from '../../chat/message.ts';
import type {Menu} from '../../repl/menu/menu.ts';
import {openMenuOf} from '../../repl/menu/reduce-menu.ts';
import type {AnswerState, ArmedKey, LiveTurn, ReplState} from '../../repl/state.ts';
import type {Usage} from '../../usage.ts';
import {shorten} from '../../wording.ts';
import {formatSeconds} from './format-seconds.ts';
import {approvalHints} from './render-approval.ts';

/** The status of a session, from long to short. */
export function statusLines(state: ReplState): readonly string[] {
	const {armedKey, approval, turn, conversation, options, search, tree, privateFrom, editor} =
		state;
	if (armedKey !== undefined) return armedHints[armedKey];
	if (search !== undefined) return searchHints;
	if (tree !== undefined) return treeHints;
	const menu = openMenuOf(state);
	if (menu !== undefined) return menuHints[menu.kind];
	const marks = [editor.vi?.mode === 'normal' ? 'NORMAL' : undefined, privateFrom && 'private'];
	if (approval !== undefined || turn !== undefined) return answerStatusLines(state, marks);
	return [joinParts([options.model, ...marks, ...countsOf(conversation.turns.at(-1)?.usage)])];
}

const armedHints: Readonly<Record<ArmedKey, readonly string[]>> = {
	'Ctrl-C': ['press Ctrl-C again to exit'],
	'Ctrl-D': ['press Ctrl-D again to exit'],
	'Ctrl-X': ['Ctrl-E opens the draft in your editor'],
	Esc: ['press Esc again to edit the last prompt'],
};

const searchHints = [
	'Enter puts it into the editor · Ctrl-R older · Ctrl-S newer · Esc cancels',
	'Enter takes it · Esc cancels',
];

const menuHints: Readonly<Record<Menu['kind'], readonly string[]>> = {
	command: ['Enter runs · Tab completes · ↑↓ choose · Esc closes', 'Enter runs · Tab'],
	argument: ['Tab completes · ↑↓ and Enter choose · Esc closes', 'Tab completes'],
	file: ['Enter or Tab inserts · ↑↓ choose · Esc closes', 'Tab inserts'],
};

const treeHints = ['Enter continues after this turn · Esc closes', 'Enter goes there · Esc'];

/**
 * The status of an answer, from long to short.
 *
 * @param marks the mode of the editor and whether it is saved, in a session
 */
export function answerStatusLines(
	state: AnswerState,
	marks: ReadonlyArray<string | undefined> = [],
): readonly string[] {
	const {approval, turn, now} = state;
	const {open} = state.conversation;
	if (approval !== undefined) return approvalHints(approval, state);
	if (turn === undefined || open === undefined) return [];
	const {model, usage} = open;
	const clocks = [elapsedOf(turn, open, now), liveRate(turn, now), waitOf(turn, open, now)];
	return [joinParts([model, ...marks, ...countsOf(usage), ...clocks])];
}

function countsOf(usage: Usage | undefined): ReadonlyArray<string | undefined> {
	return [
		usage?.promptTokens === undefined ? undefined : `${usage.promptTokens} in`,
		usage?.completionTokens === undefined ? undefined : `${usage.completionTokens} out`,
	];
}

function joinParts(parts: ReadonlyArray<string | undefined>): string {
	return parts.filter((part) => part !== undefined).join(' · ');
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
	return `~${Math.round(rate)} tokens/s`;
}

function waitOf(turn: LiveTurn, open: OpenTurn, now: number): string | undefined {
	const {phase, retry, running, lastEventAt} = turn;
	if (phase === 'stopping') return 'stopping…';
	if (running.length > 0) return `running ${running.map(describeCall).join(', ')}; Ctrl-C stops`;
	if (retry !== undefined) return retryOf(retry, now);
	if (phase === 'waiting') return `${waitingSince(open.since, now)}, Ctrl-C stops`;
	if (isStalled(turn, now))
		return `nothing for ${Math.floor((now - lastEventAt) / 1000)} s, Ctrl-C stops`;
	if (phase === 'answering') return 'Ctrl-C stops';
	return `thinking ${formatSeconds(reasoningMsOf(open, now))}, Ctrl-C stops`;
}

function waitingSince(since: number, now: number): string {
	return `waiting for the service ${formatSeconds(now - since)}`;
}

/** The reason may be long and comes from the service, so it comes last. */
function retryOf(retry: NonNullable<LiveTurn['retry']>, now: number): string {
	const {until, attempt, maxRetries, reason} = retry;
	const count = `${attempt} of ${maxRetries}`;
	if (now >= until) return `${waitingSince(until, now)} (retry ${count}), Ctrl-C stops`;
	return `retrying in ${formatSeconds(until - now)} (${count}), Ctrl-C stops: ${reason}`;
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
