/** Runs turns, the same way for a single answer and for a session. */
import {createApprovals} from '../../chat/approvals.ts';
import type {CheckAnswer} from '../../chat/check-answer.ts';
import type {Conversation, OpenConversation} from '../../chat/conversation.ts';
import type {ChatEventBatch, Notice} from '../../chat/event.ts';
import type {ChatOptions} from '../../chat/message.ts';
import type {Prompt} from '../../chat/prompt.ts';
import type {StreamChat} from '../../chat/stream-chat.ts';
import type {Questions, Tool, ToolSource} from '../../chat/tool.ts';
import {runnableTools} from '../../chat/tool-sources.ts';
import {runTurn} from '../../chat/turn.ts';
import type {Prices} from '../../cost.ts';
import type {InterruptSignal} from '../../errors.ts';
import type {Servers} from '../../mcp/server.ts';
import {createStreamChat} from '../../protocol/stream-chat.ts';
import type {StoredSession} from '../../sessions/read-session.ts';
import type {FlagTexts, Settings} from '../../settings/options/settings.ts';
import {createAnswerCheck} from './chat-options.ts';
import type {Fallbacks} from './service/fallbacks.ts';
import type {OpenService} from './service/open-service.ts';
import {isAllowed} from './tools/open-tools.ts';

/** Everything open during a run. */
export type Run = {
	readonly settings: Settings;
	readonly service: OpenService;
	/** The tools available to the model, if any. */
	readonly tools: ToolSource | undefined;
	/** The MCP servers among their sources, if there are any. */
	readonly servers: Servers | undefined;
	/** The command line flags. */
	readonly flags: FlagTexts;
	/** The continued saved conversation. */
	readonly resumed: StoredSession | undefined;
	readonly signal: AbortSignal;
	/** Ends the run as this signal does. */
	readonly onInterrupt: (signal: InterruptSignal) => void;
	/** The models to ask instead, if there are any. */
	readonly fallbacks?: Fallbacks | undefined;
	/** Used by all answers of a run with many. */
	readonly shared?: SharedParts | undefined;
};

export type SharedParts = {
	readonly streamChat: StreamChat;
	/** Returns a model's prices at the run's service. Never throws. */
	readonly findPrices: (model: string) => Promise<Prices | undefined>;
};

/** All parts of the first request. */
export type Request = {
	/** The conversation to go on with; a new one has only a system message. */
	readonly conversation: Conversation;
	/** May be empty for a session. */
	readonly prompt: Prompt;
	readonly options: ChatOptions;
	/** Checks an answer against the schema. */
	readonly check: CheckAnswer | undefined;
	/** Whether the conversation's last answer, which was cut, goes on. Then there is no prompt. */
	readonly isContinuation?: boolean;
	/** Shown before the request is sent. */
	readonly notices: readonly Notice[];
};

/** The current turn's events. */
export type TurnRunner = (
	conversation: OpenConversation,
	options: ChatOptions,
	signal: AbortSignal,
	questions: Questions,
) => AsyncGenerator<ChatEventBatch, void, undefined>;

/** Returns the client of the current service: a session may have switched to another one. */
export type CurrentClient = () => StreamChat;

/** @param isKeyReread whether a refused key is read again */
export function createClient(run: Run, isKeyReread = false): CurrentClient {
	let service: OpenService | undefined;
	let streamChat: StreamChat | undefined;
	return () => {
		if (run.shared !== undefined) return run.shared.streamChat;
		if (streamChat !== undefined && service === run.service) return streamChat;
		service = run.service;
		const readKey = isKeyReread ? service.readKey : undefined;
		streamChat = createStreamChat({...service.connection, readKey});
		return streamChat;
	};
}

type RunnerOptions = {
	/** Remembers what the service refused. */
	readonly client: CurrentClient;
	/** Called when another service is asked. */
	readonly onService?: (service: OpenService) => void;
	/** Whether the rest of a cut answer is shown apart if it cannot be joined. */
	readonly isRestWanted?: boolean;
	/** Whether an answer lacking the requested form fails. Otherwise it is only reported. */
	readonly isFormRequired: boolean;
};

/** The returned function remembers what the user approved. */
export function createTurnRunner(
	run: Run,
	check: Request['check'],
	options: RunnerOptions,
): TurnRunner {
	const {isFormRequired, isRestWanted = false, client, onService} = options;
	const {settings, tools, fallbacks} = run;
	const withFallbacks = (streamChat: StreamChat): StreamChat => {
		if (fallbacks === undefined) return streamChat;
		const load = async () => {
			const {createFallbackChat} = await import('../../chat/fallback-models.ts');
			return createFallbackChat(streamChat, fallbacks.list, ({service: next}) => {
				if (next !== undefined) onService?.(next);
			});
		};
		let loaded: ReturnType<typeof load> | undefined;
		return async function* (request, turnSignal) {
			loaded ??= load();
			yield* (await loaded)(request, turnSignal);
		};
	};
	/** A resumed turn is continued at least once. */
	const withRest = (streamChat: StreamChat, {open}: OpenConversation): StreamChat => {
		const limit = Math.max(settings.continueCut, open.messages.length > 0 ? 1 : 0);
		if (limit === 0) return streamChat;
		return async function* (request, turnSignal) {
			const {createContinuingChat} = await import('../../chat/continue-answer.ts');
			yield* createContinuingChat(streamChat, {limit, isRestWanted})(request, turnSignal);
		};
	};
	const isWanted = ({definition, unapproved}: Tool) =>
		unapproved === undefined && settings.allowTool.some((text) => isAllowed(text, definition.name));
	const approvals = createApprovals(runnableTools(tools?.tools ?? []).filter(isWanted));
	return (conversation, chosen, signal, {approve, elicit}) =>
		runTurn({
			conversation,
			options: chosen,
			streamChat: withRest(withFallbacks(client()), conversation),
			tools,
			approve: approvals(approve),
			elicit,
			answerCheck: createAnswerCheck(
				chosen,
				check,
				isFormRequired ? settings.schemaRepairs : undefined,
			),
			signal,
		});
}
