/** The line below the prompt: the model, the tokens as reported, the live rate, the wait. */
import type {ToolCall} from '../../chat/message.ts';
import type {LiveTurn, ReplState} from '../../repl/state.ts';
import {approvalStatus} from './approval-part.ts';
import {formatSeconds} from './format-seconds.ts';

export function statusLine(state: ReplState): string {
	if (state.armedExit !== undefined) return `press ${state.armedExit} again to exit`;
	if (state.approval !== undefined) return approvalStatus(state.approval, state);
	const {turn, turns, options} = state;
	const usage = turn === undefined ? turns.at(-1)?.usage : turn.usage;
	return [
		turn?.model ?? options.model,
		usage?.promptTokens === undefined ? undefined : `${usage.promptTokens} in`,
		usage?.completionTokens === undefined ? undefined : `${usage.completionTokens} out`,
		turn === undefined ? undefined : liveRate(turn, state.now),
		turn === undefined ? undefined : waitOf(turn, state.now),
	]
		.filter((part) => part !== undefined)
		.join(' · ');
}

/** UTF-16 units of an average token; the rate made from it is marked as an estimate. */
const tokenLength = 4;

function liveRate(turn: LiveTurn, now: number): string | undefined {
	const {answerFrom, answerLength, running} = turn;
	if (running.length > 0 || answerFrom === undefined || now - answerFrom < 500) return undefined;
	const rate = (answerLength / tokenLength / (now - answerFrom)) * 1000;
	return `~${Math.round(rate)} tokens/s`;
}

function waitOf(turn: LiveTurn, now: number): string | undefined {
	const {phase, waitingFor, running, startedAt} = turn;
	if (phase === 'stopping') return 'stopping…';
	if (running.length > 0) return `running ${running.map(describeCall).join(', ')}; Ctrl-C stops`;
	if (waitingFor !== undefined) return waitingFor;
	if (phase !== 'waiting') return 'Ctrl-C stops';
	return `waiting for the service ${formatSeconds(now - startedAt)}, Ctrl-C stops`;
}

const shownArguments = 60;

function describeCall({name, arguments: text}: ToolCall): string {
	const rest = text.length > shownArguments ? `${text.slice(0, shownArguments)}…` : text;
	return `${name} ${rest}`;
}
