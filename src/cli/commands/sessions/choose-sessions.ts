/** The saved conversations that the flags of a verb choose. */
import {printInfo} from '../../../output/print.ts';
import {type SessionSummary, summarize} from '../../../sessions/find-session.ts';
import {listSessionFiles, type SessionFile} from '../../../sessions/session-files.ts';
import type {VerbRun} from './session-verb.ts';

/**
 * Returns them with what was found in them, the last updated first.
 *
 * @param find returns undefined for a session that is not wanted
 * @param isListed asked about those that the flags choose
 */
export function chooseSessions<Found extends object>(
	{directory, flags, environment}: VerbRun,
	find: (file: SessionFile) => Found | undefined,
	isListed: (summary: SessionSummary) => boolean = () => true,
): ReadonlyArray<SessionSummary & Found> {
	const {limit = Number.POSITIVE_INFINITY, here, model, since} = flags;
	const oldest = since === undefined ? Number.NEGATIVE_INFINITY : environment.date() - since;
	const isWanted = (summary: SessionSummary) =>
		(!here || summary.cwd === environment.cwd) &&
		(model === undefined || summary.model?.toLowerCase().includes(model.toLowerCase()));
	const chosen: Array<SessionSummary & Found> = [];
	for (const file of listSessionFiles(directory)) {
		if (chosen.length >= limit || file.updated < oldest) break;
		const found = find(file);
		if (found === undefined) continue;
		const summary = summarize(file);
		if (summary === undefined) printInfo(`${file.id} cannot be read`, environment);
		else if (isWanted(summary) && isListed(summary)) chosen.push({...summary, ...found});
	}
	return chosen;
}
