/** The words of the mark below an answer that is not whole: why, and the next step. */
import {formatCount} from '../../wording.ts';
import type {Truncation} from '../state.ts';

const reasons: Readonly<Record<Truncation['reason'], string>> = {
	interrupted: 'interrupted',
	incomplete: 'incomplete',
	refused: 'refused by the model',
	length: 'cut off at the token limit',
	filter: "cut off by the service's content filter",
	reported: '',
};

export function describeTruncation({reason, detail}: Truncation): string {
	const text = reasons[reason];
	if (text === '' || detail === undefined) return text || (detail ?? '');
	return `${text} (${detail})`;
}

type Ending = {
	readonly isAnswered: boolean;
	readonly maxTokens: number | undefined;
};

/** Adds what to do next, and the token limit that the request has set. */
export function withNext(truncation: Truncation, {isAnswered, maxTokens}: Ending): Truncation {
	const {reason} = truncation;
	if (reason === 'length') {
		const known = maxTokens === undefined ? undefined : formatCount(maxTokens);
		const raise = known === undefined ? 'N asks for more' : 'lifts it';
		const then = isAnswered ? '/retry' : 'Enter';
		return {...truncation, detail: known, next: `/set max_tokens ${raise}, then ${then}`};
	}
	if (!isAnswered || reason === 'interrupted') return {...truncation, next: nextStep(isAnswered)};
	return reason === 'reported' ? truncation : {...truncation, next: '/undo edits the prompt'};
}

/** Without an answer, the prompt is the draft again. */
export function nextStep(isAnswered: boolean): string {
	return isAnswered ? '/retry asks again' : 'Enter asks again';
}
