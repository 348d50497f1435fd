/** `chat sessions` on a terminal: lets the user choose a session, and continues it. */
import type {Environment} from '../../../environment.ts';
import {type ExitCode, type InterruptSignal, interruptedBy} from '../../../errors.ts';
import {printInfo} from '../../../output/print.ts';
import {listSessionFiles} from '../../../sessions/session-files.ts';
import {loadSettings} from '../../../settings/options/load-settings.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {decideColor, decidePlain} from '../../../terminal/capabilities.ts';
import type {FlagTexts} from '../../command-line/command.ts';
import {pickSession} from './pick-session.ts';
import {findSessionsFolder} from './save-conversation.ts';

/** Lets the user choose the session that `-r` does not name; returns undefined as `browseSessions` does. */
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
		printInfo('no conversations are saved', environment);
		return 0;
	}
	const interrupt = new AbortController();
	const {signal} = interrupt;
	const stop = (name: InterruptSignal) => interrupt.abort(interruptedBy(name));
	const stopListening = environment.onInterrupt(stop);
	const {readKeys} = await import('../../../ui/ink/read-keys.ts');
	const screen: Parameters<typeof pickSession>[0] = {
		settings,
		runningId: undefined,
		terminal,
		listen: (onKeys) => readKeys(terminal, keyboard, {onKeys, onEnd: () => stop('SIGHUP')}),
		hasColor: decideColor(settings.color, variables),
		signal,
	};
	const id = await pickSession(screen, environment).finally(stopListening);
	signal.throwIfAborted();
	if (id === undefined) return 0;
	const {runChat} = await import('../run-chat.ts');
	const line = {argv: [], flags: {...flags, resume: [id]}, words: [], failure: undefined};
	return await runChat(line, environment);
}
