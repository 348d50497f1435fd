/** `chat sessions search`: prints the conversations that have some texts. */
import type {ExitCode} from '../../errors.ts';
import {printList} from '../../output/print.ts';
import {createSearch} from '../../sessions/search-sessions.ts';
import {stripToLine} from '../../terminal/safe-text.ts';
import {describeAge} from '../../wording.ts';
import {chooseSessions} from './choose-sessions.ts';
import type {VerbRun} from './session-verb.ts';
import {summaryToJson} from './summary-json.ts';

export async function searchSessions(run: VerbRun): Promise<ExitCode> {
	const {words, flags, settings, environment} = run;
	const found = chooseSessions(run, createSearch(words, flags.role));
	const now = environment.date();
	await printList(
		found,
		{
			format: settings.output,
			toJson: ({role, excerpt, ...summary}) => ({...summaryToJson(summary), role, excerpt}),
			toLine({id, updated, title, excerpt}) {
				const age = describeAge(now - updated).padStart(12);
				return `${id}  ${age}  "${stripToLine(title)}"  ${stripToLine(excerpt)}`;
			},
		},
		environment,
	);
	return found.length === 0 ? 1 : 0;
}
