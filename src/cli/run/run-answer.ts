/** Prints one answer. */
import {beginTurn} from '../../chat/conversation.ts';
import type {ChatEvent} from '../../chat/event.ts';
import type {Environment, Terminal} from '../../environment.ts';
import type {ExitCode} from '../../errors.ts';
import {writeTurn} from '../../output/write-turn.ts';
import {redactUrl} from '../../redact.ts';
import {createAnswerScreen} from './answer-screen.ts';
import {createOutputOptions} from './chat-options.ts';
import {findModel} from './find-model.ts';
import {createSaving} from './saving/save-conversation.ts';
import {createTurnRunner, type RunContext, type TurnRunner} from './turn-runner.ts';

/** @param terminal where the answer is shown; undefined if it goes elsewhere */
export async function runAnswer(
	context: RunContext,
	terminal: Terminal | undefined,
	environment: Environment,
): Promise<ExitCode> {
	const {settings, service, options, prompt, notices, signal, onInterrupt} = context;
	const {model} = options;
	const turn = {id: environment.createId(), prompt, model, startedAt: environment.date()};
	const conversation = beginTurn(context.conversation, turn, environment.now());
	if (settings.dryRun) {
		const {printRequest} = await import('./print-request.ts');
		return await printRequest(context, conversation, environment);
	}
	const {redact} = service;
	const serviceUrl = redactUrl(service.connection.wire.url);
	const viewed = {settings, conversation, redact, serviceUrl, onInterrupt, signal};
	const {openView, questions} = createAnswerScreen(viewed, terminal, environment);
	const runTurn = await createRunner(context, environment);
	const saving = createSaving(context, environment);
	const events = saving.save(runTurn(conversation, options, signal, questions), conversation);
	const output = {
		...createOutputOptions(settings),
		service: service.name,
		session: saving.savedId,
		redact,
		openView,
		// A damaged table must not fail an answer.
		findPrices: () =>
			findModel(service.connection.wire.url, model, environment).then(
				({prices}) => prices,
				() => undefined,
			),
	};
	const opening = [
		...service.traces.map((message): ChatEvent => ({type: 'trace', message})),
		...notices.map((notice): ChatEvent => ({type: 'notice', notice})),
	];
	if (context.search === undefined) return await writeTurn({opening, events}, output, environment);
	const {withNoticeOf} = await import('./service/look-for-local.ts');
	const all = withNoticeOf(context.search, events);
	return await writeTurn({opening, events: all}, output, environment);
}

async function createRunner(context: RunContext, environment: Environment): Promise<TurnRunner> {
	const runTurn = createTurnRunner(context, {isFormRequired: true});
	if (context.settings.notify === 'off') return runTurn;
	const {createNotifier} = await import('./repl/notify.ts');
	return createNotifier(context.settings, environment).watch(runTurn);
}
