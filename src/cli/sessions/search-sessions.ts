/** `chat sessions search`: prints the conversations that have some texts. */
import type {ExitCode} from '../../errors.ts';
import {toJsonLine} from '../../json.ts';
import {printText} from '../../output/print.ts';
import type {SessionSummary} from '../../sessions/find-session.ts';
import {createSearch, type SearchMatch} from '../../sessions/search-sessions.ts';
import {stripToLine} from '../../terminal/safe-text.ts';
import {describeAge} from '../../wording.ts';
import {chooseSessions} from './choose-sessions.ts';
import type {VerbRun} from './session-verb.ts';
import {summaryToJson} from './summary-json.ts';

export async function searchSessions(run: VerbRun): Promise<ExitCode> {
	const {words, flags, settings, environment} = run;
	const found = chooseSessions(run, createSearch(words, flags.role));
	const now = environment.date();
	const format = {
		json: () => toJsonLine(found.map(matchToJson)),
		jsonl: () => found.map((match) => toJsonLine(matchToJson(match))).join(''),
		text: () =>
			found
				.map(({id, updated, title, excerpt}) => {
					const age = describeAge(now - updated).padStart(12);
					return `${id}  ${age}  "${stripToLine(title)}"  ${stripToLine(excerpt)}\n`;
				})
				.join(''),
	};
	await printText(format[settings.output](), environment);
	return found.length === 0 ? 1 : 0;
}

function matchToJson({role, excerpt, ...summary}: SessionSummary & SearchMatch) {
	return {...summaryToJson(summary), role, excerpt};
}
