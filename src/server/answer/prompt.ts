/**
 * A request as the rules see it: the last user message split into files, attached text and
 * instruction, with the conversation before it.
 */
import {
	type Attachment,
	attachmentsOf,
	type ChatRequest,
	type RequestMessage,
	textsOf,
} from '../request/request.ts';
import {countPattern, readCount} from './text.ts';

export type PromptFile = {readonly name: string; readonly text: string};

export type Prompt = {
	readonly request: ChatRequest;
	/** The order or question, without attached text and without an order to think first. */
	readonly instruction: string;
	/** The instruction for rules to match; empty if too long to be an order or a question. */
	readonly question: string;
	/** How many words to think first; undefined: nothing is said. */
	readonly thinkingWords: number | undefined;
	/** Text beside the instruction, empty without any. */
	readonly attached: string;
	readonly files: readonly PromptFile[];
	readonly attachments: readonly Attachment[];
	/** The last user message, unchanged. */
	readonly whole: string;
	readonly earlier: readonly RequestMessage[];
	/** All system messages, joined by line breaks. */
	readonly system: string;
};

/** Keeps long hostile text away from all rule patterns. */
const maxQuestionLength = 2_000;

export function readPrompt(request: ChatRequest): Prompt {
	const {messages} = request;
	const last = messages.findLastIndex((message) => message.role === 'user');
	const message = messages[last];
	const texts = message === undefined ? [] : textsOf(message);
	// Some clients put reminders in parts before the user's words.
	const asked = texts.findLastIndex((text) => text.trim() !== '');
	const {files, rest} = splitFiles(texts[asked] ?? '');
	const [order, attached] = splitOrder(rest.trim());
	const {thinkingWords, instruction} = splitThinking(order);
	return {
		request,
		instruction,
		question: instruction.length <= maxQuestionLength ? instruction : '',
		thinkingWords,
		attached: [...texts.slice(0, Math.max(asked, 0)), attached]
			.filter((text) => text !== '')
			.join('\n\n'),
		files,
		attachments: message === undefined ? [] : attachmentsOf(message),
		whole: message?.text ?? '',
		earlier: last < 0 ? messages : messages.slice(0, last),
		system: messages.flatMap(({role, text}) => (role === 'system' ? [text] : [])).join('\n'),
	};
}

/** Leading blocks, as written by `chat -f`. */
function splitFiles(text: string): {files: readonly PromptFile[]; rest: string} {
	const blockPattern = /<file name="([^"\n]*)">\r?\n?([\s\S]*?)\r?\n?<\/file>\s*/y;
	const files: PromptFile[] = [];
	let rest = 0;
	for (;;) {
		const block = blockPattern.exec(text);
		if (block === null) return {files, rest: text.slice(rest)};
		files.push({name: block[1] ?? '', text: block[2] ?? ''});
		rest = blockPattern.lastIndex;
	}
}

/** The order is the last paragraph, unless the first line refers to the text below it. */
function splitOrder(text: string): readonly [order: string, attached: string] {
	const lineEnd = text.indexOf('\n');
	const line = text.slice(0, Math.max(lineEnd, 0)).trimEnd();
	if (line.endsWith(':')) return [line, text.slice(lineEnd).trim()];
	const gap = Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\n\r\n'));
	return gap < 0 ? [text, ''] : [text.slice(gap).trim(), text.slice(0, gap).trimEnd()];
}

/** The length for `think hard`, which gives no number. */
const hardWords = 200;

const thinkPattern = new RegExp(
	`^(?:please )?think (?:(?:very |really )?(?:hard|deeply|carefully|step by step)|for (${countPattern}) words)\\b[\\s:,;.]*(?:(?:and )?then\\b\\s*)?`,
	'i',
);

function splitThinking(order: string): Pick<Prompt, 'thinkingWords' | 'instruction'> {
	const found = thinkPattern.exec(order.slice(0, maxQuestionLength));
	if (found === null) return {thinkingWords: undefined, instruction: order};
	const [head, words] = found;
	const instruction = order.slice(head.length);
	return {thinkingWords: readCount(words) ?? hardWords, instruction: instruction || order};
}
