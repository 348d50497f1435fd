/** Content as Google's interface has it, which the programs built on it save. */
import * as v from 'valibot';
import {writeDataUrl} from '../../data-url.ts';
import {isJsonObject} from '../../json.ts';
import {anything, fieldsOf, flag, listOf, plainText, text} from './fields.ts';
import {sayPrompt} from './injected.ts';
import type {Said} from './log-format.ts';
import type {ForeignResult} from './tool-text.ts';

const partsOf = v.parser(
	listOf({
		...{text, thought: flag},
		inlineData: fieldsOf({mimeType: text, data: text}),
		functionCall: fieldsOf({id: text, name: text, args: anything}),
		functionResponse: fieldsOf({id: text, name: text, response: anything}),
	}),
);
type Part = ReturnType<typeof partsOf>[number];

/** @param content a text, a part, or a list of them */
function readParts(content: unknown): readonly Part[] {
	const list = Array.isArray(content) ? content : [content];
	return partsOf(list.map((one) => (typeof one === 'string' ? {text: one} : one)));
}

export function sayUserParts(content: unknown, injected: readonly RegExp[]): readonly Said[] {
	const parts = readParts(content);
	const images = parts.flatMap(({inlineData: {mimeType, data}}) =>
		data === '' ? [] : [writeDataUrl({mime: mimeType, base64: data})],
	);
	const texts = parts.filter(({thought}) => !thought).map((part) => part.text);
	return [
		...parts.flatMap(sayResult),
		...texts.flatMap((one) => (one === '' ? [] : sayPrompt(one, injected))),
		...(images.length === 0 ? [] : [{type: 'prompt', text: '', images} as const]),
	];
}

export function sayModelParts(content: unknown): readonly Said[] {
	const texts = new Map<'text' | 'reasoning', string>();
	const parts = readParts(content);
	for (const {thought, text: own} of parts) {
		const type = thought ? 'reasoning' : 'text';
		texts.set(type, (texts.get(type) ?? '') + own);
	}
	const calls = parts.flatMap(({functionCall: {id, name, args}}): readonly Said[] =>
		name === '' ? [] : [{type: 'call', id, name, input: args}],
	);
	return [...[...texts].map(([type, own]) => ({type, text: own})), ...calls];
}

function sayResult({functionResponse: {id, name, response}}: Part): readonly Said[] {
	return name === '' ? [] : [{type: 'result', id, ...readResponse(response)}];
}

/** A call's response has its text in `output`, or in `error`. */
export function readResponse(response: unknown): ForeignResult {
	const error = isJsonObject(response) ? plainText(response['error']) : '';
	return {text: error || plainText(response), isError: error !== ''};
}
