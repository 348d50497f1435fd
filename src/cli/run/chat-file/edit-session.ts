/** `--edit`: a saved conversation in the user's editor. A change makes a branch: nothing is lost. */
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {printInfo} from '../../../output/print.ts';
import {createKeyRedactor} from '../../../redact.ts';
import {writeMarkdown} from '../../../sessions/export/write-markdown.ts';
import type {StoredSession} from '../../../sessions/read-session.ts';
import {loadSettings} from '../../../settings/options/load-settings.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {quoteWord} from '../../../wording.ts';
import type {PromptLine} from '../../command-line/parse-argv.ts';
import {checkCombinations} from '../chat-options.ts';
import {findEditor, runEditor} from '../run-editor.ts';
import {readSaved, resumeSession} from '../saving/resume-session.ts';
import {findSessionsFolder, noneSaved} from '../saving/save-conversation.ts';
import {untilInterrupted} from '../until-interrupted.ts';
import {type Asking, askDue} from './ask-chat-file.ts';
import {openChatFile} from './open-chat-file.ts';
import {countSame, saveBranch} from './save-turns.ts';
import {readUserFile, type UserFile} from './user-file.ts';

/**
 * @throws {ChatError} `usage` for anything but one conversation; as `resumeSession`, `runEditor`,
 * `openChatFile` and `askDue` do
 */
export async function editSession(line: PromptLine, environment: Environment): Promise<ExitCode> {
	const {flags} = line;
	const {settings} = loadSettings(flags, environment);
	checkCombinations(settings);
	const mistake = findMistake(line, settings);
	if (mistake !== undefined) throw new ChatError('usage', mistake);
	// Before the file is made.
	findEditor(environment);
	const session = resumeSession(settings, environment);
	return await untilInterrupted(environment, (signal, onInterrupt) =>
		editIn(session, {flags, signal, onInterrupt}, environment),
	);
}

function findMistake({words}: PromptLine, settings: Settings): string | undefined {
	if (!settings.continue && settings.resume === undefined) return '--edit needs -c or -r';
	if (settings.fork || settings.interactive) return '--edit cannot be used with --fork or -i';
	return words.length === 0 ? undefined : '--edit takes no prompt: write it in the editor';
}

/** A failure leaves the changed text in its file. */
async function editIn(
	session: StoredSession,
	asking: Asking,
	environment: Environment,
): Promise<ExitCode> {
	const {id} = session;
	const folder = mkdtempSync(join(tmpdir(), 'chat-edit-'));
	const path = join(folder, `${id}.md`);
	const text = writeText(session);
	let isKept = false;
	try {
		writeFileSync(path, text, {mode: 0o600, flag: 'wx'});
		await runEditor(path, environment);
		if (!existsSync(path)) throw new ChatError('config', 'the editor left no file');
		if (readFileSync(path, 'utf8') === text) {
			printInfo(`${id} was not changed`, environment);
			return 0;
		}
		isKept = true;
		const user = await readUserFile(path, environment, asking.signal);
		const {exitCode, isDone} = await askChanged(session, user, asking, environment);
		isKept = !isDone;
		return exitCode;
	} finally {
		if (isKept) {
			const next = `chat run ${quoteWord(path)}`;
			printInfo(`the changed text is in ${path}; to go on with it: ${next}`, environment);
		} else rmSync(folder, {recursive: true, force: true});
	}
}

/** The last heading is where the user writes. A model belongs to its service, so it is left out. */
function writeText({id, title, created, conversation, draft}: StoredSession): string {
	const session = {id, title, created, model: '', conversation: {...conversation, otherTurns: []}};
	return `${writeMarkdown(session)}\n\n## User\n\n${draft?.text ?? ''}\n`;
}

type Outcome = {readonly exitCode: ExitCode; readonly isDone: boolean};

async function askChanged(
	session: StoredSession,
	user: UserFile,
	asking: Asking,
	environment: Environment,
): Promise<Outcome> {
	const {id, conversation} = session;
	const {chosen: saved = []} = readSaved(session);
	const opened = await openChatFile(user, {flags: asking.flags, saved}, environment);
	const {file, loaded, system = '', due} = opened;
	const known = session.settings ?? {model: '', service: '', options: {}};
	const unasked = {
		...({exitCode: 0, isDone: true, turns: file.turns} as const),
		settings: {...known, system},
	};
	const asked = due.length === 0 ? unasked : await askDue(opened, user, asking, environment);
	const same = countSame(conversation, asked.turns);
	const isShorter = asked.isDone && same < conversation.turns.length;
	if (same === asked.turns.length && !isShorter) {
		if (asked.isDone) printInfo(`nothing to ask in ${id}`, environment);
		return asked;
	}
	const directory = findSessionsFolder(loaded.settings, environment);
	if (directory === undefined) throw new ChatError('input', noneSaved);
	const place = {directory, redact: createKeyRedactor(environment.variables)};
	await saveBranch(session, {...asked, place}, environment);
	printInfo(`saved as a branch of ${id}; to continue: chat -r ${id}`, environment);
	return asked;
}
