/** Makes a session's first screen: the program, its service, and where to go on. */
import type {Notice} from '../../../chat/event.ts';
import type {Environment} from '../../../environment.ts';
import {replHint, withHint} from '../../../hint.ts';
import {isRoomy, type Size} from '../../../repl/geometry.ts';
import type {EarlierSession, PlainEntry, ReplState} from '../../../repl/state.ts';
import {findEarlier} from '../../../sessions/find-session.ts';
import {version} from '../../../version.ts';
import {describeTime, describeTurns, shortenHome} from '../../../wording.ts';
import type {SavingPlace} from '../saving/save-conversation.ts';
import type {Run} from '../turn-runner.ts';

const maxEarlier = 3;

/** Lists the folder's last conversations, as many as the window has room for. */
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
			title: title === '' ? id : title,
			turns: turns === undefined ? undefined : describeTurns(turns, hasDraft),
			age: describeTime(updated, now),
		}),
	);
}

export type FirstScreen = {
	/** The program and its service, and what there is to go on with. */
	readonly opening: readonly PlainEntry[];
	/** The notices following a continued conversation's turns. */
	readonly greeting: readonly string[];
};

export function describeStart(
	{settings, service: {connection, name, title, traces}}: Run,
	{options: {model}, earlier, ...state}: ReplState,
	notices: readonly Notice[],
	{cwd, homedir}: Environment,
): FirstScreen {
	const fresh = settings.quiet ? undefined : notices.find(({code}) => code === 'built-in-service');
	const others = notices.filter((notice) => notice !== fresh);
	const greeting = [...traces, ...others.map((notice) => withHint(notice, replHint))];
	if (settings.quiet) return {opening: [], greeting};
	const header: PlainEntry = {
		type: 'header',
		version,
		model: model === '' ? 'no model' : model,
		service: name.includes('://') ? connection.wire.url.host : title,
		folder: shortenHome(cwd, homedir),
	};
	const list: PlainEntry = {type: 'earlier', sessions: earlier};
	const below = earlier.length === 0 ? [] : [list];
	return {opening: [header, ...below, ...welcome(fresh, isRoomy(state))], greeting};
}

/** Explains who answers on a new machine, how to change it, and what to try meanwhile. */
function welcome(notice: Notice | undefined, hasRoom: boolean): readonly PlainEntry[] {
	if (notice?.hint === undefined) return [];
	const next = replHint(notice.hint);
	if (!hasRoom) return [{type: 'notice', text: `rules answer, no model; ${next}`}];
	const text = `The built-in service answers by rules; there is no model behind it.\n${next}`;
	const rows = [
		['show me every Markdown construct', 'lists, tables, code, formulas'],
		['think hard: write code in rust', 'reasoning, which Ctrl-O opens'],
	] as const;
	return [
		{type: 'text', text},
		{type: 'table', groups: [{title: 'Try', rows}]},
	];
}
