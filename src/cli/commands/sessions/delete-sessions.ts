/** `chat sessions delete`: deletes conversations. */
import {ChatError, type ExitCode} from '../../../errors.ts';
import {printInfo} from '../../../output/print.ts';
import {deleteSessions as deleteFiles} from '../../../sessions/delete-sessions.ts';
import {findSession, summarize} from '../../../sessions/find-session.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import {deleteChosen} from './prune-sessions.ts';
import type {VerbRun} from './session-verb.ts';

export async function deleteSessions(run: VerbRun): Promise<ExitCode> {
	const {words, flags, directory, environment} = run;
	const hasIds = words.length > 0;
	if (hasIds === flags.all) {
		throw new ChatError('usage', 'sessions delete needs either ids or --all', {
			hint: 'chat sessions list --all prints the ids.',
		});
	}
	if (flags.all) return await deleteChosen(() => true, 'all ', run);
	// A mistake in one of the words deletes nothing.
	const found = words.map((word) => findSession(directory, word));
	const files = [...new Map(found.map((file) => [file.id, file])).values()];
	const titles = new Map(files.map((file) => [file.id, summarize(file)?.title ?? '']));
	await deleteFiles(files, directory, environment.date(), ({id}) => {
		printInfo(`deleted ${id} "${stripToLine(titles.get(id) ?? '')}"`, environment);
	});
	return 0;
}
