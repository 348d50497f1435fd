/** Makes the first screen of a session: the program and its service, and what there is to go on with. */
import type {Environment} from '../../../environment.ts';
import {isRoomy, type Size} from '../../../repl/geometry.ts';
import type {EarlierSession, PlainEntry} from '../../../repl/state.ts';
import {findEarlier} from '../../../sessions/find-session.ts';
import {version} from '../../../version.ts';
import {describeTime, describeTurns, shortenHome} from '../../../wording.ts';
import type {SavingPlace} from '../saving/save-conversation.ts';
import type {Run} from '../turn-runner.ts';

const maxEarlier = 3;

/** Lists the last conversations of the folder, as many as the window has room for. */
export function listEarlier(
	{settings, resumed}: Run,
	place: SavingPlace | undefined,
	size: Size,
	environment: Environment,
): readonly EarlierSession[] {
	if (place === undefined || resumed !== undefined || settings.quiet) return [];
	const now = environment.date();
	const count = isRoomy(size) ? maxEarlier : 1;
	return findEarlier(place.directory, environment.cwd, count).map(
		({id, title, updated, turns, hasDraft}) => ({
			id,
			title,
			turns: turns === undefined ? undefined : describeTurns(turns, hasDraft),
			age: describeTime(updated, now),
		}),
	);
}

/** Returns the entries above the first prompt; none with `-q`. */
export function describeStart(
	{settings, service: {connection, name, title}}: Run,
	model: string,
	earlier: readonly EarlierSession[],
	{cwd, homedir}: Environment,
): readonly PlainEntry[] {
	if (settings.quiet) return [];
	const header: PlainEntry = {
		type: 'header',
		version,
		model: model === '' ? 'no model' : model,
		service: name.includes('://') ? connection.wire.url.host : title,
		folder: shortenHome(cwd, homedir),
		hints: earlier.length > 0 ? [] : ['/ commands', '@ files', 'Ctrl-R history', '? keys'],
	};
	return earlier.length === 0 ? [header] : [header, {type: 'earlier', sessions: earlier}];
}
