/** Runs the interactive mode. */
import type {Environment, Terminal} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {type Redact, redactUrl} from '../../../redact.ts';
import {createRepl} from '../../../repl/repl.ts';
import {createReplState, type ReplState} from '../../../repl/state.ts';
import {restorePrompt} from '../../../repl/turn/prompts.ts';
import {decidePlain} from '../../../terminal/capabilities.ts';
import type {ReplView} from '../../../ui/run.ts';
import {createScreenOptions} from '../answer-screen.ts';
import {withCheckedQuotes} from '../check-quotes.ts';
import {findWithWindow, followModels} from '../find-model.ts';
import {findSavingPlace} from '../saving/save-conversation.ts';
import {saveSession} from '../saving/save-session.ts';
import {
	type CurrentClient,
	createClient,
	createTurnRunner,
	type Request,
	type Run,
	type TurnRunner,
} from '../turn-runner.ts';
import {createCompactor} from './compactor.ts';
import {describeStart, listEarlier} from './first-screen.ts';
import {createHandOver} from './hand-over.ts';
import {createValueLister} from './list-values.ts';
import {createLoaders} from './load-attachments.ts';
import {createNotifier} from './notify.ts';
import {createServiceSwitch, createSwitchableRun} from './switch-service.ts';

/** @throws {ChatError} `usage` without a keyboard; when `signal` aborts, its reason */
export async function runInteractive(
	given: Run,
	request: Request,
	terminal: Terminal,
	environment: Environment,
): Promise<ExitCode> {
	const switchable = createSwitchableRun(given);
	const {run} = switchable;
	const {settings, signal} = run;
	const redact: Redact = (text) => run.service.redact(text);
	const {options, conversation, prompt, notices} = request;
	const keyboard = terminal.openKeyboard();
	if (keyboard === undefined) {
		throw new ChatError('usage', 'interactive mode needs a keyboard', {
			hint: 'For a single answer, leave out -i.',
		});
	}
	let place = findSavingPlace(run, environment);
	const size = terminal.size();
	const earlier = prompt.text === '' ? listEarlier(run, place, size, environment) : [];
	const state = createReplState({
		options,
		family: settings.family,
		editing: settings.editing,
		reasoningMode: settings.reasoning,
		conversation,
		attachments: prompt.text === '' ? prompt.attachments : [],
		isSaved: place !== undefined,
		compact: settings.compact,
		earlier,
		...size,
	});
	const draft = run.resumed?.draft;
	/** Conversations with the built-in service are not saved. */
	const onSwitched = async () => {
		if (place !== undefined) return true;
		place = findSavingPlace(run, environment);
		saving = await saveSession(repl, run, place, repl.getState().conversation, environment);
		return place !== undefined;
	};
	const notifier = createNotifier(settings, environment);
	const client = createClient(run, true);
	const listValues = createValueLister(run, environment);
	const describeRunning = ({conversation, options: {model}}: ReplState) => {
		return {...saving.running(), model, conversation, redact};
	};
	const repl = createRepl(draft === undefined ? state : restorePrompt(state, draft), {
		...createLoaders(run, environment),
		...createHandOver(describeRunning, terminal, environment),
		openTurn: createListenedRunner(run, request, client, notifier, environment),
		...createCompactor(run, client, environment),
		...createServiceSwitch(switchable, {terminal, keyboard, onSwitched}, environment),
		listValues,
		async expandTemplate(call, attachments) {
			const {expandCall} = await import('../template/session-templates.ts');
			return await expandCall(call, attachments, run, environment);
		},
		async explainTemplate(name) {
			const {explainTemplate} = await import('../template/session-templates.ts');
			return await explainTemplate(name, run, environment);
		},
		async openSession(word) {
			const {openSession} = await import('../saving/open-session.ts');
			return await openSession(word, run, request, saving, environment);
		},
		async askServer(verb, name) {
			const {askServer} = await import('./ask-server.ts');
			return await askServer(verb, name, run, environment);
		},
		nameConversation: async (title) => saving.name(title),
		now: () => environment.now(),
		date: () => environment.date(),
		createId: () => environment.createId(),
	});
	const find = (name: string) => findWithWindow(run.service, name, signal, environment);
	followModels(repl, () => run.service, find);
	let saving = await saveSession(repl, run, place, conversation, environment);
	const {servers} = run;
	const serverViews = servers && (await import('./server-views.ts'));
	const screenOptions = createScreenOptions(settings, redact, environment);
	const screen = {
		terminal,
		options: {
			...screenOptions,
			get serviceUrl() {
				return redactUrl(run.service.connection.wire.url);
			},
		},
		now: () => environment.now(),
	};
	const loadHistory = async () => {
		if (place === undefined) return;
		const {readPromptHistory} = await import('../../../sessions/prompt-history.ts');
		// An unreadable folder is reported when saving a conversation fails.
		const prompts = await readPromptHistory(place.directory, environment.cwd).catch(() => []);
		repl.dispatch({type: 'history-loaded', prompts});
	};
	const openView = async (): Promise<ReplView> => {
		const {platform} = environment;
		if (decidePlain(settings.plain, environment.variables)) {
			const {openReplLines} = await import('../../../ui/lines/views.ts');
			return openReplLines({...screen, shown: repl, platform, listValues});
		}
		const {openReplView} = await import('../../../ui/ink/views.ts');
		return openReplView({
			...screen,
			shown: repl,
			onFocus: notifier.onFocus,
			loadHistory,
			async pickSession(listen, ended) {
				const {pickSession} = await import('../saving/pick-session.ts');
				const runningId = saving.running().id;
				const {hasColor} = screenOptions;
				const list = {terminal, listen, hasColor, signal: ended, settings, runningId};
				return await pickSession(list, environment);
			},
		});
	};
	const [{runRepl}, view] = await Promise.all([import('../../../ui/run.ts'), openView()]);
	await runRepl({
		...{repl, view, terminal, keyboard, signal, now: screen.now},
		...describeStart(run, state, notices, environment),
		first: prompt.text === '' ? undefined : prompt,
		onShown: () => servers && serverViews?.followServers(servers, repl),
		onClosed() {
			const farewell = saving.close();
			return settings.quiet ? undefined : farewell;
		},
	});
	await switchable.close();
	if (signal.aborted) throw signal.reason;
	return 0;
}

/** Signals turns to the user, if configured. */
function createListenedRunner(
	run: Run,
	{check}: Request,
	client: CurrentClient,
	notifier: ReturnType<typeof createNotifier>,
	environment: Environment,
): TurnRunner {
	const runTurn = withCheckedQuotes(
		createTurnRunner(run, check, {client, isRestWanted: true, isFormRequired: false}),
		{settings: run.settings, isPiped: false},
		environment,
	);
	if (run.settings.notify === 'off') return runTurn;
	return async function* (conversation, options, signal, questions) {
		const {withSignals, hear, end} = notifier.watch(signal);
		for await (const batch of runTurn(conversation, options, signal, withSignals(questions))) {
			hear(batch);
			yield batch;
		}
		end(true);
	};
}
