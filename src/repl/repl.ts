/**
 * Runs a session: keeps the state, runs the turns, and reports every action to a screen. Only this
 * file, `gather-events.ts`, `dialog/ask.ts` and `picker/picker.ts` use timers.
 */
import type {OpenConversation} from '../chat/conversation.ts';
import type {ChatEventBatch} from '../chat/event.ts';
import type {ChatOptions} from '../chat/message.ts';
import type {Draft} from '../chat/prompt.ts';
import type {Questions} from '../chat/tool.ts';
import {ChatError, toChatError} from '../errors.ts';
import type {Action, Effect} from './action.ts';
import {changeDraft} from './editor/prompt-text.ts';
import {withMentions} from './list/mentions.ts';
import type {ValueSource} from './list/menu.ts';
import {createAsker} from './question/ask.ts';
import {reduce} from './reduce.ts';
import type {ReplServices} from './services.ts';
import type {QueuedPrompt, ReplState} from './state.ts';
import {createEventGatherer, type EventGatherer, type PrepareBatch} from './turn/gather-events.ts';
import {pastTurns, textsOf} from './turn/shown-turns.ts';

/** Receives an action, the state after it, and its effects. */
type ReplListener = (action: Action, state: ReplState, effects: readonly Effect[]) => void;

export interface Repl {
	getState(): ReplState;
	/** Returns a function that ends the subscription. */
	subscribe(listener: ReplListener): () => void;
	dispatch(action: Action): void;
	/** Sets a callback for each batch of an answer, which is shown when the callback is done. */
	onBatch(prepare: PrepareBatch): void;
	/**
	 * Stops the turn and resolves when it has ended, and an editor is closed. The end of the turn is the
	 * last action reported.
	 */
	close(): Promise<void>;
}

const keyArmedMs = 2000;

export function createRepl(initial: ReplState, services: ReplServices): Repl {
	let state = initial;
	let running: {readonly controller: AbortController; readonly ended: Promise<void>} | undefined;
	let armedTimer: NodeJS.Timeout | undefined;
	let edited = Promise.resolve();
	let prepare: PrepareBatch = () => undefined;
	const listeners = new Set<ReplListener>();
	const asker = createAsker(
		(action) => dispatch(action),
		(url) => services.openPage(url),
	);

	const dispatch = (action: Action) => {
		// Only the end of the turn counts now; a key must not start anything.
		if (state.isClosing && action.type !== 'events') return;
		const stamp = {date: services.date(), nextTurnId: services.createId()};
		const next = reduce(state, action, stamp);
		state = next.state;
		for (const effect of next.effects) perform(effect);
		for (const listener of listeners) listener(action, state, next.effects);
	};

	const perform = (effect: Effect) => {
		switch (effect.type) {
			case 'start-turn':
				startTurn(effect.conversation, effect.options);
				break;
			case 'stop-turn':
				stopTurn();
				break;
			case 'attach':
				void attempt(
					async () => ({type: 'attached', ...(await services.load(effect.kind, effect.source))}),
					(error) => ({type: 'attach-failed', error}),
				);
				break;
			case 'read-dropped':
				void readDropped(effect.text);
				break;
			case 'read-mentions':
				void attempt(
					() => readMentions(effect.prompt),
					(error) => ({type: 'mentions-failed', prompt: effect.prompt, error}),
				);
				break;
			case 'expand-template':
				void attempt(
					() => expandTemplate(effect.prompt),
					(error) => ({type: 'template-failed', prompt: effect.prompt, error}),
				);
				break;
			case 'explain-template':
				void attempt(
					() => explainTemplate(effect.name),
					(error) => ({type: 'template-unknown', name: effect.name, error}),
				);
				break;
			case 'ask-server':
				void attempt(
					async () => ({
						type: 'server-reported',
						entry: await services.askServer(effect.verb, effect.name),
					}),
					(error) => ({type: 'server-reported', entry: {type: 'error', error}}),
				);
				break;
			case 'list-values':
				void listValues(effect.source);
				break;
			case 'open-session':
				void attempt(
					() => openSession(effect.word),
					(error) => ({type: 'session-not-opened', error}),
				);
				break;
			case 'edit-draft':
				edited = attempt(
					() => editDraft(effect.draft),
					(error) => ({type: 'draft-edited', draft: effect.draft, error}),
				);
				break;
			case 'export':
				void report(services.exportConversation(effect.path, state));
				break;
			case 'copy':
				void report(services.copy(effect, state), true);
				break;
			case 'copy-conversation':
				void report(services.copy('conversation', state), true);
				break;
			case 'save':
				void report(services.save(effect));
				break;
			case 'arm-dialog':
			case 'answer-approval':
			case 'answer-elicitation':
			case 'open-page':
				asker.perform(effect);
				break;
			case 'arm-key':
				clearTimeout(armedTimer);
				armedTimer = setTimeout(() => dispatch({type: 'key-disarmed'}), keyArmedMs);
				break;
			case 'conversation-changed':
			case 'history-added':
			case 'name-given':
			case 'privacy-changed':
			case 'print':
			case 'pick-session':
			case 'redraw':
			case 'scroll-reasoning':
			case 'suspend':
			case 'exit':
				break;
			default:
				effect satisfies never;
		}
	};

	/** Asks below the text that came before the question. */
	const askAfter = (gatherer: EventGatherer): Questions => ({
		approve: (request, signal) => {
			gatherer.flush();
			return asker.approve(request, signal);
		},
		elicit: (request, signal) => {
			gatherer.flush();
			return asker.elicit(request, signal);
		},
	});

	const startTurn = (conversation: OpenConversation, options: ChatOptions) => {
		const controller = new AbortController();
		const {signal} = controller;
		const gatherer = createEventGatherer({...services, signal, dispatch, prepare});
		const turn = services.openTurn(conversation, options, signal, askAfter(gatherer));
		const ended = pumpEvents(turn, gatherer).finally(() => {
			if (running?.controller === controller) running = undefined;
		});
		running = {controller, ended};
	};

	const stopTurn = () =>
		running?.controller.abort(new ChatError('interrupted', 'interrupted', {signal: 'SIGINT'}));

	const attempt = async (work: () => Promise<Action>, fail: (error: ChatError) => Action) => {
		dispatch(await work().catch((error: unknown) => fail(toChatError(error))));
	};

	const readDropped = async (text: string) => {
		const loaded = await services.loadDropped(text).catch(() => undefined);
		if (loaded !== undefined) dispatch({type: 'dropped', text, ...loaded});
	};

	const readMentions = async (prompt: QueuedPrompt): Promise<Action> => {
		const loaded = await services.loadMentions(prompt.mentions ?? []);
		return {type: 'mentions-read', prompt, loaded};
	};

	const expandTemplate = async (prompt: QueuedPrompt): Promise<Action> => {
		const {mentions = [], call = {name: '', argument: ''}} = prompt;
		const loaded = mentions.length === 0 ? [] : await services.loadMentions(mentions);
		const {attachments} = withMentions(prompt, loaded);
		const {notices, ...expanded} = await services.expandTemplate(call, attachments);
		const all = [...loaded.flatMap((files) => files.notices), ...notices];
		return {type: 'template-expanded', prompt, expanded: {...expanded, notices: all}};
	};

	const explainTemplate = async (name: string): Promise<Action> => {
		return {type: 'template-explained', name, rows: await services.explainTemplate(name)};
	};

	const listValues = async (source: ValueSource) => {
		const values = await services.listValues(source).catch(() => []);
		dispatch({type: 'values-listed', source, values});
	};

	const openSession = async (word: string): Promise<Action> => {
		const session = await services.openSession(word);
		for (const turn of pastTurns(session.conversation)) {
			for (const text of textsOf(turn)) await prepare([{type: 'text-delta', text}]);
		}
		return {type: 'session-opened', session};
	};

	const report = async (done: Promise<string>, isBrief = false) => {
		const text = await done.catch((error: unknown) => toChatError(error).message);
		dispatch({type: 'notice-given', text, isBrief});
	};

	const editDraft = async (draft: Draft): Promise<Action> => {
		const text = await services.editText(draft.text);
		return {type: 'draft-edited', draft: text === draft.text ? draft : changeDraft(draft, text)};
	};

	return {
		getState: () => state,
		subscribe(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		dispatch,
		onBatch(callback) {
			prepare = callback;
		},
		async close() {
			dispatch({type: 'closed'});
			clearTimeout(armedTimer);
			asker.close();
			stopTurn();
			await running?.ended;
			await edited;
			listeners.clear();
		},
	};
}

async function pumpEvents(
	turn: AsyncIterable<ChatEventBatch>,
	gatherer: EventGatherer,
): Promise<void> {
	try {
		for await (const batch of turn) {
			if (!(await gatherer.push(batch))) return;
		}
	} finally {
		gatherer.end();
	}
}
