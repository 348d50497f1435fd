/** Claude Code: a file for each conversation, whose records name the one before them. */
import {basename} from 'node:path';
import * as v from 'valibot';
import {writeDataUrl} from '../../data-url.ts';
import {isJsonObject, type JsonObject} from '../../json.ts';
import {anything, dateTime, fieldsOf, flag, link, listOf, plainText, text} from './fields.ts';
import {elements, sayPrompt} from './injected.ts';
import {type LogRecord, readLog, type Said} from './log-format.ts';

const recordFields = v.object({
	type: text,
	subtype: text,
	uuid: text,
	parentUuid: link,
	logicalParentUuid: link,
	sessionId: text,
	timestamp: dateTime,
	cwd: text,
	isMeta: flag,
	isSidechain: flag,
	isCompactSummary: flag,
	isApiErrorMessage: flag,
	message: fieldsOf({id: text, model: text, content: anything}),
	attachment: fieldsOf({type: text, prompt: anything, commandMode: text}),
	aiTitle: text,
	customTitle: text,
	summary: text,
});
type Fields = v.InferOutput<typeof recordFields>;

const blocksOf = v.parser(
	listOf({
		...{type: text, text, thinking: text, id: text, name: text, input: anything},
		...{tool_use_id: text, content: anything, is_error: flag},
		source: fieldsOf({media_type: text, data: text}),
	}),
);

export const claudeCodeFormat = readLog({
	name: 'claude-code',
	detect: ({type, message, leafUuid}) =>
		((type === 'user' || type === 'assistant') &&
			isJsonObject(message) &&
			message['parts'] === undefined) ||
		(type === 'summary' && typeof leafUuid === 'string'),
	read,
	nameFile: (path) => /^([\da-f]{8}-[\da-f-]{27})\.jsonl$/.exec(basename(path))?.[1],
});

function read(value: JsonObject): LogRecord {
	const fields = v.parse(recordFields, value);
	const {type, uuid: id, sessionId, timestamp: at, cwd, isSidechain, parentUuid} = fields;
	// Sub-agents used to be in the same file.
	if (isSidechain) return {said: parentUuid ? [] : [{type: 'left-out', what: 'sub-agent'}]};
	const {message, aiTitle, summary, customTitle} = fields;
	return {
		...{id, at, said: sayWhat(fields)},
		parent: id === '' ? undefined : (parentUuid ?? (fields.logicalParentUuid || parentUuid)),
		group: type === 'assistant' ? message.id : '',
		model: isSynthetic(fields) ? '' : message.model,
		about: {
			...{id: sessionId, cwd, created: at},
			title: customTitle || aiTitle || (type === 'summary' ? summary : ''),
			isChosen: customTitle !== '',
		},
	};
}

function sayWhat(fields: Fields): readonly Said[] {
	const {type, subtype, isMeta, isCompactSummary, message, attachment} = fields;
	switch (type) {
		case 'assistant':
			return isSynthetic(fields) ? [injectedText] : blocksIn(message.content).flatMap(sayBlock);
		case 'user':
			if (isMeta) return [injectedText];
			if (!isCompactSummary) return sayTyped(message.content);
			return [{type: 'summary', text: plainText(message.content)}];
		case 'attachment':
			if (attachment.commandMode === 'task-notification') return [injectedText];
			if (attachment.type === 'queued_command') return sayTyped(attachment.prompt);
			return attachment.type.startsWith('hook') ? [hook] : [];
		default:
			return subtype.includes('hook') ? [hook] : [];
	}
}

const injectedText = {type: 'left-out', what: 'injected text'} as const;
const hook = {type: 'left-out', what: 'hook'} as const;

/** Errors and remarks of the program, in the place of an answer. */
function isSynthetic({isApiErrorMessage, message}: Fields): boolean {
	return isApiErrorMessage || message.model === '<synthetic>';
}

function blocksIn(content: unknown): ReturnType<typeof blocksOf> {
	return blocksOf(typeof content === 'string' ? [{type: 'text', text: content}] : content);
}

const injected = [
	elements('ide_\\w+', 'local-command-\\w+', 'system-reminder', 'task-notification'),
	/^\s*(?:Caveat: The messages below were generated|\[Request interrupted)[\s\S]*/,
];

const command = /^\s*<command-(?:name|message)>/;

function sayTyped(content: unknown): readonly Said[] {
	const blocks = blocksIn(content);
	const texts = blocks.flatMap(({type, text: own}): readonly Said[] => {
		if (type !== 'text') return [];
		if (own.startsWith('Stop hook feedback:')) return [hook];
		if (!command.test(own)) return sayPrompt(own, injected);
		const [name, args] = ['name', 'args'].map((word) => {
			return new RegExp(`<command-${word}>([^<]*)`).exec(own)?.[1]?.trim() ?? '';
		});
		return [{type: 'prompt', text: `${name} ${args}`.trim(), isCommand: true}];
	});
	const images = blocks.flatMap(({type, source}) =>
		type === 'image' ? [writeDataUrl({mime: source.media_type, base64: source.data})] : [],
	);
	const results = blocks.filter(({type}) => type === 'tool_result').flatMap(sayBlock);
	return [
		...results,
		...texts,
		...(images.length === 0 ? [] : [{type: 'prompt', text: '', images} as const]),
	];
}

function sayBlock(block: ReturnType<typeof blocksOf>[number]): readonly Said[] {
	switch (block.type) {
		case 'text':
			return [{type: 'text', text: block.text}];
		case 'thinking':
			return [{type: 'reasoning', text: block.thinking}];
		case 'tool_use':
			return [{type: 'call', id: block.id, name: block.name, input: block.input}];
		case 'tool_result':
			return [
				{
					...{type: 'result', id: block.tool_use_id, isError: block.is_error},
					text: plainText(block.content),
				} as const,
			];
		default:
			return [];
	}
}
