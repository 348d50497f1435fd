/** `chat sessions` on a terminal: lets the user choose a session, and continues it. */
import type {Environment} from '../../../environment.ts';
import type {ExitCode} from '../../../errors.ts';
import {printInfo} from '../../../output/print.ts';
import {listSessionFiles} from '../../../sessions/session-files.ts';
import {loadSettings} from '../../../settings/options/load-settings.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {decideColor, decidePlain} from '../../../terminal/capabilities.ts';
import type {FlagTexts} from '../../command-line/command.ts';
import {untilInterrupted} from '../until-interrupted.ts';
import {pickSession} from './pick-session.ts';
import {findSessionsFolder, noneSaved} from './save-conversation.ts';

/** Lets the user choose the session for a bare `-r`; returns undefined as `browseSessions` does. */
export async function chooseSession(
	flags: FlagTexts,
	environment: Environment,
): Promise<ExitCode | undefined> {
	const {stdin, stdout} = environment;
	if (stdin.kind !== 'terminal' || !stdout.isTerminal) return undefined;
	const {settings} = loadSettings(flags, environment);
	const directory = findSessionsFolder(settings, environment);
	if (directory === undefined) return undefined;
	return await browseSessions(flags, directory, settings, environment);
}

/** Returns undefined where there is no screen to choose on. */
export async function browseSessions(
	flags: FlagTexts,
	directory: string,
	settings: Settings,
	environment: Environment,
): Promise<ExitCode | undefined> {
	const {terminal, variables} = environment;
	if (decidePlain(settings.plain, variables)) return undefined;
	const keyboard = terminal?.openKeyboard();
	if (terminal === undefined || keyboard === undefined) return undefined;
	if (listSessionFiles(directory).length === 0) {
		keyboard.close();
		printInfo(noneSaved, environment);
		return 0;
	}
	const {readKeys} = await import('../../../ui/ink/mount/read-keys.ts');
	const id = await untilInterrupted(environment, async (signal, interrupt) => {
		const onEnd = () => interrupt('SIGHUP');
		const screen: Parameters<typeof pickSession>[0] = {
			settings,
			runningId: undefined,
			terminal,
			listen: (onKeys) => readKeys(terminal, keyboard, {onKeys, onEnd}),
			hasColor: decideColor(settings.color, variables),
			signal,
		};
		const picked = await pickSession(screen, environment);
		signal.throwIfAborted();
		return picked;
	});
	if (id === undefined) return 0;
	const {runChat} = await import('../run-chat.ts');
	const line = {argv: [], flags: {...flags, resume: [id]}, words: [], failure: undefined};
	return await runChat(line, environment);
}
