/** The input of the checks of `chat doctor`, and the findings they return. */
import type {Environment} from '../../../environment.ts';
import {
	type ChatError,
	describeError,
	type ExitCode,
	exitCodeOf,
	hintOf,
	toChatError,
} from '../../../errors.ts';
import {lineHint} from '../../../hint.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import type {Access} from './open-access.ts';

export type Checkup = {
	readonly environment: Environment;
	/** The valid settings. */
	readonly loaded: LoadedSettings;
	/** The mistakes in the others. */
	readonly mistakes: readonly ChatError[];
	/** Whether services on other machines may be asked. */
	readonly isOnline: boolean;
	/**
	 * The service, opened once for all checks; undefined if that would ask another machine. Rejects with
	 * the reason if it cannot be opened.
	 */
	readonly access: Promise<Access | undefined>;
	/** Aborted when the run is to end. */
	readonly signal: AbortSignal;
};

export type Check = (checkup: Checkup) => Promise<readonly Finding[]> | readonly Finding[];

/** A line of the report. */
export type Finding = {
	readonly status: 'ok' | 'note' | 'fail';
	/** One or two words. */
	readonly name: string;
	/** May quote a service or a file: sanitise it before it is shown. */
	readonly text: string;
	/** The next step. */
	readonly next: string | undefined;
	/** Zero unless the check failed. */
	readonly exitCode: ExitCode;
};

export function ok(name: string, text: string): Finding {
	return {status: 'ok', name, text, next: undefined, exitCode: 0};
}

/** Reports something surprising that breaks nothing. */
export function note(name: string, text: string, next?: string): Finding {
	return {status: 'note', name, text, next, exitCode: 0};
}

export function fail(name: string, cause: unknown): Finding {
	const error = toChatError(cause);
	const hint = hintOf(error);
	const next = hint && lineHint(hint);
	const text = describeError(error).join('; ');
	return {status: 'fail', name, text, next, exitCode: exitCodeOf(error)};
}
