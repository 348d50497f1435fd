/** Speaks the turn under way: each part has a label, and is written once whole. */
import type {ChatEvent, Retry} from '../../chat/event.ts';
import {isCutReason} from '../../finish-reason.ts';
import type {ReasoningMode} from '../../repl/state.ts';
import {nameService} from '../../repl/turn/describe-end.ts';
import type {TurnNumbers} from '../../repl/turn/shown-turns.ts';
import {createMarkdownSpeaker} from '../../terminal/markdown/speech/speaker.ts';
import type {SafeText} from '../../terminal/safe-text.ts';
import {
	type SpeechOptions,
	speakDuration,
	speakLine,
	speakReasoning,
	speakThought,
} from './speak-entry.ts';

export interface SpokenTurn {
	/** Returns the lines completed by the events. */
	push(events: readonly ChatEvent[], now: number): readonly SafeText[];
	/** Returns the unfinished rest, which stays above a question. */
	end(now: number): readonly SafeText[];
}

type SpokenTurnOptions = {
	readonly reasoningMode: () => ReasoningMode;
	/** The turn's numbers in the REPL. */
	readonly numbers: TurnNumbers | undefined;
	readonly options: SpeechOptions;
};

export function createSpokenTurn({
	reasoningMode,
	numbers,
	options: {redact, serviceUrl},
}: SpokenTurnOptions): SpokenTurn {
	const answer = createMarkdownSpeaker(numbers?.codeBlocksAbove);
	let reasoning: {readonly since: number; text: string} | undefined;
	let hasLabel = false;
	let hasText = false;
	let ending = 'complete';
	/** The reason for the last retry: the same one is not spoken again. */
	let retryReason: string | undefined;

	const end = () => {
		hasLabel = false;
		return answer.end();
	};
	const think = (text: string, now: number): readonly SafeText[] => {
		if (reasoning === undefined) {
			reasoning = {since: now, text: ''};
			return [...end(), speakLine('Thinking.'), ...think(text, now)];
		}
		if (reasoningMode() === 'show') reasoning.text += text;
		return [];
	};
	const endThinking = (now: number): readonly SafeText[] => {
		if (reasoning === undefined) return [];
		const {since, text} = reasoning;
		reasoning = undefined;
		const line = speakThought(now - since, text === '' ? numbers?.number : undefined);
		return text === '' ? [line] : [line, ...speakReasoning(text)];
	};
	const say = (text: string): readonly SafeText[] => {
		const label = hasLabel ? [] : [speakLine('Answer:')];
		hasLabel = true;
		hasText = true;
		return [...label, ...answer.push(text)];
	};
	const endTurn = (now: number): readonly SafeText[] => {
		const lines = [...endThinking(now), ...end()];
		if (!hasText) return lines;
		const blocks = answer.countBlocks();
		return [...lines, speakLine(`Answer ${ending}.${blocks === '' ? '' : ` ${blocks}.`}`)];
	};
	const speakRetry = ({delayMs, attempt, maxRetries, reason}: Retry): readonly SafeText[] => {
		const why = reason === retryReason ? '' : `: ${nameService(reason, serviceUrl)}`;
		retryReason = reason;
		const wait = speakDuration(delayMs);
		return [speakLine(`Note: retrying in ${wait}, ${attempt} of ${maxRetries}${why}`, redact)];
	};
	const speakEvent = (event: ChatEvent, now: number): readonly SafeText[] => {
		switch (event.type) {
			case 'reasoning-delta':
				return think(event.text, now);
			case 'refusal-delta':
				ending = 'refused';
				return [...endThinking(now), ...say(event.text)];
			case 'text-delta':
				return [...endThinking(now), ...say(event.text)];
			case 'step-end':
				if (isCutReason(event.finishReason)) ending = 'cut off';
				return endThinking(now);
			case 'tool-decision':
			case 'tool-result':
				return end();
			case 'answer-rejected':
				return [...end(), speakLine(`Note: the answer ${event.problem}.`, redact)];
			case 'notice':
				return event.notice.retry === undefined ? [] : speakRetry(event.notice.retry);
			case 'turn-end':
				return endTurn(now);
			case 'error':
				ending = event.error.kind === 'interrupted' ? 'interrupted' : 'incomplete';
				return endTurn(now);
			case 'step-start':
			case 'continuation':
			case 'reasoning-end':
			case 'tool-call-start':
			case 'tool-call-delta':
			case 'tool-call':
			case 'answer-unwrapped':
			case 'quotations-checked':
			case 'trace':
				return [];
			default:
				return event satisfies never;
		}
	};
	return {
		push: (events, now) => events.flatMap((event) => speakEvent(event, now)),
		end: (now) => [...endThinking(now), ...end()],
	};
}
