/** One line of the report of `chat doctor`. */
import {
	ChatError,
	describeError,
	type ExitCode,
	exitCodeOf,
	hintOf,
	toChatError,
} from '../../../errors.ts';
import {describeHint} from '../../hints/describe-hint.ts';

export type Finding = {
	readonly status: 'ok' | 'note' | 'fail';
	/** One or two words. */
	readonly name: string;
	/** May quote a service or a file: sanitise it before it is shown. */
	readonly text: string;
	/** The next step. */
	readonly next: string | undefined;
	/** Of a failure. */
	readonly exitCode: ExitCode;
};

export function ok(name: string, text: string): Finding {
	return {status: 'ok', name, text, next: undefined, exitCode: 0};
}

/** Something that may surprise, and breaks nothing. */
export function note(name: string, text: string, next?: string): Finding {
	return {status: 'note', name, text, next, exitCode: 0};
}

export async function fail(name: string, cause: unknown): Promise<Finding> {
	const error = toChatError(cause);
	const hint = hintOf(error);
	const next = hint && (await describeHint(hint));
	const text = describeError(error).join('; ');
	return {status: 'fail', name, text, next, exitCode: exitCodeOf(error)};
}

/** Makes an error of the system one about a file. */
export function fileError(cause: unknown, path: string): ChatError {
	if (cause instanceof ChatError) return cause;
	const {code, message} = cause as NodeJS.ErrnoException;
	const text = code === undefined ? message : `cannot read ${path} (${code})`;
	return new ChatError('input', text, {cause});
}
