/** `chat sessions list`: prints the conversations, the latest first. */
import type {ExitCode} from '../../../errors.ts';
import {alignColumns} from '../../../output/align-columns.ts';
import {printInfo, printList} from '../../../output/print.ts';
import type {SessionSummary} from '../../../sessions/find-session.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import {describeTime, describeTurns, plural} from '../../../wording.ts';
import {chooseSessions} from './choose-sessions.ts';
import type {VerbRun} from './session-verb.ts';
import {summaryToJson} from './summary-json.ts';

export async function listSessions(run: VerbRun): Promise<ExitCode> {
	let leftOut = 0;
	const isListed = ({isAnswered}: SessionSummary) => {
		if (isAnswered || run.flags.all) return true;
		leftOut += 1;
		return false;
	};
	const listed = chooseSessions(run, () => ({}), isListed);
	const exitCode = await printSummaries(listed, run);
	if (leftOut > 0) {
		const count = plural(leftOut, 'conversation');
		printInfo(`${count} without an answer not listed; --all lists all`, run.environment);
	}
	return exitCode;
}

export async function printSummaries(
	summaries: readonly SessionSummary[],
	{settings, environment}: VerbRun,
): Promise<ExitCode> {
	const now = environment.date();
	const toRow = ({id, updated, turns, hasDraft, title}: SessionSummary) => [
		id,
		describeTime(updated, now),
		describeTurns(turns, hasDraft),
		stripToLine(title),
	];
	const toText = (all: readonly SessionSummary[]) => alignColumns(all.map(toRow), {numbers: [1]});
	const format = {format: settings.output, toJson: summaryToJson, toText};
	return await printList(summaries, format, environment);
}
