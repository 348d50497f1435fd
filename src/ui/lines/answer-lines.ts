/** A single answer as lines. The keyboard is read only while a question is open. */

import {declined} from '../../chat/elicitation.ts';
import type {ChatEvent, ChatEventBatch} from '../../chat/event.ts';
import type {ToolCall} from '../../chat/message.ts';
import type {Questions} from '../../chat/tool.ts';
import type {Terminal} from '../../environment.ts';
import type {InterruptSignal} from '../../errors.ts';
import type {DialogAction} from '../../repl/action.ts';
import {createAsker, isDialogEffect, type OpenPage} from '../../repl/question/ask.ts';
import type {Dialog} from '../../repl/question/dialog.ts';
import {reduceDialog} from '../../repl/question/reduce-dialog.ts';
import type {ReasoningMode} from '../../repl/state.ts';
import {isApproved} from '../../repl/turn/live-turn.ts';
import {toolEntry} from '../../repl/turn/turn-entries.ts';
import {safe} from '../../terminal/safe-text.ts';
import {type LineReader, readLines} from './line-reader.ts';
import {createLineWriter} from './line-writer.ts';
import {openQuestion} from './open-question.ts';
import {earlyLine, type Question} from './question.ts';
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
	let dialog: Dialog | undefined;
	let question: Question | undefined;
	let reader: LineReader | undefined;
	/** Whether a line answers: nothing typed before the question counts. */
	let isAsked = false;

	const dispatch = (action: DialogAction) => {
		const before = dialog;
		const next = reduceDialog(dialog, action);
		dialog = next.state;
		for (const effect of next.effects) {
			if (isDialogEffect(effect)) asker.perform(effect);
			else if (effect.type === 'print') writer.write(speakEntry(effect.entry, options));
		}
		if (dialog !== undefined && dialog.request !== before?.request) {
			question = openQuestion(dialog);
			writer.write([...turn.end(now()), ...question.lines]);
		}
		if (dialog?.isArmed && !before?.isArmed) void openLine();
	};
	const asker = createAsker(dispatch, openPage);
	const showPrompt = () => {
		if (question !== undefined) writer.prompt(question.prompt());
	};
	const openLine = async () => {
		await reader?.dropTyped();
		if (dialog === undefined) return;
		isAsked = true;
		showPrompt();
	};
	const enter = (text: string) => {
		writer.entered();
		if (!isAsked || question === undefined) return writer.write([earlyLine]);
		const answer = question.answer(text);
		if (answer.type === 'again') {
			writer.write(answer.lines);
			showPrompt();
		} else dispatch(answer);
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
