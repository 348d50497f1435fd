/** Checks the quotations of an answer at the end of its turn. */
import type {AnswerMessage, OpenConversation} from '../chat/conversation.ts';
import type {ChatEvent, ChatEventBatch} from '../chat/event.ts';
import {messageText, type ToolOutputPart} from '../chat/message.ts';
import type {Attachment, Prompt} from '../chat/prompt.ts';
import {outputText} from '../chat/tool-output.ts';
import {readDataUrl} from '../data-url.ts';
import {checkQuotations, type GivenText} from './check-quotations.ts';
import {findQuotations} from './find-quotations.ts';

export type QuoteSources = {
	readonly conversation: OpenConversation;
	/** Whether text of the running turn's prompt came through a pipe. */
	readonly isPiped: boolean;
	/** Returns the text of a PDF; undefined if nothing here reads it. */
	readonly readPdf: (bytes: Uint8Array, name: string) => Promise<string | undefined>;
};

/** Passes the batches on, with the checked quotations before the end; an interrupted turn has none. */
export async function* checkTurn(
	batches: AsyncIterable<ChatEventBatch>,
	sources: QuoteSources,
): AsyncGenerator<ChatEventBatch, void, undefined> {
	// A resumed turn has the first part of its answer already.
	let answer = textIn(sources.conversation.open.messages);
	const calls = new Map<string, string>();
	const results: GivenText[] = [];
	for await (const batch of batches) {
		for (const event of batch) {
			if (event.type === 'step-start' && answer !== '') answer += '\n\n';
			if (event.type === 'text-delta') answer += event.text;
			if (event.type === 'answer-rejected' && !event.isFinal) answer = '';
			if (event.type === 'tool-call') calls.set(event.call.callId, event.call.name);
			if (event.type === 'tool-result') results.push(givenResult(calls.get(event.callId), event));
		}
		const end = batch.at(-1);
		if (end === undefined || !isCheckable(end)) {
			yield batch;
			continue;
		}
		if (batch.length > 1) yield batch.slice(0, -1);
		yield [...(await check(answer, results, sources)), end];
	}
}

function isCheckable(event: ChatEvent): boolean {
	if (event.type === 'error') return event.error.kind !== 'interrupted';
	return event.type === 'turn-end';
}

async function check(
	answer: string,
	results: readonly GivenText[],
	{conversation, isPiped, readPdf}: QuoteSources,
): Promise<readonly ChatEvent[]> {
	const {system, turns, open} = conversation;
	const unread: string[] = [];
	const earlier = turns.map(({prompt, messages}) => ({prompt, messages, isPiped: false}));
	const given = [...earlier, {prompt: open.prompt, messages: open.messages, isPiped}];
	const texts = given.flatMap((turn) => [
		...turn.prompt.attachments.flatMap((attachment) => givenFile(attachment, readPdf, unread)),
		...givenPrompt(turn.prompt, turn.isPiped),
		...resultsIn(turn.messages),
	]);
	const ofSystem = {
		name: 'the system message',
		isFile: false,
		hasLines: false,
		read: () => [system],
	};
	const all = [...texts, ...results, ...(system === '' ? [] : [ofSystem])];
	const quotations = findQuotations(answer, [...new Set(all.map(({name}) => name))]);
	const checked = quotations.length === 0 ? [] : await checkQuotations(quotations, all);
	return [...noticeOf(unread), {type: 'quotations-checked', quotations: checked}];
}

function noticeOf(unread: readonly string[]): readonly ChatEvent[] {
	if (unread.length === 0) return [];
	const message = `quotations were not looked up in ${unread.join(', ')}: pdftotext cannot read it, or is missing`;
	return [{type: 'notice', notice: {code: 'quotes-unchecked', message}}];
}

/** Piped text above a written prompt is a fold. */
function givenPrompt({text, folds = []}: Prompt, isPiped: boolean): readonly GivenText[] {
	const fold = folds.find(({from}) => from === 0);
	const pipedEnd = isPiped ? (fold?.to ?? text.length) : 0;
	const piped = {name: 'stdin', isFile: true, read: () => [text.slice(0, pipedEnd)]};
	const written = {name: 'the prompt', isFile: false, hasLines: false};
	return [
		...(pipedEnd === 0 ? [] : [piped]),
		...(pipedEnd === text.length ? [] : [{...written, read: () => [text.slice(pipedEnd)]}]),
	];
}

function givenFile(
	attachment: Attachment,
	readPdf: QuoteSources['readPdf'],
	unread: string[],
): readonly GivenText[] {
	const {type, name} = attachment;
	if (type === 'file') return [{name, isFile: true, read: () => [attachment.text]}];
	if (attachment.part.type !== 'document') return [];
	const {base64 = ''} = readDataUrl(attachment.part.url) ?? {};
	async function* read() {
		const text = await readPdf(Buffer.from(base64, 'base64'), name);
		if (text === undefined) unread.push(name);
		else yield text;
	}
	return [{name, isFile: true, hasLines: false, read}];
}

function textIn(messages: readonly AnswerMessage[]): string {
	const texts = messages.map((message) => (message.role === 'tool' ? '' : messageText(message)));
	return texts.filter((text) => text !== '').join('\n\n');
}

function resultsIn(messages: readonly AnswerMessage[]): readonly GivenText[] {
	const names = new Map<string, string>();
	return messages.flatMap((message) => {
		if (message.role === 'tool') return [givenResult(names.get(message.callId), message)];
		for (const part of message.parts) {
			if (part.type === 'tool-call') names.set(part.call.callId, part.call.name);
		}
		return [];
	});
}

function givenResult(
	name = 'a tool',
	output: {readonly parts: readonly ToolOutputPart[]},
): GivenText {
	return {name, isFile: true, read: () => [outputText(output)]};
}
