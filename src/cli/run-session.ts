/** The interactive session: what the command line asked for, then the keyboard. */
import {emptyConversation, withSystem} from '../chat/conversation.ts';
import type {Environment, Terminal} from '../environment.ts';
import {ChatError, type ExitCode} from '../errors.ts';
import {loadTextFile} from '../input/load-file.ts';
import {loadImage} from '../input/load-image.ts';
import type {Prompt as ReadPrompt} from '../input/read-prompt.ts';
import type {SendWords} from '../input/send-words.ts';
import {frameMs} from '../repl/frame-ms.ts';
import {createSession, type SessionServices} from '../repl/session.ts';
import {createPrompt} from '../repl/session-prompt.ts';
import {type Attachment, createReplState} from '../repl/state.ts';
import {createScreenOptions} from './answer-view.ts';
import {splitShellWords, UnclosedQuoteError} from './shell-words.ts';
import {createTurnRunner, type RunContext} from './turn-runner.ts';

/** @throws {ChatError} `usage` when there is no keyboard, the signal's reason when it is aborted */
export async function runSession(
	run: RunContext,
	terminal: Terminal,
	environment: Environment,
): Promise<ExitCode> {
	const {settings, service, options, system, prompt, notices, signal} = run;
	const keyboard = terminal.openKeyboard();
	if (keyboard === undefined) {
		throw new ChatError('usage', 'there is no keyboard for an interactive session', {
			hint: 'Leave -i out to get one answer.',
		});
	}
	const now = () => environment.now();
	const attachments = attachmentsOf(prompt);
	const session = createSession(
		createReplState({
			options,
			family: settings.family,
			reasoningMode: settings.reasoning,
			conversation: withSystem(emptyConversation, system),
			attachments: prompt.text === '' ? attachments : [],
			...terminal.size(),
		}),
		createServices(run, environment),
	);
	const {runReplScreen} = await import('../ui/ink/run-repl.ts');
	await runReplScreen({
		session,
		terminal,
		keyboard,
		options: createScreenOptions(settings, service.redact, environment),
		greeting: notices.map(textOfNotice),
		first: prompt.text === '' ? undefined : createPrompt(prompt.text, attachments),
		now,
		signal,
	});
	if (signal.aborted) throw signal.reason;
	return 0;
}

const sendWords: SendWords = {file: '/file', image: '/image'};

function createServices(run: RunContext, environment: Environment): SessionServices {
	const {cwd} = environment;
	return {
		openTurn: createTurnRunner(run, {gatherMs: frameMs, readKey: run.service.readKey}),
		async load(kind, written) {
			const source = readPath(written, environment);
			if (kind === 'image') {
				const {part, notices} = await loadImage(source, {cwd, sendWords});
				return {
					attachment: {type: 'image', name: source, part},
					notices: notices.map(textOfNotice),
				};
			}
			// Nobody may ever write to a pipe, and a session would wait for it until its end, and after.
			const {name, text, notices} = await loadTextFile(source, {
				cwd,
				sendWords,
				isPipeAllowed: false,
			});
			return {attachment: {type: 'file', name, text}, notices: notices.map(textOfNotice)};
		},
		now: () => environment.now(),
	};
}

function textOfNotice({message}: {readonly message: string}): string {
	return message;
}

function attachmentsOf({files, images}: ReadPrompt): readonly Attachment[] {
	return [
		...files.map((file): Attachment => ({type: 'file', ...file})),
		...images.map((image): Attachment => ({type: 'image', ...image})),
	];
}

/** Paths come as a shell or a file manager writes them: quoted, escaped, from the home folder. */
function readPath(text: string, {homedir, platform}: Environment): string {
	const [word = text, ...more] = splitWords(text, platform);
	const path = more.length > 0 ? text : word;
	return homedir !== undefined && path.startsWith('~/') ? `${homedir}${path.slice(1)}` : path;
}

/** A path that no shell would take is taken as it stands. */
function splitWords(text: string, platform: string): readonly string[] {
	try {
		return splitShellWords(text, platform);
	} catch (error) {
		if (error instanceof UnclosedQuoteError) return [];
		throw error;
	}
}
