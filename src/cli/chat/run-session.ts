/** Runs an interactive session. */
import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import type {Environment, Terminal} from '../../environment.ts';
import {ChatError, type ExitCode} from '../../errors.ts';
import {describeSize} from '../../input/describe-size.ts';
import {loadFiles} from '../../input/load-files.ts';
import {type LoadedAttachments, loadMedia} from '../../input/load-media.ts';
import {printInfo} from '../../output/print.ts';
import {createSession, type SessionServices} from '../../repl/session.ts';
import {restorePrompt} from '../../repl/session-prompt.ts';
import {createReplState, type ReplState} from '../../repl/state.ts';
import {decidePlain} from '../../terminal/capabilities.ts';
import {wordsOf} from '../hints/hint-words.ts';
import {keepHistory} from '../sessions/keep-history.ts';
import {findSavingPlace} from '../sessions/save-conversation.ts';
import {saveSession} from '../sessions/save-session.ts';
import {splitShellWords, UnclosedQuoteError} from '../shell-words.ts';
import {createScreenOptions} from './answer-screen.ts';
import {createValueLister} from './list-values.ts';
import {createNotifier} from './notify.ts';
import {createTurnRunner, type RunContext} from './turn-runner.ts';

/** @throws {ChatError} `usage` without a keyboard; when `signal` aborts, its reason */
export async function runSession(
	run: RunContext,
	terminal: Terminal,
	environment: Environment,
): Promise<ExitCode> {
	const {settings, service, options, conversation, prompt, notices, search, signal} = run;
	const keyboard = terminal.openKeyboard();
	if (keyboard === undefined) {
		throw new ChatError('usage', 'an interactive session needs a keyboard', {
			hint: {code: 'own-words', words: 'For a single answer, leave out -i.'},
		});
	}
	const state = createReplState({
		options,
		family: settings.family,
		reasoningMode: settings.reasoning,
		conversation,
		attachments: prompt.text === '' ? prompt.attachments : [],
		isSaved: findSavingPlace(run, environment) !== undefined,
		...terminal.size(),
	});
	const draft = run.resumed?.draft;
	let latest = run.resumed;
	const notifier = createNotifier(settings, environment);
	const services = createServices(run, environment);
	const session = createSession(draft === undefined ? state : restorePrompt(state, draft), {
		...services,
		openTurn: notifier.watch(
			createTurnRunner(run, {readKey: service.readKey, isFormRequired: false}),
		),
		async openSession(word) {
			const {openSession} = await import('../sessions/open-session.ts');
			const {opened, stored} = await openSession(word, run, environment);
			latest = stored;
			return {...opened, notices: [...saving.describeLeft(stored.id), ...opened.notices]};
		},
		async exportConversation(written, current) {
			const {exportToFile} = await import('../sessions/export-to-file.ts');
			const path = readPath(written, environment);
			return await exportToFile(describeRunning(current), path, environment);
		},
		async editText(text) {
			const {editText} = await import('./edit-text.ts');
			return await terminal.lend(() => editText(text, environment));
		},
		async copy(copied, current) {
			const {copyText} = await import('./copy-text.ts');
			if (copied !== 'conversation') return await copyText(copied.text, copied, environment);
			const {exportAsMarkdown} = await import('../sessions/export-to-file.ts');
			const text = await exportAsMarkdown(describeRunning(current), environment);
			return await copyText(text, {isPartial: false}, environment);
		},
	});
	const describeRunning = ({conversation, options: {model}}: ReplState) => ({
		id: saving.runningId(),
		title: saving.runningTitle(),
		model,
		conversation,
		redact: service.redact,
	});
	const history = keepHistory(session, run, environment);
	const saving = await saveSession(session, run, () => latest, environment);
	const screenOptions = createScreenOptions(settings, service.redact, environment);
	const late = search === undefined ? [] : [await search.notice];
	const shared = {
		session,
		terminal,
		keyboard,
		options: {...screenOptions, describeHint: wordsOf},
		greeting: [...service.traces, ...[...late, ...notices].map(textOfNotice)],
		first: prompt.text === '' ? undefined : prompt,
		now: () => environment.now(),
		signal,
	};
	const showScreen = async () => {
		const {runReplScreen} = await import('../../ui/ink/run-repl.ts');
		await runReplScreen({
			...shared,
			onFocus: notifier.onFocus,
			loadHistory: () => history.load(),
			async pickSession(listen, ended) {
				const {pickSession} = await import('../sessions/pick-session.ts');
				const runningId = saving.runningId();
				const screen = {terminal, listen, hasColor: screenOptions.hasColor, signal: ended};
				return await pickSession({...screen, settings, runningId}, environment);
			},
		});
	};
	const writeLines = async () => {
		const {runLineSession} = await import('../../ui/plain/run-lines.ts');
		await runLineSession({
			...shared,
			platform: environment.platform,
			listValues: services.listValues,
		});
	};
	const show = decidePlain(settings.plain, environment.variables) ? writeLines : showScreen;
	await show().finally(() => history.close());
	const farewell = saving.close();
	if (farewell !== undefined && !settings.quiet) printInfo(farewell, environment);
	if (signal.aborted) throw signal.reason;
	return 0;
}

function createServices(
	run: RunContext,
	environment: Environment,
): Omit<SessionServices, 'openTurn' | 'openSession' | 'editText' | 'exportConversation' | 'copy'> {
	const {cwd} = environment;
	return {
		async load(kind, written) {
			const source = readPath(written, environment);
			// A pipe without a writer would block the session for good.
			const from = {cwd, isPipeAllowed: false};
			const {attachments, notices} =
				kind === 'image' ? await loadMedia(source, kind, from) : await loadFiles(source, from);
			return {attachments, notices: [...notices, ...describeSize(attachments)].map(textOfNotice)};
		},
		async loadMentions(mentions) {
			const from = {cwd, isPipeAllowed: false};
			const paths = mentions.map((written) => findMentioned(written, environment));
			const loaded: LoadedAttachments[] = [];
			for (const path of paths) {
				if (path !== undefined) loaded.push(await loadFiles(path, from));
			}
			const attachments = loaded.flatMap((files) => files.attachments);
			const notices = [...loaded.flatMap((files) => files.notices), ...describeSize(attachments)];
			return {attachments, notices: notices.map(textOfNotice)};
		},
		async save({text, part, path}) {
			const {writeNewFile} = await import('../write-new-file.ts');
			const name = readPath(path, environment);
			const whole = text.endsWith('\n') ? text : `${text}\n`;
			writeNewFile({name, text: whole, command: `/save ${part}`.trimEnd()}, cwd);
			return `saved to ${name}`;
		},
		listValues: createValueLister(run, environment),
		now: () => environment.now(),
		date: () => environment.date(),
		createId: () => environment.createId(),
	};
}

/** Returns the path of a file or a folder, with its lines; undefined for a text that names none. */
function findMentioned(written: string, environment: Environment): string | undefined {
	const texts = [written, written.replace(/[.,;:!?'")\]}>]+$/, '')];
	return texts
		.filter((text) => /[\p{L}\p{N}]/u.test(text))
		.map((text) => expandHome(text, environment))
		.find((path) => existsSync(resolve(environment.cwd, path.replace(/:\d+(?:-\d*)?$/, ''))));
}

function textOfNotice({message}: {readonly message: string}): string {
	return message;
}

/** Reads a path as a shell or a file manager writes it: quoted, escaped, or with `~/`. */
function readPath(text: string, environment: Environment): string {
	const [word = text, ...more] = splitWords(text, environment.platform);
	return expandHome(more.length > 0 ? text : word, environment);
}

function expandHome(path: string, {homedir}: Environment): string {
	return homedir !== undefined && path.startsWith('~/') ? `${homedir}${path.slice(1)}` : path;
}

/** Returns no words for a text with an unclosed quote, such as a path with an apostrophe. */
function splitWords(text: string, platform: string): readonly string[] {
	try {
		return splitShellWords(text, platform);
	} catch (error) {
		if (error instanceof UnclosedQuoteError) return [];
		throw error;
	}
}
