/** A single answer as lines. The keyboard is read only while a question is open. */
import type {ChatEvent, ChatEventBatch} from '../../chat/event.ts';
import type {ToolCall} from '../../chat/message.ts';
import type {Approve} from '../../chat/tool.ts';
import type {Terminal} from '../../environment.ts';
import type {InterruptSignal} from '../../errors.ts';
import type {ApprovalAction} from '../../repl/action.ts';
import type {ApprovalDialog} from '../../repl/dialog/approval.ts';
import {createAsker} from '../../repl/dialog/ask.ts';
import {reduceApproval} from '../../repl/dialog/reduce-approval.ts';
import {isApproved} from '../../repl/live-turn.ts';
import type {ReasoningMode} from '../../repl/state.ts';
import {toolEntry} from '../../repl/turn-entries.ts';
import {safe} from '../../terminal/safe-text.ts';
import {type LineReader, readLines} from './line-reader.ts';
import {createLineWriter} from './line-writer.ts';
import {createQuestion, earlyLine} from './question.ts';
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
};

export interface AnswerLines {
	write(batch: ChatEventBatch): Promise<void>;
	/** Asks with the keyboard of the terminal; without one nobody can be asked. */
	readonly ask: Approve;
	end(): Promise<void>;
}

export function openAnswerLines(answer: AnswerLinesOptions): AnswerLines {
	const {reasoningMode, terminal, platform, options, now, onInterrupt} = answer;
	const writer = createLineWriter(terminal);
	const turn = createSpokenTurn({
		reasoningMode: () => reasoningMode,
		isSession: false,
		options,
	});
	const question = createQuestion();
	const calls = new Map<string, ToolCall>();
	const running = new Map<string, ToolCall>();
	const silence = createSilence({
		say: (line) => writer.write([line]),
		running: () => [...running.values()],
		now,
	});
	silence.restart();
	let dialog: ApprovalDialog | undefined;
	let reader: LineReader | undefined;
	/** Whether a line answers: nothing typed before the question counts. */
	let isAsked = false;

	const dispatch = (action: ApprovalAction) => {
		const before = dialog;
		const next = reduceApproval(dialog, action);
		dialog = next.state;
		for (const effect of next.effects) {
			if (effect.type === 'arm-approval' || effect.type === 'answer-approval')
				asker.perform(effect);
		}
		if (dialog !== undefined && dialog.request !== before?.request) {
			writer.write([...turn.end(now()), ...question.open(dialog)]);
		}
		if (dialog?.isArmed && !before?.isArmed) void openLine();
	};
	const asker = createAsker(dispatch);
	const openLine = async () => {
		await reader?.dropTyped();
		if (dialog === undefined) return;
		isAsked = true;
		writer.prompt(question.prompt());
	};
	const enter = (text: string) => {
		writer.entered();
		if (!isAsked) return writer.write([earlyLine]);
		const approval = question.answer(text);
		if (approval.type === 'again') {
			writer.write(approval.lines);
			writer.prompt(question.prompt());
		} else dispatch({type: 'approval-given', approval});
	};
	const showAgain = () => {
		writer.entered();
		if (isAsked) writer.prompt(question.prompt());
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
	return {
		async write(batch) {
			for (const event of batch) {
				if (event.type === 'error' && event.error.kind === 'interrupted') writer.echoed();
				writer.write(turn.push([event], now()));
				followCall(event);
				silence.restart(event.type === 'notice' ? event.notice.retry?.delayMs : 0);
			}
		},
		async ask(request, signal) {
			const keyboard = terminal.openKeyboard();
			if (keyboard === undefined) return {type: 'unattended'};
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
				return await asker.ask(request, signal);
			} finally {
				removeUser();
				reader.stop();
				writer.end();
				silence.restart();
			}
		},
		async end() {
			silence.stop();
			asker.close();
			writer.write(turn.end(now()));
		},
	};
}
