/** `chat sessions search`: prints the conversations that have some texts. */
import type {ExitCode} from '../../../errors.ts';
import {alignColumns} from '../../../output/align-columns.ts';
import {printInfo, printList} from '../../../output/print.ts';
import {createSearch, longText} from '../../../sessions/search-sessions.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import {describeTime, formatSize, plural} from '../../../wording.ts';
import {chooseSessions} from './choose-sessions.ts';
import type {VerbRun} from './session-verb.ts';
import {summaryToJson} from './summary-json.ts';

export async function searchSessions(run: VerbRun): Promise<ExitCode> {
	const {words, flags, settings, environment} = run;
	const shortened = new Set<string>();
	const search = createSearch(words, flags.role, (id) => shortened.add(id));
	const found = chooseSessions(run, search);
	const now = environment.date();
	await printList(
		found,
		{
			format: settings.output,
			toJson: ({role, excerpt, ...summary}) => ({...summaryToJson(summary), role, excerpt}),
			toText: (all) =>
				alignColumns(
					all.map(({id, updated, title, excerpt}) => [
						id,
						describeTime(updated, now),
						`"${stripToLine(title)}"`,
						stripToLine(excerpt),
					]),
					{numbers: [1], maxWidth: 42},
				),
		},
		environment,
	);
	if (shortened.size > 0) {
		const count = plural(shortened.size, 'conversation');
		const message = `searched only the start and the end of texts over ${formatSize(longText)}, in ${count}`;
		printInfo(message, environment);
	}
	if (found.length > 0) return 0;
	if (environment.stdout.isTerminal)
		printInfo('no conversation has all of these texts', environment);
	return 1;
}
