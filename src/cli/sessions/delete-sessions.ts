/** `chat sessions delete`: deletes conversations. */
import type {ExitCode} from '../../errors.ts';
import {printInfo} from '../../output/print.ts';
import {deleteSessions as deleteFiles} from '../../sessions/delete-sessions.ts';
import {findSession, summarize} from '../../sessions/find-session.ts';
import {stripToLine} from '../../terminal/safe-text.ts';
import type {VerbRun} from './session-verb.ts';

export async function deleteSessions({words, directory, environment}: VerbRun): Promise<ExitCode> {
	// A mistake in one of the words deletes nothing.
	const found = words.map((word) => findSession(directory, word));
	const files = [...new Map(found.map((file) => [file.id, file])).values()];
	const titles = new Map(files.map((file) => [file.id, summarize(file)?.title ?? '']));
	await deleteFiles(files, directory, environment.date(), ({id}) => {
		printInfo(`deleted ${id} "${stripToLine(titles.get(id) ?? '')}"`, environment);
	});
	return 0;
}
