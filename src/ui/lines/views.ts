/** The interactive mode and a single answer as lines, which the terminal itself edits. */
import type {Terminal} from '../../environment.ts';
import {toChatError} from '../../errors.ts';
import type {SingleAnswer} from '../../repl/answer.ts';
import {markCurrent, openedLists} from '../../repl/list/menu.ts';
import type {Repl} from '../../repl/repl.ts';
import type {ReplServices} from '../../repl/services.ts';
import {type ReplState, type TableGroup, tableOf} from '../../repl/state.ts';
import {createKey} from '../../terminal/keys/key-input.ts';
import {safe} from '../../terminal/safe-text.ts';
import type {ReplView, View} from '../run.ts';
import {createLineDisplay} from './display.ts';
import {createLineInput} from './line-input.ts';
import {answerMenu, type NumberedList, speakMenu, treeMenu, valueMenu} from './menu.ts';
import {draftIn} from './narrator.ts';
import {earlyLine} from './question.ts';
import type {SpeechOptions} from './speak-entry.ts';

type Spoken<Shown> = {
	readonly shown: Shown;
	readonly terminal: Terminal;
	/** The operating system by Node's name. */
	readonly platform: string;
	readonly options: SpeechOptions;
	readonly now: () => number;
};

export function openAnswerLines(run: Spoken<SingleAnswer>): View {
	const display = createLineDisplay({...run, getState: run.shown.getState});
	const {writer} = display;
	const input = createLineInput({
		...run,
		display,
		prompt: () => undefined,
		enter: () => writer.write([earlyLine]),
		cutLine: safe`Error: the terminal cuts so long a line.`,
	});
	return {
		...display,
		push(events, now) {
			const isInterrupted = events.some(
				(event) => event.type === 'error' && event.error.kind === 'interrupted',
			);
			// The terminal has written ^C.
			if (isInterrupted) writer.echoed();
			display.push(events, now);
		},
		live(cause) {
			display.live(cause);
			input.follow();
		},
		read: async (keyboard, onEnd) => input.read(keyboard, onEnd),
		close: async () => display.end(),
	};
}

export type SpokenRepl = Spoken<Repl> & Pick<ReplServices, 'listValues'>;

const ctrlC = createKey('c', {ctrl: true});

/** The keys of a terminal doing its own line editing. */
const keysOfLines: TableGroup['rows'] = [
	['Enter', 'send the line; after a \\, the next one belongs to it'],
	['Ctrl-C', 'stop the answer, drop the draft or the queue; twice: exit'],
	['Ctrl-D', 'exit; during an answer, after it'],
	['Ctrl-Z', 'suspend; fg in the shell resumes'],
];

const cutLine = safe`Error: the terminal cuts so long a line, so it was not sent. End shorter lines with \\, or put the text into a file and attach it with /file.`;

export function openReplLines(run: SpokenRepl): ReplView {
	const {terminal, now, listValues} = run;
	const {getState, dispatch} = run.shown;
	const display = createLineDisplay({...run, getState});
	const {writer, note} = display;
	let menu: NumberedList | undefined;
	let isTreeOpen = false;
	/** Whether a menu's choices are being read. */
	let isListing = false;
	/** Lines ending with a backslash. */
	let begun = '';
	/** Ends the run; set when nothing more can be typed. */
	let leave: (() => void) | undefined;

	const input = createLineInput({
		...run,
		display,
		cutLine,
		prompt() {
			if (menu !== undefined) return safe`Number: `;
			if (begun !== '') return safe`More: `;
			return isQuiet(getState()) && !isListing ? safe`You: ` : undefined;
		},
		enter(text, isEarly) {
			if (isEarly && /^\s*[1-5]?\s*$/.test(text)) writer.write([earlyLine]);
			else if (isEarly) submit(text);
			else if (menu !== undefined) chooseFrom(menu, text);
			else enterText(text);
		},
	});
	const submit = (text: string) => dispatch({type: 'text-entered', text, now: now()});
	const openMenu = (next: NumberedList) => {
		menu = next;
		writer.write(speakMenu(next));
		input.refresh();
	};
	const list = async (
		type: 'sessions' | 'models' | 'profiles',
		onError = (_error: unknown) => {},
	) => {
		isListing = true;
		const values = await listValues({type}).catch((error: unknown) => {
			onError(error);
			return [];
		});
		isListing = false;
		return values;
	};
	const pickFor = async (command: keyof typeof listedFor) => {
		const type = listedFor[command];
		const {title, none, next} = openedLists[type];
		const isModel = type === 'models';
		let problem: string = none;
		const listed = list(type, (error) => {
			problem = toChatError(error).message;
		});
		if (isModel) submit(command);
		const values = await listed;
		const current = isModel ? getState().options.model : '';
		const choose = (name: string | undefined) => {
			if (name !== undefined) submit(`${command} ${name}`);
		};
		if (values.length === 0) {
			note(`${problem}; ${next}`);
			return input.refresh();
		}
		const marked = values.map((value) => markCurrent(value, current));
		openMenu(valueMenu(title, marked, choose, isModel ? {isFree: true} : {}));
	};
	const chooseFrom = (open: NumberedList, text: string) => {
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
		const command = whole.trim();
		if (isListed(command)) void pickFor(command);
		else if (command === '/help keys') display.print(tableOf(keysOfLines));
		else submit(whole);
	};
	/** Closes what is open, or does what Ctrl-C does otherwise. */
	const interrupt = () => {
		writer.echoed();
		const open = menu;
		const isTyping = open !== undefined || begun !== '';
		menu = undefined;
		begun = '';
		open?.choose(undefined);
		if (!isTyping) dispatch({type: 'keys', keys: [ctrlC], now: now()});
		input.refresh();
	};
	/** Leaves when nothing more can be typed, and nothing more is to come. */
	const settle = () => {
		const state = getState();
		if ((isQuiet(state) && !isListing) || state.question !== undefined) leave?.();
	};
	return {
		...display,
		live(cause) {
			display.live(cause);
			const {tree} = getState();
			if (tree !== undefined && !isTreeOpen) {
				openMenu(treeMenu(tree, (id) => dispatch({type: 'turn-chosen', id})));
			}
			isTreeOpen = tree !== undefined;
			settle();
			input.follow();
		},
		async read(keyboard, onEnd) {
			note('/help lists the commands; Ctrl-C stops an answer, Ctrl-D exits');
			for (const entry of draftIn(getState())) display.print(entry);
			const stopReading = input.read(keyboard, (isGone) => {
				if (isGone) return onEnd(true);
				leave = () => onEnd(false);
				if (getState().turn !== undefined) note('chat ends after the answer');
				return settle();
			});
			const stopListening = terminal.onInterruptKey(interrupt);
			return () => {
				stopListening();
				stopReading();
			};
		},
		prompt: input.refresh,
		async pickSession(signal) {
			const sessions = await list('sessions');
			if (signal.aborted) return undefined;
			if (sessions.length === 0) {
				note('no conversations are saved');
				input.refresh();
				return undefined;
			}
			return await new Promise((resolve) => {
				signal.addEventListener('abort', () => resolve(undefined), {once: true});
				openMenu(valueMenu('Sessions', sessions, resolve));
			});
		},
		close: async () => display.end(),
	};
}

/** Commands listing choices where no menu is drawn. */
const listedFor = {'/model': 'models', '/profile': 'profiles'} as const;

function isListed(text: string): text is keyof typeof listedFor {
	return Object.hasOwn(listedFor, text);
}

/** Whether nothing runs, and nothing is about to be sent. */
function isQuiet({turn, queue, isQueueHeld, tasks}: ReplState): boolean {
	return turn === undefined && (queue.length === 0 || isQueueHeld) && tasks.length === 0;
}
