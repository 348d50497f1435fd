/** Runs a session as lines: nothing is redrawn, and the terminal edits what the user types. */
import type {Prompt} from '../../chat/prompt.ts';
import type {Keyboard, Terminal} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import type {Action} from '../../repl/action.ts';
import type {Repl} from '../../repl/repl.ts';
import type {ReplServices} from '../../repl/services.ts';
import {type ReplState, type TableGroup, type TranscriptEntry, tableOf} from '../../repl/state.ts';
import {entriesOfPast} from '../../repl/turn/turn-entries.ts';
import {createKey} from '../../terminal/keys/key-input.ts';
import {type SafeText, safe} from '../../terminal/safe-text.ts';
import {readLines} from './line-reader.ts';
import {createLineWriter} from './line-writer.ts';
import {answerMenu, type Menu, speakMenu, treeMenu, valueMenu} from './menu.ts';
import {createNarrator, draftIn} from './narrator.ts';
import {earlyLine, promptOfQuestion, speakQuestion, speakStep} from './question.ts';
import {createSilence} from './silence.ts';
import {type SpeechOptions, speakEntry} from './speak-entry.ts';

export type LineRepl = {
	readonly repl: Repl;
	readonly terminal: Terminal;
	readonly keyboard: Keyboard;
	/** The operating system by Node's name. */
	readonly platform: string;
	readonly options: SpeechOptions;
	/** The program and its service; undefined if they are not announced. */
	readonly header: TranscriptEntry | undefined;
	/** Notices above the first prompt. */
	readonly greeting: readonly string[];
	/** A prompt to send at once. */
	readonly first: Prompt | undefined;
	/** Called when what the session reports is written. */
	readonly onShown: () => void;
	readonly listValues: ReplServices['listValues'];
	readonly now: () => number;
	/** Ends the session from outside. */
	readonly signal: AbortSignal;
};

const ctrlC = createKey('c', {ctrl: true});

/** The keys of a terminal that edits lines itself. */
const keysOfLines: TableGroup['rows'] = [
	['Enter', 'send the line; after a \\, the next one belongs to it'],
	['Ctrl-C', 'stop the answer, drop the draft or the queue; twice: exit'],
	['Ctrl-D', 'exit; during an answer, after it'],
	['Ctrl-Z', 'suspend; fg in the shell resumes'],
];

const cutLine = safe`Error: the terminal cuts so long a line, so it was not sent. End shorter lines with \\, or put the text into a file and attach it with /file.`;

/**
 * Runs until the user exits, the terminal is gone or the signal aborts.
 *
 * @throws {ChatError} `interrupted` if the terminal is gone
 */
export async function runLines(run: LineRepl): Promise<void> {
	const {repl, terminal, options, now, signal} = run;
	const ending = new AbortController();
	const leave = () => ending.abort();
	const left = new Promise<void>((resolve) => {
		ending.signal.addEventListener('abort', () => resolve(), {once: true});
	});
	const writer = createLineWriter(terminal);
	const narrate = createNarrator(repl.getState(), options, now);
	/** Whether a line answers the open question: nothing typed before it counts. */
	let isAsked = false;
	let menu: Menu | undefined;
	/** Whether the choices of a menu are being read. */
	let isListing = false;
	/** Lines that ended with a backslash. */
	let begun = '';
	let isInputOver = false;
	let isGone = false;
	let before = repl.getState();

	const silence = createSilence({
		say: (line) => writer.write([line]),
		running: () => repl.getState().turn?.running ?? [],
		now,
	});
	const say = (entry: TranscriptEntry) => writer.write(speakEntry(entry, options));
	const isQuiet = (state: ReplState) => isIdle(state) && state.tasks.length === 0 && !isListing;
	const note = (text: string) => say({type: 'notice', text});
	const submit = (text: string) => repl.dispatch({type: 'text-entered', text, now: now()});

	const openMenu = (next: Menu) => {
		menu = next;
		writer.write(speakMenu(next));
	};
	const list = async (type: 'sessions' | 'models') => {
		isListing = true;
		const values = await run.listValues({type}).catch(() => []);
		isListing = false;
		return values;
	};
	const pickSession = async () => {
		const sessions = await list('sessions');
		const choose = (id: string | undefined) => {
			if (id !== undefined) repl.dispatch({type: 'session-picked', id});
		};
		if (sessions.length === 0) note('no conversations are saved');
		else openMenu(valueMenu('Sessions', sessions, choose));
		refresh();
	};
	const pickModel = async () => {
		const listed = list('models');
		submit('/model');
		const models = await listed;
		const choose = (name: string | undefined) => {
			if (name !== undefined) submit(`/model ${name}`);
		};
		if (models.length > 0) openMenu(valueMenu('Models', models, choose));
		refresh();
	};
	/** Asks when nothing typed before can answer. */
	const ask = async () => {
		const hasDropped = await reader.dropTyped();
		if (repl.getState().question === undefined) return;
		if (hasDropped) {
			writer.echoed();
			note('what was typed before the question is dropped');
		}
		isAsked = true;
		refresh();
	};
	/** Restarts the count when something arrives; a question to the user stops it. */
	const followSilence = ({type}: Action, {turn, question}: ReplState) => {
		if (turn === undefined || question !== undefined) return silence.stop();
		if (type !== 'events' && before.turn !== undefined && before.question === undefined) return;
		silence.restart(turn.retry === undefined ? 0 : turn.retry.until - now());
	};
	const follow = (state: ReplState) => {
		const {question, tree} = state;
		if (tree !== undefined && before.tree === undefined) {
			openMenu(treeMenu(state, (id) => repl.dispatch({type: 'turn-chosen', id})));
		}
		if (question?.request !== before.question?.request) {
			isAsked = false;
			writer.write(question === undefined ? [] : speakQuestion(question));
		}
		if (question?.isArmed && !before.question?.isArmed) void ask();
	};

	const promptText = (state: ReplState): SafeText | undefined => {
		const {question} = state;
		if (question !== undefined)
			return isAsked && question.isArmed ? promptOfQuestion(question) : undefined;
		if (menu !== undefined) return safe`Number: `;
		if (begun !== '') return safe`More: `;
		return isQuiet(state) ? safe`You: ` : undefined;
	};
	const showPrompt = () => {
		const prompt = ending.signal.aborted ? undefined : promptText(repl.getState());
		if (prompt !== undefined) writer.prompt(prompt);
	};
	/** Shows where to type, or leaves when nothing more can be typed. */
	const refresh = () => {
		const state = repl.getState();
		if (isInputOver && (isQuiet(state) || state.question !== undefined)) leave();
		// A notice about the same action comes first.
		if (promptText(state) !== undefined) setImmediate(showPrompt);
	};

	const answerQuestion = (text: string) => {
		if (isAsked) {
			repl.dispatch({type: 'line-answered', line: text});
			const {question} = repl.getState();
			if (question !== undefined) writer.write(speakStep(question));
		} else if (/^\s*[1-5]?\s*$/.test(text)) {
			writer.write([earlyLine]);
		} else submit(text);
	};
	const chooseFrom = (open: Menu, text: string) => {
		menu = undefined;
		const answered = answerMenu(open, text);
		menu = answered.open ?? menu;
		writer.write(answered.said);
	};
	const enterText = (text: string) => {
		if (text.endsWith('\\')) {
			begun += `${text.slice(0, -1)}\n`;
			return;
		}
		const whole = begun + text;
		begun = '';
		if (whole.trim() === '/model') void pickModel();
		else if (whole.trim() === '/help keys') say(tableOf(keysOfLines));
		else submit(whole);
	};
	const enter = (text: string) => {
		if (repl.getState().question !== undefined) answerQuestion(text);
		else if (menu !== undefined) chooseFrom(menu, text);
		else enterText(text);
	};
	/** Closes what is open, or does what Ctrl-C does otherwise. */
	const interrupt = () => {
		writer.echoed();
		const open = menu;
		const isTyping = open !== undefined || begun !== '';
		menu = undefined;
		begun = '';
		open?.choose(undefined);
		if (!isTyping) repl.dispatch({type: 'keys', keys: [ctrlC], now: now()});
		refresh();
	};

	if (run.header !== undefined) say(run.header);
	for (const entry of entriesOfPast(before.conversation, before.shown)) say(entry);
	for (const text of run.greeting) note(text);
	note('/help lists the commands; Ctrl-C stops an answer, Ctrl-D exits');
	for (const entry of draftIn(before)) say(entry);
	const reader = readLines(run.keyboard, run.platform, {
		onLines(text) {
			writer.entered();
			enter(text);
			refresh();
		},
		onCut() {
			writer.entered();
			writer.write([cutLine]);
			refresh();
		},
		onEnd(isLost) {
			isInputOver = true;
			isGone = isLost;
			if (isGone) leave();
			else if (repl.getState().turn !== undefined) note('the session ends after the answer');
			refresh();
		},
	});
	repl.subscribe((action, state, effects) => {
		writer.write(narrate(action, state, effects));
		followSilence(action, state);
		follow(state);
		for (const {type} of effects) {
			if (type === 'exit') leave();
			else if (type === 'pick-session') void pickSession();
		}
		before = state;
		refresh();
	});
	run.onShown();
	const stopListening = terminal.onInterruptKey(interrupt);
	const removeUser = terminal.addUser({
		release() {},
		take() {
			writer.entered();
			refresh();
		},
	});
	signal.addEventListener('abort', leave, {once: true});
	if (signal.aborted) leave();
	if (run.first !== undefined) repl.dispatch({type: 'prompt-given', prompt: run.first, now: now()});
	refresh();
	try {
		await left;
	} finally {
		stopListening();
		removeUser();
		signal.removeEventListener('abort', leave);
		silence.stop();
		await repl.close();
		reader.stop();
		writer.end();
	}
	if (isGone) throw new ChatError('interrupted', 'the terminal is gone', {signal: 'SIGHUP'});
}

/** Whether nothing runs, and nothing is about to be sent. */
function isIdle({turn, queue, isQueueHeld}: ReplState): boolean {
	return turn === undefined && (queue.length === 0 || isQueueHeld);
}
