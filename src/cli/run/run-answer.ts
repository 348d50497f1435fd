/** Prints one answer. */
import {
	beginTurn,
	type OpenConversation,
	resumeTurn,
	smallLength,
	textLengthOf,
} from '../../chat/conversation.ts';
import type {ChatEvent} from '../../chat/event.ts';
import type {Questions} from '../../chat/tool.ts';
import type {Environment} from '../../environment.ts';
import type {ExitCode} from '../../errors.ts';
import {writeTurn} from '../../output/write-turn.ts';
import {redactUrl} from '../../redact.ts';
import {createAnswerScreen} from './answer-screen.ts';
import {createOutputOptions} from './chat-options.ts';
import {askForQuotes, withCheckedQuotes} from './check-quotes.ts';
import {findPrices} from './find-model.ts';
import {type AnswerSaving, saveAnswer} from './saving/save-conversation.ts';
import type {OpenService} from './service/open-service.ts';
import {createClient, createTurnRunner, type Request, type Run} from './turn-runner.ts';

type AnswerParts = {
	/** Default: the user is asked on the screen, if there is one. */
	readonly questions?: Questions;
	/** Default: the conversation is saved as a session. */
	readonly save?: (started: OpenConversation) => AnswerSaving;
};

export async function runAnswer(
	run: Run,
	request: Request,
	environment: Environment,
	parts: AnswerParts = {},
): Promise<ExitCode> {
	const {settings, service, signal, onInterrupt} = run;
	const {options, prompt, notices} = request;
	const {model} = options;
	const now = environment.now();
	const resumed = request.isContinuation ? resumeTurn(request.conversation, now) : undefined;
	const turn = {id: environment.createId(), prompt, model, startedAt: environment.date()};
	const conversation = resumed ?? beginTurn(request.conversation, turn, now);
	if (settings.dryRun) {
		const {printRequest} = await import('./print-request.ts');
		return await printRequest(run, request, askForQuotes(conversation, settings), environment);
	}
	if (settings.compact === 'ask' && textLengthOf(conversation) >= smallLength) {
		const {checkWindow} = await import('./check-window.ts');
		await checkWindow(run, conversation, options, environment);
	}
	const {redact} = service;
	const serviceUrl = redactUrl(service.connection.wire.url);
	const replay =
		resumed && (await import('../../chat/replay-answer.ts')).replayAnswer(resumed.open);
	const viewedTurn = resumed ? beginTurn(resumed, resumed.open, now) : conversation;
	const viewed = {settings, conversation: viewedTurn, redact, serviceUrl, onInterrupt, signal};
	const {openView, questions} = createAnswerScreen(viewed, environment);
	const saving = parts.save?.(conversation) ?? saveAnswer(run, request, conversation, environment);
	const watched = await watchTurn(run, environment);
	let answering = service;
	const onService = (next: OpenService) => {
		answering = next;
	};
	const isPiped = settings.stdin && environment.stdin.kind === 'data';
	const runTurn = withCheckedQuotes(
		createTurnRunner(run, request.check, {
			client: createClient(run),
			isFormRequired: true,
			onService,
		}),
		{settings, isPiped},
		environment,
	);
	const asked = parts.questions ?? watched?.withSignals(questions) ?? questions;
	const opening = [
		...service.traces.map((message): ChatEvent => ({type: 'trace', message})),
		...notices.map((notice): ChatEvent => ({type: 'notice', notice})),
	];
	const written = {
		opening,
		replay,
		events: runTurn(conversation, options, signal, asked),
		listeners: [saving.listener, watched].filter((listener) => listener !== undefined),
	};
	const output = {
		...createOutputOptions(settings),
		get service() {
			return answering.name;
		},
		get wire() {
			return answering.connection.wire.name;
		},
		session: saving.savedId,
		redact,
		openView,
		findPrices: () =>
			run.shared?.findPrices(model) ?? findPrices(service.connection.wire.url, model, environment),
	};
	return await writeTurn(written, output, environment);
}

async function watchTurn({settings, signal}: Run, environment: Environment) {
	if (settings.notify === 'off') return undefined;
	const {createNotifier} = await import('./repl/notify.ts');
	return createNotifier(settings, environment).watch(signal);
}
