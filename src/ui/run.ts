/** Runs the interactive mode, or a single answer, on a screen: drawn, or made of lines. */
import {declined} from '../chat/elicitation.ts';
import type {ChatEvent} from '../chat/event.ts';
import type {Prompt} from '../chat/prompt.ts';
import type {Questions} from '../chat/tool.ts';
import type {Keyboard, Terminal} from '../environment.ts';
import {ChatError, type InterruptSignal, toChatError} from '../errors.ts';
import type {Action, Effect} from '../repl/action.ts';
import {type AnswerOptions, createAnswer, type SingleAnswer} from '../repl/answer.ts';
import type {Repl} from '../repl/repl.ts';
import type {PlainEntry, TranscriptEntry} from '../repl/state.ts';
import {entriesOfPast} from '../repl/turn/turn-entries.ts';

/** Shows an action's changes, in the order of `show`. */
export interface Display {
	/** Begins a turn. */
	begin(): void;
	/** Prints an entry; `cause` is the action printing it. */
	print(entry: TranscriptEntry, cause?: Action): void;
	/** Adds the turn's text. */
	push(events: readonly ChatEvent[], now: number): void;
	/** Performs an effect concerning the screen alone. */
	perform?(effect: Effect): void;
	/** Shows the rest of the state, after everything printed by an action. */
	live(cause?: Action): void;
}

/** A screen. Typing becomes its actions. */
export interface View extends Display {
	/**
	 * Reads the keyboard until the returned function is called: the answers to a question and, in the
	 * interactive mode, everything else.
	 *
	 * @param onEnd called when nothing more can be typed
	 */
	read(keyboard: Keyboard, onEnd: (isGone: boolean) => void): Promise<() => void>;
	/** Ends the screen; what was printed stays. */
	close(): Promise<void>;
}

/** An interactive mode's screen. */
export interface ReplView extends View {
	/** Lets the user type, once all else has begun; what was typed before comes first. */
	prompt(): void;
	/** Lets the user choose a saved session; returns its id, or undefined. */
	pickSession(signal: AbortSignal): Promise<string | undefined>;
}

export type ShownRepl = {
	readonly repl: Repl;
	readonly view: ReplView;
	readonly terminal: Terminal;
	readonly keyboard: Keyboard;
	/** The program and its service, and what there is to go on with. */
	readonly opening: readonly PlainEntry[];
	/** Notices above the first prompt. */
	readonly greeting: readonly string[];
	/** A prompt to send at once. */
	readonly first: Prompt | undefined;
	/** Called when the screen shows what the REPL reports. */
	readonly onShown: () => void;
	/** Called when the last turn has ended; returns the last line, if there is one. */
	readonly onClosed: () => string | undefined;
	readonly now: () => number;
	/** Ends the interactive mode from outside. */
	readonly signal: AbortSignal;
};

/**
 * Runs until the user exits, the terminal is gone or the signal aborts, then restores the terminal.
 *
 * @throws {ChatError} `interrupted` if the terminal is gone
 */
export async function runRepl(run: ShownRepl): Promise<void> {
	const {repl, view, terminal, now, signal} = run;
	const ending = new AbortController();
	const left = new Promise<void>((resolve) => {
		ending.signal.addEventListener('abort', () => resolve(), {once: true});
	});
	let isGone = false;
	let picked = Promise.resolve();
	const leave = () => ending.abort();
	const pick = async () => {
		try {
			const id = await view.pickSession(ending.signal);
			if (id !== undefined) repl.dispatch({type: 'session-picked', id});
		} catch (error) {
			repl.dispatch({type: 'failed', error: toChatError(error)});
		}
	};
	const perform = (effect: Effect) => {
		if (effect.type === 'exit') leave();
		else if (effect.type === 'suspend') terminal.suspend();
		else if (effect.type === 'pick-session') picked = pick();
	};
	const {conversation, shown} = repl.getState();
	for (const entry of run.opening) view.print(entry);
	for (const entry of entriesOfPast(conversation, shown)) view.print(entry);
	for (const text of run.greeting) view.print({type: 'notice', text});
	view.live();
	const stopReading = await view.read(run.keyboard, (isLost) => {
		isGone = isLost;
		leave();
	});
	repl.subscribe((action, _, effects) => {
		showAction(view, action, effects);
		for (const effect of effects) perform(effect);
	});
	// The window may have changed since the state was made.
	repl.dispatch({type: 'resize', ...terminal.size()});
	run.onShown();
	signal.addEventListener('abort', leave, {once: true});
	if (signal.aborted) leave();
	if (run.first !== undefined) repl.dispatch({type: 'prompt-given', prompt: run.first, now: now()});
	view.prompt();
	try {
		await left;
	} finally {
		await picked;
		signal.removeEventListener('abort', leave);
		await repl.close();
		const farewell = run.onClosed();
		if (farewell !== undefined) view.print({type: 'notice', text: farewell});
		view.live();
		await view.close();
		stopReading();
	}
	// On a normal exit Node tries to restore the terminal, fails and aborts; a signal avoids that.
	if (isGone) throw new ChatError('interrupted', 'the terminal is gone', {signal: 'SIGHUP'});
}

export type ShownAnswer = Omit<AnswerOptions, 'size'> & {
	readonly terminal: Terminal;
	readonly openView: (answer: SingleAnswer) => View;
	/** Called while a question is open: Ctrl-C was pressed, or the terminal is gone. */
	readonly onInterrupt: (signal: InterruptSignal) => void;
};

export interface OpenAnswer {
	/** Adds turn events; resolves when more may follow. */
	readonly write: SingleAnswer['push'];
	/** Asks with the terminal's keyboard; without one nobody can be asked. */
	readonly questions: Questions;
	/** Leaves the answer, complete or not, in the scrollback. */
	end(): Promise<void>;
}

/** Shows a single answer. Only a question reads keys: anything typed at other times is for the shell. */
export function openAnswer({terminal, openView, onInterrupt, ...options}: ShownAnswer): OpenAnswer {
	const answer = createAnswer({...options, size: terminal.size()});
	const view = openView(answer);
	answer.subscribe((action, _, effects) => {
		showAction(view, action, effects);
		for (const {type} of effects) {
			if (type === 'stop-turn') onInterrupt('SIGINT');
			else if (type === 'suspend') terminal.suspend();
		}
	});
	if (answer.getState().turn !== undefined) view.begin();
	view.live();
	const withKeyboard = async <Answer>(ask: () => Promise<Answer>, unattended: Answer) => {
		const keyboard = terminal.openKeyboard();
		if (keyboard === undefined) return unattended;
		const stopReading = await view.read(keyboard, (isGone) =>
			onInterrupt(isGone ? 'SIGHUP' : 'SIGINT'),
		);
		return await ask().finally(stopReading);
	};
	const {approve, elicit} = answer.questions;
	return {
		write: answer.push,
		questions: {
			approve: (request, stop) => withKeyboard(() => approve(request, stop), {type: 'unattended'}),
			elicit: (request, stop) => withKeyboard(() => elicit(request, stop), declined),
		},
		async end() {
			answer.end();
			await view.close();
		},
	};
}

/** Shows an action's changes: entries above its events' text, the text, and the rest. */
export function showAction(display: Display, action: Action, effects: readonly Effect[]): void {
	for (const effect of effects) {
		if (effect.type === 'print' && effect.isAbove) display.print(effect.entry, action);
	}
	if (action.type === 'events') display.push(action.events, action.now);
	for (const effect of effects) {
		if (effect.type === 'print' && !effect.isAbove) display.print(effect.entry, action);
		else if (effect.type === 'start-turn') display.begin();
		else display.perform?.(effect);
	}
	display.live(action);
}
