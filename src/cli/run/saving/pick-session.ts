/** Lets the user choose a saved session on a screen. */
import {messageText} from '../../../chat/message.ts';
import type {Prompt} from '../../../chat/prompt.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {foldText} from '../../../fold-text.ts';
import {createKeyRedactor} from '../../../redact.ts';
import type {PickerSession, PreviewText} from '../../../repl/list/picker-state.ts';
import {readInput} from '../../../schedule-after-input.ts';
import {deleteSessions} from '../../../sessions/delete-sessions.ts';
import {findSession, summarize} from '../../../sessions/find-session.ts';
import {renameSession} from '../../../sessions/rename-session.ts';
import {createSearch} from '../../../sessions/search-sessions.ts';
import {listSessionFiles, type SessionFile} from '../../../sessions/session-files.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import type {PickerScreen} from '../../../ui/ink/picker/run-picker.tsx';
import {readStored} from './resume-session.ts';
import {findSessionsFolder, noneSaved} from './save-conversation.ts';

type PickRun = Omit<PickerScreen, 'services' | 'cwd' | 'date'> & {
	readonly settings: Pick<Settings, 'sessionsDir'>;
	/** The running session, protected from deletion. */
	readonly runningId: string | undefined;
};

/**
 * Returns the session id to resume; undefined if the user leaves.
 *
 * @throws {ChatError} `input` if there is none
 */
export async function pickSession(
	{settings, runningId, ...screen}: PickRun,
	environment: Environment,
): Promise<string | undefined> {
	const directory = findSessionsFolder(settings, environment);
	if (directory === undefined || listSessionFiles(directory).length === 0) {
		throw new ChatError('input', noneSaved);
	}
	const {runPicker} = await import('../../../ui/ink/picker/run-picker.tsx');
	const services = createServices(directory, runningId, environment);
	return await runPicker({...screen, services, cwd: environment.cwd, date: environment.date()});
}

function createServices(
	directory: string,
	runningId: string | undefined,
	environment: Environment,
): PickerScreen['services'] {
	return {
		list: () => inSlices(listSessionFiles(directory), describeFile, environment),
		search(words) {
			const find = createSearch(words);
			const match = (file: SessionFile) => {
				const found = find(file);
				return found && {id: file.id, excerpt: found.excerpt};
			};
			return inSlices(listSessionFiles(directory), match, environment);
		},
		preview: async (id) => previewSession(findSession(directory, id)),
		rename: async (id, title) =>
			renameSession(findSession(directory, id), title, createKeyRedactor(environment.variables)),
		async delete(id) {
			if (id === runningId) throw new ChatError('usage', 'this conversation is still running');
			await deleteSessions([findSession(directory, id)], directory, false);
		},
	};
}

/** The time after which keys are heard. */
const sliceMs = 20;

/** Yields file results in slices, reading keys in between. */
async function* inSlices<Result>(
	files: readonly SessionFile[],
	work: (file: SessionFile) => Result | undefined,
	{now}: Pick<Environment, 'now'>,
): AsyncGenerator<readonly Result[], void, undefined> {
	let results: Result[] = [];
	let since = now();
	for (const file of files) {
		const result = work(file);
		if (result !== undefined) results.push(result);
		if (now() - since < sliceMs) continue;
		yield results;
		results = [];
		await readInput();
		since = now();
	}
	yield results;
}

/** A full-text search finds longer prompts. */
const promptsLength = 4096;

function describeFile(file: SessionFile): PickerSession | undefined {
	const summary = summarize(file);
	if (summary === undefined) return undefined;
	const {prompts, ...session} = summary;
	return {...session, prompts: foldText(prompts.join('\n').slice(0, promptsLength))};
}

const previewTurns = 10;
const previewLength = 20_000;

/** Returns the last turns, including a prompt left unanswered. */
function previewSession(file: SessionFile): readonly PreviewText[] {
	const {conversation, draft, notices} = readStored(file);
	const turns = conversation.turns.slice(-previewTurns);
	const isOpen = draft !== undefined && draft !== turns.at(-1)?.prompt;
	return [
		...turns.flatMap(({prompt, messages}) => [
			user(prompt),
			...messages.flatMap((message) =>
				message.role === 'assistant'
					? [{role: 'assistant', text: messageText(message).slice(-previewLength)} as const]
					: [],
			),
		]),
		...(isOpen ? [user(draft)] : []),
		...notices.map(({message}) => ({role: 'notice', text: message}) as const),
	];
}

function user({text}: Prompt): PreviewText {
	return {role: 'user', text: text.slice(-previewLength)};
}
