/** `chat sessions delete`: deletes conversations. */
import {ChatError, type ExitCode} from '../../errors.ts';
import {printInfo} from '../../output/print.ts';
import {deleteSession} from '../../sessions/delete-session.ts';
import {findSession} from '../../sessions/find-session.ts';
import type {VerbRun} from './session-verb.ts';

export async function deleteSessions({words, directory, environment}: VerbRun): Promise<ExitCode> {
	// A mistake in one of the words deletes nothing.
	const files = words.map((word) => findSession(directory, word));
	for (const file of files) {
		try {
			deleteSession(file, directory);
		} catch (cause) {
			const {message} = cause as Error;
			throw new ChatError('output', `cannot delete ${file.id}: ${message}`, {cause});
		}
		printInfo(`deleted ${file.id}`, environment);
	}
	return 0;
}
