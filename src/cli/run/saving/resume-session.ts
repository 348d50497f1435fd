/** Finds the saved conversation a run continues, and its settings. */
import {branchEnds, type Conversation, type Turn} from '../../../chat/conversation.ts';
import type {Notice} from '../../../chat/event.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {isJsonObject} from '../../../json.ts';
import {findLatest, findSession, summarize} from '../../../sessions/find-session.ts';
import {readSession, type StoredSession} from '../../../sessions/read-session.ts';
import {listSessionFiles, type SessionFile} from '../../../sessions/session-files.ts';
import type {LoadOptions} from '../../../settings/options/load-settings.ts';
import {
	fieldNames,
	type PlacedValue,
	type SettingName,
	type Settings,
} from '../../../settings/options/settings.ts';
import {describeTime, describeTurns, plural} from '../../../wording.ts';
import {findSessionsFolder, noneSaved} from './save-conversation.ts';

/**
 * @throws {ChatError} `input` if the conversation is missing or unreadable; `usage` if there are
 * several
 */
export function resumeSession(
	settings: Pick<Settings, 'sessionsDir' | 'resume' | 'fork'>,
	environment: Environment,
): StoredSession {
	const directory = findSessionsFolder(settings, environment);
	if (directory === undefined) throw new ChatError('input', noneSaved);
	const {resume} = settings;
	const file =
		resume === undefined ? findLatest(directory, environment.cwd) : findSession(directory, resume);
	if (file === undefined) throw noneHere(directory, environment.cwd);
	const session = readStored(file);
	const {id} = session;
	// A copy has one branch.
	const others = settings.fork ? {otherTurns: []} : {};
	const conversation = {...session.conversation, ...others};
	const notices = [
		describeResumed(session, settings.fork, environment.date()),
		...session.notices,
		...describeBranches(id, conversation),
	];
	return {...session, conversation, notices};
}

function describeBranches(id: string, conversation: Conversation): readonly Notice[] {
	const {length} = branchEnds(conversation).filter((end) => isWorthReturning(end, conversation));
	const hint = {line: 'in a session, /tree shows them', repl: '/tree shows them'};
	const message = `${id} has ${length} branches`;
	return length < 2 ? [] : [{code: 'session-branches', message, hint}];
}

/** Whether a branch ends with more than a failed attempt at a prompt sent again. */
function isWorthReturning(end: Turn, {turns, otherTurns}: Conversation): boolean {
	if (end.status === 'complete' || end === turns.at(-1)) return true;
	const parent = otherTurns.find(({turn}) => turn === end)?.parent ?? null;
	return parent !== null && turns.every(({id}) => id !== parent);
}

function noneHere(directory: string, cwd: string): ChatError {
	const known = listSessionFiles(directory).flatMap((file) => summarize(file) ?? []);
	const unanswered = known.find((summary) => summary.cwd === cwd);
	if (unanswered !== undefined) {
		const words = `To go on with the last prompt: chat -r ${unanswered.id}`;
		return new ChatError('input', 'no conversation of this folder has an answer yet', {
			hint: words,
		});
	}
	const {length} = known.filter(({isAnswered}) => isAnswered);
	const words = `chat sessions list shows ${plural(length, 'conversation')} from other folders.`;
	return new ChatError('input', 'no conversation began in this folder yet', {
		hint: length === 0 ? undefined : words,
	});
}

/** @throws {ChatError} `input` if it cannot be read */
export function readStored(file: SessionFile): StoredSession {
	try {
		return readSession(file);
	} catch (cause) {
		const {message} = cause as Error;
		throw new ChatError('input', `cannot read the conversation ${file.id}: ${message}`, {cause});
	}
}

function describeResumed(
	{id, title, conversation, draft, updated}: StoredSession,
	isFork: boolean,
	now: number,
): Notice {
	const {length} = conversation.turns;
	const verb = isFork ? 'continuing a copy of' : 'continuing';
	const age = describeTime(updated, now);
	return {
		code: 'session-continued',
		message: `${verb} ${id} "${title}" (${describeTurns(length, draft !== undefined)}, ${age})`,
	};
}

/** Returns a session's settings for `loadSettings`. */
export function readSaved({settings}: StoredSession): Pick<LoadOptions, 'chosen'> {
	// Another service may not know an imported conversation's model.
	if (settings === undefined || settings.service === '') return {};
	const {model, service, options} = settings;
	const values: Partial<Record<SettingName, PlacedValue>> = {
		model: {key: 'model', json: model, baseUrl: service},
	};
	for (const name of [...fieldNames, 'responseFormat', 'search', 'option'] as const) {
		const json = options[name] ?? null;
		// A text could name a file, whose content would be sent.
		const isLost = name === 'option' && !isJsonObject(json);
		values[name] = {key: name, json: isLost ? null : json};
	}
	const layer = {source: 'session', location: '', directory: '', values} as const;
	return {chosen: [layer]};
}
