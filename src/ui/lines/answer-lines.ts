/** A single answer as lines. The keyboard is read only while a question is open. */

import {declined} from '../../chat/elicitation.ts';
import type {ChatEvent, ChatEventBatch} from '../../chat/event.ts';
import type {ToolCall} from '../../chat/message.ts';
import type {Questions} from '../../chat/tool.ts';
import type {Terminal} from '../../environment.ts';
import type {InterruptSignal} from '../../errors.ts';
import type {QuestionAction} from '../../repl/action.ts';
import {createAsker, isQuestionEffect, type OpenPage} from '../../repl/question/ask.ts';
import type {Question} from '../../repl/question/question.ts';
import {reduceQuestion} from '../../repl/question/reduce-question.ts';
import type {ReasoningMode} from '../../repl/state.ts';
import {isApproved} from '../../repl/turn/live-turn.ts';
import {toolEntry} from '../../repl/turn/turn-entries.ts';
import {safe} from '../../terminal/safe-text.ts';
import {type LineReader, readLines} from './line-reader.ts';
import {createLineWriter} from './line-writer.ts';
import {earlyLine, promptOfQuestion, speakQuestion, speakStep} from './question.ts';
import {createSilence} from './silence.ts';
import {type SpeechOptions, speakEntry} from './speak-entry.ts';
import {createSpokenTurn} from './speak-turn.ts';

type AnswerLinesOptions = {
	readonly reasoningMode: ReasoningMode;
	readonly terminal: Terminal;
	/** The operating system by Node's name. */
	readonly platform: string;
	readonly options: SpeechOptions;
	readonly now: () => number;
	/** Called while a question is open: the terminal is gone. */
	readonly onInterrupt: (signal: InterruptSignal) => void;
	readonly openPage: OpenPage;
};

export interface AnswerLines {
	write(batch: ChatEventBatch): Promise<void>;
	/** Asks with the keyboard of the terminal; without one nobody can be asked. */
	readonly questions: Questions;
	end(): Promise<void>;
}

export function openAnswerLines(answer: AnswerLinesOptions): AnswerLines {
	const {reasoningMode, terminal, platform, options, now, onInterrupt, openPage} = answer;
	const writer = createLineWriter(terminal);
	const turn = createSpokenTurn({
		reasoningMode: () => reasoningMode,
		options,
	});
	const calls = new Map<string, ToolCall>();
	const running = new Map<string, ToolCall>();
	const silence = createSilence({
		say: (line) => writer.write([line]),
		running: () => [...running.values()],
		now,
	});
	silence.restart();
	let question: Question | undefined;
	let reader: LineReader | undefined;
	/** Whether a line answers: nothing typed before the question counts. */
	let isAsked = false;

	const dispatch = (action: QuestionAction) => {
		const before = question;
		const next = reduceQuestion(question, action);
		question = next.state;
		for (const effect of next.effects) {
			if (isQuestionEffect(effect)) asker.perform(effect);
			else if (effect.type === 'print') writer.write(speakEntry(effect.entry, options));
		}
		if (question !== undefined && question.request !== before?.request) {
			writer.write([...turn.end(now()), ...speakQuestion(question)]);
		}
		if (question?.isArmed && !before?.isArmed) void openLine();
	};
	const asker = createAsker(dispatch, openPage);
	const showPrompt = () => {
		if (question !== undefined) writer.prompt(promptOfQuestion(question));
	};
	const openLine = async () => {
		await reader?.dropTyped();
		if (question === undefined) return;
		isAsked = true;
		showPrompt();
	};
	const enter = (text: string) => {
		writer.entered();
		if (!isAsked) return writer.write([earlyLine]);
		dispatch({type: 'line-answered', line: text});
		if (question === undefined) return;
		writer.write(speakStep(question));
		showPrompt();
	};
	const showAgain = () => {
		writer.entered();
		if (isAsked) showPrompt();
	};
	const followCall = (event: ChatEvent) => {
		if (event.type === 'tool-call') calls.set(event.call.callId, event.call);
		if (event.type !== 'tool-decision' && event.type !== 'tool-result') return;
		const call = calls.get(event.callId);
		if (call === undefined) return;
		if (event.type === 'tool-result') {
			running.delete(event.callId);
			writer.write(speakEntry(toolEntry(call, event), options));
		} else if (isApproved(event)) running.set(event.callId, call);
	};
	const withKeyboard = async <Answer>(ask: () => Promise<Answer>, unattended: Answer) => {
		const keyboard = terminal.openKeyboard();
		if (keyboard === undefined) return unattended;
		isAsked = false;
		silence.stop();
		reader = readLines(keyboard, platform, {
			onLines: enter,
			onCut() {
				writer.entered();
				writer.write([safe`Error: the terminal cuts so long a line.`]);
				showAgain();
			},
			onEnd: (isGone) => (isGone ? onInterrupt('SIGHUP') : onInterrupt('SIGINT')),
		});
		const removeUser = terminal.addUser({release() {}, take: showAgain});
		try {
			return await ask();
		} finally {
			removeUser();
			reader.stop();
			writer.end();
			silence.restart();
		}
	};
	return {
		async write(batch) {
			for (const event of batch) {
				if (event.type === 'error' && event.error.kind === 'interrupted') writer.echoed();
				writer.write(turn.push([event], now()));
				followCall(event);
				silence.restart(event.type === 'notice' ? event.notice.retry?.delayMs : 0);
			}
		},
		questions: {
			approve: (request, signal) =>
				withKeyboard(() => asker.approve(request, signal), {type: 'unattended'}),
			elicit: (request, signal) => withKeyboard(() => asker.elicit(request, signal), declined),
		},
		async end() {
			silence.stop();
			asker.close();
			writer.write(turn.end(now()));
		},
	};
}
