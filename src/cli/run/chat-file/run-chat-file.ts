/** `chat run`: asks what is not answered in a conversation file, once or each time it is saved. */
import type {Environment} from '../../../environment.ts';
import {type ExitCode, exitCodeOf, toChatError} from '../../../errors.ts';
import {lineHint, withHint} from '../../../hint.ts';
import {linesOf, printError, printInfo, printList} from '../../../output/print.ts';
import {loadSettings} from '../../../settings/options/load-settings.ts';
import {shorten} from '../../../wording.ts';
import {untilInterrupted} from '../until-interrupted.ts';
import {type Asking, askDue} from './ask-chat-file.ts';
import {type OpenChatFile, openChatFile} from './open-chat-file.ts';
import {saveSession} from './save-turns.ts';
import {readUserFile, type UserFile, withUserFile} from './user-file.ts';
import {stateOf, watchFile} from './watch-file.ts';

type Given = Pick<Asking, 'flags'> & {
	readonly name: string;
	/** Whether each later save of the file is answered too. */
	readonly isWatched: boolean;
	/** Whether the due prompts are only listed. */
	readonly isPlan: boolean;
};

/** @throws {ChatError} as `readUserFile`, `openChatFile` and `askDue` do */
export async function runChatFile(
	{name, flags, isWatched, isPlan}: Given,
	environment: Environment,
): Promise<ExitCode> {
	return await untilInterrupted(environment, async (signal, onInterrupt) => {
		const asking = {flags, signal, onInterrupt};
		const user = await readUserFile(name, environment, signal);
		if (isWatched && !isPlan) return await watch(user, asking, environment);
		const opened = await open(user, asking, environment);
		if (isPlan) return await printDue(opened, environment);
		if (opened.due.length === 0) return sayNothing(opened, name, environment);
		return await withUserFile(user, signal, async () => {
			// Another run may have written it since.
			const now = await readUserFile(name, environment, signal);
			const again = now.text === user.text ? opened : await open(now, asking, environment);
			if (again.due.length === 0) return sayNothing(again, name, environment);
			return await askAndSave(again, now, asking, environment);
		});
	});
}

function open(user: UserFile, {flags}: Asking, environment: Environment): Promise<OpenChatFile> {
	return openChatFile(user, {flags, saved: []}, environment);
}

async function askAndSave(
	opened: OpenChatFile,
	user: UserFile,
	asking: Asking,
	environment: Environment,
): Promise<ExitCode> {
	const asked = await askDue(opened, user, asking, environment);
	if (asked.place !== undefined && asked.user !== user) {
		const id = await saveSession({...asked, place: asked.place}, environment);
		printInfo(`saved; to continue: chat -r ${id}`, environment);
	}
	return asked.exitCode;
}

function sayNothing({loaded, notices}: OpenChatFile, name: string, environment: Environment): 0 {
	if (loaded.settings.quiet) return 0;
	for (const notice of notices) printInfo(withHint(notice, lineHint), environment);
	printInfo(`nothing to ask in ${name}`, environment);
	return 0;
}

async function printDue({due, file, loaded}: OpenChatFile, environment: Environment) {
	const rows = due.map(({index, reason}) => {
		const {line = 0, prompt} = file.turns[index] ?? {};
		return {turn: index + 1, line, reason, prompt: prompt?.text ?? ''};
	});
	const toText = linesOf<(typeof rows)[number]>(
		({line, reason, prompt}) =>
			`line ${line}: ${shorten(prompt.trim().replace(/\s+/g, ' '), 60)} (${reason})`,
	);
	return await printList(
		rows,
		{format: loaded.settings.output, toJson: (row) => row, toText},
		environment,
	);
}

/** Failures are reported: the next save may be right. */
async function watch(user: UserFile, asking: Asking, environment: Environment): Promise<ExitCode> {
	const {flags, signal} = asking;
	const {name, path} = user;
	const {settings} = loadSettings(flags, environment);
	return await withUserFile(user, signal, async () => {
		const watcher = watchFile(path, signal);
		if (!settings.quiet) printInfo(`watching ${name}; Ctrl-C ends it`, environment);
		try {
			let seen = await watcher.next(undefined);
			while (seen !== undefined) {
				const {exitCode, state} = await askSaved(name, asking, environment);
				if (signal.aborted) return exitCode;
				seen = await watcher.next(state ?? seen);
			}
			return 0;
		} finally {
			watcher.close();
		}
	});
}

/** @returns the file's state, if this run has written it */
async function askSaved(
	name: string,
	asking: Asking,
	environment: Environment,
): Promise<{readonly exitCode: ExitCode; readonly state?: string | undefined}> {
	try {
		const user = await readUserFile(name, environment, asking.signal);
		const opened = await open(user, asking, environment);
		if (opened.due.length === 0) return {exitCode: 0};
		const asked = await askDue(opened, user, asking, environment);
		return {exitCode: asked.exitCode, state: asked.user === user ? undefined : stateOf(user.path)};
	} catch (error) {
		const failure = toChatError(error);
		if (['closed', 'output', 'interrupted'].includes(failure.kind)) throw failure;
		printError(failure, false, environment);
		return {exitCode: exitCodeOf(failure)};
	}
}
