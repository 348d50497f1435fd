/** Describes the contents of a request: fields, files and attachments, tool results. */
import {createHash} from 'node:crypto';
import {plural, shorten} from '../../wording.ts';
import {type Attachment, attachmentsOf} from '../request/request.ts';
import type {Prompt} from './prompt.ts';
import {countLines, countWords, fingerprint, quote} from './text.ts';

const maxDescribed = 50;

const parametersPattern =
	/\b(?:what|which|show|list|describe)\b[^\n]*\b(?:parameters?|settings|request fields)\b|^parameters?[?.! ]*$/i;

export function describeParameters({question, request, system}: Prompt): string | undefined {
	if (!parametersPattern.test(question)) return undefined;
	const {messages, toolChoice} = request;
	const parameters = {
		model: request.model,
		stream: request.isStreaming,
		temperature: request.temperature,
		top_p: request.topP,
		max_tokens: request.maxTokens,
		stop: request.stop.length === 0 ? undefined : JSON.stringify(request.stop),
		tools: request.tools.map(({name}) => name).join(', ') || 'none',
		tool_choice: typeof toolChoice === 'string' ? toolChoice : toolChoice.name,
		response_format: request.responseFormat,
		system: system === '' ? undefined : quote(system, 500),
		messages: `${messages.length} (${messages.map(({role}) => role).join(', ')})`.slice(0, 500),
		attachments: messages.flatMap(attachmentsOf).length,
	};
	const rows = Object.entries(parameters).map(
		([name, value]) => `- \`${name}\`: ${value ?? 'not set'}`,
	);
	return `I received this request:\n\n${rows.join('\n')}`;
}

export function describeToolResults({request, instruction}: Prompt): string | undefined {
	const {messages} = request;
	if (messages.at(-1)?.role !== 'tool') return undefined;
	const answered = messages.slice(messages.findLastIndex(({role}) => role === 'user') + 1);
	const calls = new Map(
		answered.flatMap(({toolCalls}) => toolCalls).map((call) => [call.id, call]),
	);
	const results = answered.filter(({role}) => role === 'tool');
	const lines = results.map(({toolCallId = '', text}) => {
		const {name = 'the tool', arguments: given = ''} = calls.get(toolCallId) ?? {};
		return `- \`${name}\` for \`${shorten(given, 200)}\`: ${shorten(text.trim(), 4_000)}`;
	});
	return `You wrote ${quote(instruction)}. The tools answered:\n\n${lines.join('\n')}`;
}

export function describeAttachments(prompt: Prompt): string | undefined {
	const {files, attached, attachments, instruction} = prompt;
	const lines = [
		...files.map(({name, text}) => `\`${name}\`: ${describeText(text)}`),
		...(attached === '' ? [] : [`Text: ${describeText(attached)}`]),
		...attachments.slice(0, maxDescribed).map(describeBytes),
	];
	if (lines.length === 0) return undefined;
	const asked = instruction === '' ? '' : `You wrote ${quote(instruction)}. `;
	return `${asked}I received:\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

/** `Image: PNG, 64 x 48 pixels, 156 bytes, fingerprint …` */
function describeBytes({kind, description, bytes}: Attachment): string {
	const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
	if (bytes === undefined) return `${name}: ${description}, which is not fetched`;
	const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
	return `${name}: ${description}, ${plural(bytes.length, 'byte')}, fingerprint ${digest}`;
}

function describeText(text: string): string {
	const sizes = [
		plural(countLines(text), 'line'),
		plural(countWords(text), 'word'),
		plural(Buffer.byteLength(text), 'byte'),
	];
	const start = /^\s*([^\n\r]{1,200})/.exec(text.slice(0, 2_000))?.[1] ?? '';
	return `${sizes.join(', ')}, fingerprint ${fingerprint(text)}, beginning with ${quote(start, 80)}`;
}
