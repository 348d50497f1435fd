/** Recalls earlier messages: what the user said, what the last answer was. */
import {shorten} from '../../wording.ts';
import type {RequestMessage} from '../request/request.ts';
import type {Prompt} from './prompt.ts';

const saidPattern = /\bwhat (?:did|have) i (?:say|said|ask|asked|write|written)\b([^?\n]{0,40})/i;
const answerPattern =
	/\b(?:repeat|show me|say again) (?:that|your (?:last |previous )?(?:answer|reply|message))\b|\bwhat did you (?:just )?(?:say|answer)\b/i;

export function recall({question, earlier}: Prompt): string | undefined {
	const said = saidPattern.exec(question);
	if (said !== null) {
		return /\bfirst\b/i.test(said[1] ?? '')
			? quoteTurn(earlier, 0, 'First you said')
			: quoteTurn(earlier, -1, 'Before this you said');
	}
	if (!answerPattern.test(question)) return undefined;
	const given = earlier.filter(({role, text}) => role === 'assistant' && text !== '');
	return given.at(-1)?.text ?? 'I have not said anything yet.';
}

function quoteTurn(earlier: readonly RequestMessage[], index: number, intro: string): string {
	const message = earlier.filter(({role}) => role === 'user').at(index);
	return message === undefined
		? 'This is the first message of the conversation.'
		: `${intro}: “${shorten(message.text, 2_000)}”`;
}
