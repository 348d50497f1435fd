/** A single answer as lines. The keyboard is read only while a question is open. */
import type {ChatEventBatch} from '../../chat/event.ts';
import type {ToolCall} from '../../chat/message.ts';
import type {Approve} from '../../chat/tool.ts';
import type {Terminal} from '../../environment.ts';
import type {InterruptSignal} from '../../errors.ts';
import type {Redact} from '../../redact.ts';
import type {ApprovalAction} from '../../repl/action.ts';
import type {ApprovalDialog} from '../../repl/approval.ts';
import {createAsker} from '../../repl/ask.ts';
import {reduceApproval} from '../../repl/reduce-approval.ts';
import type {ReasoningMode} from '../../repl/state.ts';
import {toolEntry} from '../../repl/turn-entries.ts';
import {safe} from '../../terminal/safe-text.ts';
import {type LineReader, readLines} from './line-reader.ts';
import {createLineWriter} from './line-writer.ts';
import {createQuestion} from './question.ts';
import {speakEntry} from './speak-entry.ts';
import {createSpokenTurn} from './speak-turn.ts';

type AnswerLinesOptions = {
	readonly reasoningMode: ReasoningMode;
	readonly terminal: Terminal;
	/** The operating system by Node's name. */
	readonly platform: string;
	readonly redact: Redact;
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
	const {reasoningMode, terminal, platform, redact, now, onInterrupt} = answer;
	const writer = createLineWriter(terminal);
	const turn = createSpokenTurn({reasoningMode: () => reasoningMode, isSession: false, redact});
	const question = createQuestion();
	const calls = new Map<string, ToolCall>();
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
		if (!isAsked) return;
		const approval = question.answer(text);
		if (approval.type === 'again') {
			writer.write(approval.lines);
			writer.prompt(question.prompt());
		} else dispatch({type: 'approval-given', approval});
	};
	return {
		async write(batch) {
			for (const event of batch) {
				writer.write(turn.push([event], now()));
				if (event.type === 'tool-call') calls.set(event.call.callId, event.call);
				const call = event.type === 'tool-result' ? calls.get(event.callId) : undefined;
				if (call === undefined || event.type !== 'tool-result') continue;
				writer.write(speakEntry(toolEntry(call, event), {redact}));
			}
		},
		async ask(request, signal) {
			const keyboard = terminal.openKeyboard();
			if (keyboard === undefined) return {type: 'unattended'};
			isAsked = false;
			reader = readLines(keyboard, platform, {
				onLines: enter,
				onCut() {
					writer.entered();
					writer.write([safe`Error: the terminal cuts so long a line.`]);
					if (isAsked) writer.prompt(question.prompt());
				},
				onEnd: (isGone) => (isGone ? onInterrupt('SIGHUP') : onInterrupt('SIGINT')),
			});
			try {
				return await asker.ask(request, signal);
			} finally {
				reader.stop();
				writer.end();
			}
		},
		async end() {
			asker.close();
			writer.write(turn.end(now()));
		},
	};
}
