/** `chat sessions export`: prints a whole conversation for people or other programs. */
import type {ExitCode} from '../../errors.ts';
import {printExact, printInfo} from '../../output/print.ts';
import {withoutReasoning} from '../../sessions/export/exported-session.ts';
import {findSession} from '../../sessions/find-session.ts';
import {readSession} from '../../sessions/read-session.ts';
import {loadWriter} from './export-writers.ts';
import type {VerbRun} from './session-verb.ts';

export async function exportSession({
	words,
	flags,
	directory,
	environment,
}: VerbRun): Promise<ExitCode> {
	const session = readSession(findSession(directory, words[0] ?? ''), directory);
	for (const {message} of session.notices) printInfo(message, environment);
	const {id, title, created, settings, conversation} = session;
	const write = await loadWriter(flags.format);
	const text = write({
		id,
		title,
		created,
		model: settings?.model ?? conversation.turns.at(-1)?.model ?? '',
		conversation: flags.keepReasoning ? conversation : withoutReasoning(conversation),
	});
	return await printExact(text, environment);
}
