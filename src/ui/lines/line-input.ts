/** Takes entered lines: answers to the open question, or whatever else they are for. */
import type {Keyboard, Terminal} from '../../environment.ts';
import type {QuestionAction} from '../../repl/action.ts';
import type {Question} from '../../repl/question/question.ts';
import {type AnswerState, isReplState} from '../../repl/state.ts';
import type {SafeText} from '../../terminal/safe-text.ts';
import type {LineDisplay} from './display.ts';
import {type LineReader, readTypedLines} from './line-reader.ts';
import {promptOfQuestion, speakStep} from './question.ts';

type LineInputOptions = {
	readonly shown: {
		getState(): AnswerState;
		dispatch(action: QuestionAction): void;
	};
	readonly terminal: Terminal;
	/** The operating system by Node's name. */
	readonly platform: string;
	readonly display: LineDisplay;
	/** Returns the text before the cursor without a question; undefined while no line is expected. */
	readonly prompt: () => SafeText | undefined;
	/** Takes a line answering no question, or entered before the question could be read. */
	readonly enter: (text: string, isEarly: boolean) => void;
	/** Reports a line cut by the terminal. */
	readonly cutLine: SafeText;
};

export interface LineInput {
	read(keyboard: Keyboard, onEnd: (isGone: boolean) => void): () => void;
	/** Follows the state's question. */
	follow(): void;
	/** Shows where to type. */
	refresh(): void;
}

export function createLineInput(options: LineInputOptions): LineInput {
	const {shown, terminal, platform, cutLine} = options;
	const {writer, note} = options.display;
	let reader: LineReader | undefined;
	/** Whether a line answers the open question: nothing typed before it counts. */
	let isAsked = false;
	let before: Question | undefined;

	const promptText = () => {
		const state = shown.getState();
		const {question} = state;
		if (isReplState(state) && state.isClosing) return undefined;
		if (question === undefined) return options.prompt();
		return isAsked && question.isArmed ? promptOfQuestion(question) : undefined;
	};
	const showPrompt = () => {
		const prompt = promptText();
		if (prompt !== undefined) writer.prompt(prompt);
	};
	const refresh = () => {
		// A notice about the same action comes first.
		if (promptText() !== undefined) setImmediate(showPrompt);
	};
	/** Asks when nothing typed before can answer. */
	const ask = async () => {
		const hasDropped = await reader?.dropTyped();
		if (shown.getState().question === undefined) return;
		if (hasDropped) {
			writer.echoed();
			note('everything typed before the question is dropped');
		}
		isAsked = true;
		refresh();
	};
	const answer = (line: string) => {
		shown.dispatch({type: 'line-answered', line});
		const {question} = shown.getState();
		if (question !== undefined) writer.write(speakStep(question));
	};
	return {
		read(keyboard, onEnd) {
			const reading = readTypedLines(keyboard, platform, {
				onLines(text) {
					writer.entered();
					const {question} = shown.getState();
					if (question !== undefined && isAsked) answer(text);
					else options.enter(text, question !== undefined);
					refresh();
				},
				onCut() {
					writer.entered();
					writer.write([cutLine]);
					refresh();
				},
				onEnd,
			});
			reader = reading;
			const removeUser = terminal.addUser({
				release: reading.pause,
				take() {
					reading.resume();
					writer.entered();
					refresh();
				},
			});
			return () => {
				removeUser();
				reading.stop();
				writer.end();
			};
		},
		follow() {
			const {question} = shown.getState();
			if (question?.request !== before?.request) isAsked = false;
			if (question?.isArmed && !before?.isArmed) void ask();
			before = question;
			refresh();
		},
		refresh,
	};
}
