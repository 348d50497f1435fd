/** Recalls earlier messages: what the user said first, what the last answer was, how many turns. */
import type {RequestMessage} from '../request/request.ts';
import type {Prompt} from './prompt.ts';
import type {Answer} from './rule.ts';
import {clip, plural, quote} from './text.ts';

type Recall = {
	readonly pattern: RegExp;
	readonly answer: (earlier: readonly RequestMessage[]) => Answer;
};

const firstPattern =
	/\bwhat (?:did|have) i (?:say|said|ask|asked|tell|told|write|written|wrote)(?: (?:you|to you))? (?:first|at first|at the (?:start|beginning))|\bwhat (?:was|is) (?:my|the) (?:very )?first (?:message|question|prompt|thing)/i;
const lastPattern =
	/\bwhat (?:did|have) i (?:just )?(?:say|said|ask|asked|tell|told|write|written|wrote)(?: (?:you|to you))?(?: (?:before|last|earlier|just now|previously))*[?.! ]*$|\bwhat (?:was|is) my (?:last|previous) (?:message|question|prompt)/i;
const answerPattern =
	/\b(?:repeat|say|give me|show)(?: me)? (?:that|it|your (?:last|previous) (?:answer|reply|message|response)|your answer|what you (?:just )?said)(?: again| once more)?[.!? ]*$|\bwhat did you (?:just )?(?:say|answer|reply)(?: last| before)?[?.! ]*$/i;
const countPattern =
	/\bhow many (?:messages|turns|questions|prompts)\b[^?\n]*\b(?:conversation|so far|have|did|sent|asked|are|were)\b/i;

const recalls: readonly Recall[] = [
	{pattern: firstPattern, answer: (earlier) => quoteTurn(earlier, 0, 'first')},
	{pattern: answerPattern, answer: repeatAnswer},
	{pattern: lastPattern, answer: (earlier) => quoteTurn(earlier, -1, 'last')},
	{pattern: countPattern, answer: countTurns},
];

export function recallTurn({question, earlier}: Prompt): Answer | undefined {
	return recalls.find(({pattern}) => pattern.test(question))?.answer(earlier);
}

function quoteTurn(
	earlier: readonly RequestMessage[],
	index: number,
	position: 'first' | 'last',
): Answer {
	const said = earlier.filter(({role}) => role === 'user');
	const message = said.at(index);
	const reasons = [
		`The prompt asks for the ${position} of ${plural(said.length, 'earlier message')}.`,
	];
	if (message === undefined) {
		return {text: 'This is the first message of the conversation.', reasons};
	}
	const where = position === 'first' ? 'First you said' : 'Before this you said';
	return {text: `${where}: “${clip(message.text, 2_000)}”`, essence: message.text, reasons};
}

function repeatAnswer(earlier: readonly RequestMessage[]): Answer {
	const given = earlier.filter(({role, text}) => role === 'assistant' && text !== '');
	const text = given.at(-1)?.text;
	const reasons = [`The prompt asks for my last answer; there are ${given.length}.`];
	if (text === undefined) return {text: 'I have not said anything yet.', reasons};
	return {text, essence: quote(text), reasons};
}

function countTurns(earlier: readonly RequestMessage[]): Answer {
	const count = earlier.filter(({role}) => role === 'user').length + 1;
	return {
		text: `This conversation has ${plural(count, 'message')} of yours, this one included, and ${plural(earlier.length + 1, 'message')} in all.`,
		essence: count,
		reasons: ['The prompt asks how long the conversation is.'],
	};
}
