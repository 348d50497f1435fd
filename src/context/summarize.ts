/** Asks the model for a summary that can stand for turns. */
import {beginTurn, type Conversation, messagesOf} from '../chat/conversation.ts';
import type {ChatOptions} from '../chat/message.ts';
import type {StreamChat} from '../chat/stream-chat.ts';
import type {OfferedTool} from '../chat/tool.ts';
import {createStepRequest} from '../chat/turn.ts';
import {ChatError} from '../errors.ts';
import {isCutReason} from '../finish-reason.ts';
import {plural} from '../wording.ts';
import type {CompactionPlan} from './plan-compaction.ts';

export type SummaryRequest = {
	readonly conversation: Conversation;
	readonly plan: CompactionPlan;
	/** The user's words on what matters; may be empty. */
	readonly wish: string;
	readonly options: ChatOptions;
};

/** Parts of a summary from which a conversation can go on. */
const contents = [
	'the goal',
	'facts and figures',
	'decisions and their reasons',
	'rejected alternatives',
	'exact names, error texts and code that still matter, verbatim',
	'open questions',
	"the user's last wishes, verbatim",
];

/** Returns the prompt for the summary. */
function summaryPrompt({conversation, plan, wish}: SummaryRequest): string {
	const {first, kept} = plan;
	const isSecond = first > 1 || (conversation.compactions?.length ?? 0) > 0;
	return [
		'Summarize this conversation: your summary will replace its messages, and the conversation goes on from it.',
		kept > 0 ? `Leave out the last ${plural(kept, 'prompt')} and their answers, which stay.` : '',
		isSecond ? 'Leave out what the summary at the beginning says, which stays too.' : '',
		`Keep, in this order: ${contents.join('; ')}.`,
		wish === '' ? '' : `This matters most: ${wish}`,
		"Write nothing but the summary, in the conversation's language.",
	]
		.filter((line) => line !== '')
		.join('\n');
}

/**
 * Sends the conversation with a prompt for a summary at its end: the same messages and tools as any
 * next prompt, which a service may have cached. Nothing is run.
 *
 * @throws {ChatError} if there is no whole summary; when `signal` aborts, its reason
 */
export async function summarizeTurns(
	request: SummaryRequest,
	streamChat: StreamChat,
	offered: readonly OfferedTool[],
	signal: AbortSignal,
): Promise<string> {
	const {conversation, options} = request;
	const {model} = options;
	const prompt = {text: summaryPrompt(request), attachments: []};
	const open = beginTurn(conversation, {id: 'summary', prompt, model, startedAt: 0}, 0);
	const {toolChoice} = options;
	const wanted = {
		...options,
		maxTokens: undefined,
		responseFormat: undefined,
		// A forced call would replace the summary.
		toolChoice: toolChoice === 'none' ? toolChoice : undefined,
	};
	const step = createStepRequest(messagesOf(open), wanted, offered);
	let text = '';
	let problem: string | undefined;
	for await (const batch of streamChat(step, signal)) {
		for (const event of batch) {
			if (event.type === 'text-delta') text += event.text;
			else if (event.type === 'refusal-delta') problem = 'the model refused it';
			else if (event.type === 'tool-call') problem ??= 'the model called a tool instead';
			else if (event.type === 'step-end' && isCutReason(event.finishReason)) {
				problem ??= 'the summary was cut off';
			}
		}
	}
	if (problem === undefined && text.trim() === '') problem = 'the model wrote nothing';
	if (problem !== undefined) throw new ChatError('incomplete', `nothing was compacted: ${problem}`);
	return text.trim();
}
