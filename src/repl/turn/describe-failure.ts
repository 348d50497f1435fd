/** The words of a failure on a screen: one short line, and what belongs below it. */
import {describeError, hintOf} from '../../errors.ts';
import {replHint} from '../../hint.ts';
import type {TranscriptEntry} from '../state.ts';

export type FailureOptions = {
	/** The address in error messages, which are shown without it. */
	readonly serviceUrl?: string | undefined;
};

type Failure = {
	readonly title: string;
	/** The next step, if one is known. */
	readonly next: string | undefined;
	/** The code and the request, for a report. */
	readonly details: readonly string[];
};

export function describeFailure(
	{error, next}: Extract<TranscriptEntry, {type: 'error'}>,
	{serviceUrl}: FailureOptions,
): Failure {
	const [message = '', ...more] = describeError(error);
	const title = nameService(message, serviceUrl);
	const {code} = error.details;
	const hint = hintOf(error);
	return {
		title,
		next: hint === undefined ? next : replHint(hint),
		details: code === undefined || title.includes(code) ? more : [code, ...more],
	};
}

/** Leaves the address of the service out: `-v` shows it. */
export function nameService(message: string, serviceUrl: string | undefined): string {
	return serviceUrl === undefined ? message : message.replaceAll(serviceUrl, 'the service');
}
