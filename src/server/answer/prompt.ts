/**
 * A request as the rules see it: the last user message taken apart into files, attached text and
 * instruction, with what was said before it.
 */
import {
	type Attachment,
	attachmentsOf,
	type ChatRequest,
	type RequestMessage,
	textsOf,
} from '../request/request.ts';

export type PromptFile = {readonly name: string; readonly text: string};

export type Prompt = {
	readonly request: ChatRequest;
	/** What is asked for: the paragraph that gives the order, without what is attached to it. */
	readonly instruction: string;
	/** The instruction for rules to match; empty when it is too long to be an order or a question. */
	readonly question: string;
	/** Text that came beside the instruction, empty if none. */
	readonly attached: string;
	readonly files: readonly PromptFile[];
	/** Images, files and recordings. */
	readonly attachments: readonly Attachment[];
	/** The last user message as it came. */
	readonly whole: string;
	/** The messages before the last user message. */
	readonly earlier: readonly RequestMessage[];
	/** All system messages, joined by line breaks. */
	readonly system: string;
};

/** Keeps every pattern of every rule away from long hostile text. */
const maxQuestionLength = 2_000;

const fileBlockPattern = /<file name="([^"\n]*)">\r?\n?([\s\S]*?)\r?\n?<\/file>\s*/y;

export function readPrompt(request: ChatRequest): Prompt {
	const {messages} = request;
	const last = messages.findLastIndex((message) => message.role === 'user');
	const message = messages[last];
	const texts = message === undefined ? [] : textsOf(message);
	// Some clients put reminders of their own into parts before the words of the user.
	const asked = texts.findLastIndex((text) => text.trim() !== '');
	const {files, rest} = splitFiles(texts[asked] ?? '');
	const {attached, ...order} = splitInstruction(rest);
	const system = messages.filter(({role}) => role === 'system');
	return {
		request,
		...order,
		attached: [...texts.slice(0, Math.max(asked, 0)), attached]
			.filter((text) => text !== '')
			.join('\n\n'),
		files,
		attachments: message === undefined ? [] : attachmentsOf(message),
		whole: message?.text ?? '',
		earlier: last < 0 ? messages : messages.slice(0, last),
		system: system.map(({text}) => text).join('\n'),
	};
}

/** The blocks that a message begins with, as `chat -f` writes them. */
function splitFiles(text: string): {files: readonly PromptFile[]; rest: string} {
	const files: PromptFile[] = [];
	let rest = 0;
	fileBlockPattern.lastIndex = 0;
	for (;;) {
		const block = fileBlockPattern.exec(text);
		if (block === null) return {files, rest: text.slice(rest)};
		files.push({name: block[1] ?? '', text: block[2] ?? ''});
		rest = fileBlockPattern.lastIndex;
	}
}

/** The instruction is the last paragraph, unless the first one points at what follows it. */
function splitInstruction(raw: string): Pick<Prompt, 'instruction' | 'question' | 'attached'> {
	const text = raw.trim();
	const lineEnd = text.indexOf('\n');
	if (lineEnd < 0) return pair(text, '');
	const line = text.slice(0, lineEnd).trimEnd();
	if (line.length <= maxQuestionLength && line.endsWith(':'))
		return pair(line, text.slice(lineEnd));
	const first = findBorder(text, 'indexOf');
	if (first !== undefined && text.endsWith('```') && !text.startsWith('```')) {
		return pair(text.slice(0, first), text.slice(first));
	}
	const last = findBorder(text, 'lastIndexOf');
	if (last !== undefined) return pair(text.slice(last), text.slice(0, last));
	const lastLine = text.lastIndexOf('\n');
	if (text.length <= maxQuestionLength || text.length - lastLine > maxQuestionLength) {
		return pair(text, '');
	}
	return pair(text.slice(lastLine), text.slice(0, lastLine));
}

/** Where a blank line stands, the first or the last one. */
function findBorder(text: string, search: 'indexOf' | 'lastIndexOf'): number | undefined {
	const borders = [text[search]('\n\n'), text[search]('\r\n\r\n')].filter((at) => at >= 0);
	if (borders.length === 0) return undefined;
	return search === 'indexOf' ? Math.min(...borders) : Math.max(...borders);
}

function pair(
	instruction: string,
	attached: string,
): Pick<Prompt, 'instruction' | 'question' | 'attached'> {
	const order = instruction.trim();
	const question = order.length <= maxQuestionLength ? order : '';
	return {instruction: order, question, attached: attached.replace(/^(?:\r?\n)+/, '').trimEnd()};
}
