/** `chat sessions path`: prints where conversations are saved. */
import type {ExitCode} from '../../../errors.ts';
import {printExact} from '../../../output/print.ts';
import {findSession} from '../../../sessions/find-session.ts';
import type {VerbRun} from './session-verb.ts';

export async function printPath({
	words: [word],
	directory,
	environment,
}: VerbRun): Promise<ExitCode> {
	const path = word === undefined ? directory : findSession(directory, word).path;
	return await printExact(path, environment);
}
