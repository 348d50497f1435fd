/** `chat sessions list`: prints the conversations, the latest first. */
import type {ExitCode} from '../../errors.ts';
import {printList} from '../../output/print.ts';
import type {SessionSummary} from '../../sessions/find-session.ts';
import {stripToLine} from '../../terminal/safe-text.ts';
import {describeAge, describeTurns} from '../../wording.ts';
import {chooseSessions} from './choose-sessions.ts';
import type {VerbRun} from './session-verb.ts';
import {summaryToJson} from './summary-json.ts';

export async function listSessions(run: VerbRun): Promise<ExitCode> {
	return await printSummaries(
		chooseSessions(run, () => ({})),
		run,
	);
}

export async function printSummaries(
	summaries: readonly SessionSummary[],
	{settings, environment}: VerbRun,
): Promise<ExitCode> {
	const now = environment.date();
	return await printList(
		summaries,
		{
			format: settings.output,
			toJson: summaryToJson,
			toLine({id, updated, turns, hasDraft, title}) {
				const age = describeAge(now - updated).padStart(12);
				const count = describeTurns(turns, hasDraft).padEnd(12);
				return `${id}  ${age}  ${count}  ${stripToLine(title)}`;
			},
		},
		environment,
	);
}
