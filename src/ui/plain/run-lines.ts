/** Runs a session as lines: nothing is redrawn, and the terminal edits what the user types. */
import type {Prompt} from '../../chat/prompt.ts';
import type {Keyboard, Terminal} from '../../environment.ts';
import {ChatError, toChatError} from '../../errors.ts';
import type {Action, Effect} from '../../repl/action.ts';
import {isEmpty} from '../../repl/editor/buffer.ts';
import type {Session} from '../../repl/session.ts';
import {lineOfPrompt, promptOf} from '../../repl/session-prompt.ts';
import type {ReplState, TranscriptEntry} from '../../repl/state.ts';
import {entriesOfPast} from '../../repl/turn-entries.ts';
import {createKey} from '../../terminal/keys/key-input.ts';
import {type SafeText, safe} from '../../terminal/safe-text.ts';
import {plural} from '../../wording.ts';
import {readLines} from './line-reader.ts';
import {createLineWriter} from './line-writer.ts';
import {
	answerMenu,
	type Menu,
	type NamedSession,
	sessionMenu,
	speakMenu,
	treeMenu,
} from './menu.ts';
import {createQuestion} from './question.ts';
import {type SpeechOptions, speakEntry} from './speak-entry.ts';
import {createSpokenTurn, type SpokenTurn} from './speak-turn.ts';

export type LineSession = {
	readonly session: Session;
	readonly terminal: Terminal;
	readonly keyboard: Keyboard;
	/** The operating system by Node's name. */
	readonly platform: string;
	readonly options: SpeechOptions;
	/** Notices above the first prompt. */
	readonly greeting: readonly string[];
	/** A prompt to send at once. */
	readonly first: Prompt | undefined;
	/** Returns the saved sessions, the last updated first. */
	readonly listSessions: () => Promise<readonly NamedSession[]>;
	readonly now: () => number;
	/** Ends the session from outside. */
	readonly signal: AbortSignal;
};

const ctrlC = createKey('c', {ctrl: true});

/**
 * Runs until the user exits, the terminal is gone or the signal aborts.
 *
 * @throws {ChatError} `interrupted` if the terminal is gone
 */
export async function runLineSession(run: LineSession): Promise<void> {
	const {session, terminal, options, now, signal} = run;
	const ending = new AbortController();
	const leave = () => ending.abort();
	const left = new Promise<void>((resolve) => {
		ending.signal.addEventListener('abort', () => resolve(), {once: true});
	});
	const writer = createLineWriter(terminal);
	const question = createQuestion();
	/** Lines that end with a backslash. */
	let begun = '';
	let menu: Menu | undefined;
	let turn: SpokenTurn | undefined;
	let isInputOver = false;
	let isGone = false;
	/** Whether a line answers the open question: nothing typed before it counts. */
	let isAsked = false;
	let before = session.getState();

	const say = (...entries: readonly TranscriptEntry[]) =>
		writer.write(entries.flatMap((entry) => speakEntry(entry, options)));
	const note = (text: string) => say({type: 'notice', text});

	const openMenu = (next: Menu) => {
		menu = next;
		writer.write(speakMenu(next));
	};
	const pickSession = async () => {
		try {
			openMenu(sessionMenu(await run.listSessions(), session.dispatch));
		} catch (error) {
			say({type: 'error', error: toChatError(error)});
		}
		refresh();
	};
	/** Asks when nothing typed before can answer. */
	const ask = async () => {
		const hasDropped = await reader.dropTyped();
		if (session.getState().approval === undefined) return;
		if (hasDropped)
			writer.write([safe``, safe`Note: what was typed before the question is dropped.`]);
		isAsked = true;
		refresh();
	};

	const perform = (effect: Effect, action: Action) => {
		switch (effect.type) {
			case 'print': {
				const {entry} = effect;
				const isTyped =
					entry.type === 'prompt' &&
					action.type === 'text-entered' &&
					entry.prompt.text === action.text;
				// The end of the turn has said both.
				const isSaid =
					action.type === 'events' &&
					(entry.type === 'reasoning-summary' || entry.type === 'truncation');
				if (!isTyped && !isSaid) say(entry);
				break;
			}
			case 'start-turn':
				turn = createSpokenTurn({
					reasoningMode: () => session.getState().reasoningMode,
					isSession: true,
					redact: options.redact,
				});
				break;
			case 'pick-session':
				void pickSession();
				break;
			case 'exit':
				leave();
				break;
			default:
		}
	};
	const sayHelp = (state: ReplState) => {
		const {popup, tree, armedKey} = state;
		if (popup !== undefined && popup !== before.popup) say(popup.entry);
		if (tree !== undefined && before.tree === undefined)
			openMenu(treeMenu(state, session.dispatch));
		if (armedKey !== undefined && before.armedKey === undefined)
			note(`press ${armedKey} again to exit`);
	};
	const sayQuestion = ({approval}: ReplState) => {
		if (approval?.request !== before.approval?.request) isAsked = false;
		if (approval === undefined) return;
		if (approval.request !== before.approval?.request) {
			writer.write([...(turn?.end(now()) ?? []), ...question.open(approval)]);
		}
		if (approval.isArmed && !before.approval?.isArmed) void ask();
	};
	/** Says what waits to be sent. */
	const sayWaiting = (state: ReplState) => {
		const {queue, editor, attachments, isQueueHeld} = state;
		if (queue.length > before.queue.length) note('queued');
		if (editor.buffer !== before.editor.buffer && !isEmpty(editor.buffer)) {
			const draft = lineOfPrompt(promptOf(editor.buffer, attachments));
			note(`an empty line sends this draft, another line replaces it: ${draft}`);
		} else if (isQueueHeld && !before.isQueueHeld) {
			note(`${plural(queue.length, 'queued prompt')} held; an empty line sends the first`);
		}
	};
	const promptText = ({approval, turn: running, isOpening}: ReplState): SafeText | undefined => {
		if (approval !== undefined) return isAsked ? question.prompt() : undefined;
		if (menu !== undefined) return safe`Number: `;
		if (begun !== '') return safe`More: `;
		return running !== undefined || isOpening ? undefined : safe`You: `;
	};
	const refresh = () => {
		const state = session.getState();
		const isIdle = state.turn === undefined && !state.isOpening;
		if (isInputOver && (isIdle || state.approval !== undefined)) leave();
		if (ending.signal.aborted) return;
		const prompt = promptText(state);
		if (prompt !== undefined) writer.prompt(prompt);
	};

	const answerQuestion = (text: string) => {
		const answer = question.answer(text);
		if (answer.type === 'again') writer.write(answer.lines);
		else session.dispatch({type: 'approval-given', approval: answer});
	};
	const enter = (text: string) => {
		const {approval} = session.getState();
		if (approval !== undefined && isAsked) return answerQuestion(text);
		if (approval !== undefined && /^\s*[1-5]?\s*$/.test(text)) {
			return note('that came before the question could be answered');
		}
		if (menu !== undefined) {
			const open = menu;
			menu = undefined;
			const problem = answerMenu(open, text);
			if (problem.length > 0) menu = open;
			return writer.write(problem);
		}
		if (text.endsWith('\\')) {
			begun += `${text.slice(0, -1)}\n`;
			return;
		}
		const whole = begun + text;
		begun = '';
		session.dispatch({type: 'text-entered', text: whole, now: now()});
	};

	for (const entry of entriesOfPast(before.conversation)) say(entry);
	for (const text of run.greeting) note(text);
	note('/help lists the commands; Ctrl-C stops an answer, Ctrl-D exits');
	const reader = readLines(run.keyboard, run.platform, {
		onLines(text) {
			writer.entered();
			enter(text);
			refresh();
		},
		onCut() {
			writer.entered();
			writer.write([
				safe`Error: the terminal cuts so long a line, so it was not sent. End shorter lines with \\, or put the text into a file and attach it with /file.`,
			]);
			refresh();
		},
		onEnd(isLost) {
			isInputOver = true;
			isGone = isLost;
			if (isGone) leave();
			if (session.getState().turn !== undefined) note('the session ends after the answer');
			refresh();
		},
	});
	session.subscribe((action, state, effects) => {
		if (action.type === 'events' && turn !== undefined) {
			writer.write(turn.push(action.events, action.now));
			if (state.turn === undefined) turn = undefined;
		}
		for (const effect of effects) perform(effect, action);
		sayHelp(state);
		sayQuestion(state);
		sayWaiting(state);
		before = state;
		refresh();
	});
	const stopListening = terminal.onInterruptKey(() => {
		writer.echoed();
		if (menu === undefined && begun === '') {
			session.dispatch({type: 'keys', keys: [ctrlC], now: now()});
			return;
		}
		begun = '';
		menu?.choose(undefined);
		menu = undefined;
		refresh();
	});
	signal.addEventListener('abort', leave, {once: true});
	if (signal.aborted) leave();
	if (run.first !== undefined)
		session.dispatch({type: 'prompt-given', prompt: run.first, now: now()});
	refresh();
	try {
		await left;
	} finally {
		stopListening();
		signal.removeEventListener('abort', leave);
		await session.close();
		reader.stop();
		writer.end();
	}
	if (isGone) throw new ChatError('interrupted', 'the terminal is gone', {signal: 'SIGHUP'});
}
