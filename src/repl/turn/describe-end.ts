/** The words below a missing or incomplete answer: the reason, and the next step. */
import {describeError, hintOf} from '../../errors.ts';
import {replHint} from '../../hint.ts';
import {formatCount} from '../../wording.ts';
import type {TranscriptEntry, Truncation} from '../state.ts';

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
	/** Whether the answer can go on. */
	readonly isContinuable: boolean;
	readonly maxTokens: number | undefined;
};

/** Adds the next step, and the requested token limit. */
export function withNext(truncation: Truncation, ending: Ending): Truncation {
	const {isAnswered, isContinuable, maxTokens} = ending;
	const {reason} = truncation;
	if (reason === 'length') {
		const known = maxTokens === undefined ? undefined : formatCount(maxTokens);
		const raise = known === undefined ? 'N asks for more' : 'lifts it';
		const set = `/set max_tokens ${raise}`;
		const then = isAnswered ? '/retry' : 'Enter';
		const next = isContinuable ? `/continue, or ${set}` : `${set}, then ${then}`;
		return {...truncation, detail: known, next};
	}
	if (!isAnswered || reason === 'interrupted') return {...truncation, next: nextStep(ending)};
	return reason === 'reported' ? truncation : {...truncation, next: '/undo edits the prompt'};
}

/** Without an answer, the prompt is the draft again. */
export function nextStep({isAnswered, isContinuable}: Omit<Ending, 'maxTokens'>): string {
	if (isContinuable) return `${goOn}, /retry asks again`;
	return isAnswered ? '/retry asks again' : 'Enter asks again';
}

export const goOn = '/continue goes on';

export type FailureOptions = {
	/** The address in error messages, hidden on screen. */
	readonly serviceUrl?: string | undefined;
};

/**
 * Returns one short line, and below it the next step, then the code and the request id for a bug
 * report.
 */
export function describeErrorEntry(
	{error, next}: Extract<TranscriptEntry, {type: 'error'}>,
	{serviceUrl}: FailureOptions,
): {readonly title: string; readonly below: readonly string[]} {
	const [message = '', ...more] = describeError(error);
	const title = nameService(message, serviceUrl);
	const {code} = error.details;
	const hint = hintOf(error);
	const step = hint === undefined ? next : replHint(hint);
	const details = code === undefined || title.includes(code) ? more : [code, ...more];
	if (step === undefined) return {title, below: details};
	return {title, below: details.length === 0 ? [step] : [step.replace(/\.$/, ''), ...details]};
}

/** Hides the service's address, which `-v` shows, but names an unreachable host. */
export function nameService(message: string, serviceUrl: string | undefined): string {
	if (serviceUrl === undefined) return message;
	const unreached = `cannot talk to ${serviceUrl}`;
	return message
		.replace(unreached, () => `cannot talk to ${new URL(serviceUrl).host}`)
		.replaceAll(serviceUrl, 'the service');
}
