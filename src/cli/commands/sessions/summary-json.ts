/** The JSON form of saved conversations. */
import type {SessionSummary} from '../../../sessions/find-session.ts';

export function summaryToJson({id, title, created, updated, turns, model, cwd}: SessionSummary) {
	const times = {created: isoTime(created), updated: isoTime(updated)};
	return {id, title, ...times, turns, model: model ?? null, cwd: cwd ?? null};
}

export function isoTime(ms: number): string {
	return new Date(ms).toISOString();
}
