/**
 * Decodes one reply again and again, in turns with the least that anybody could do with its bytes.
 * Prints the times in milliseconds.
 *
 * `node decode-reply.js line|events <rounds>`
 */
import {createReplyDecoder} from '../../../src/protocol/decode-reply.ts';

const readSize = 64 * 1024;

function encode(content, finishReason = null) {
	const choice = {index: 0, delta: {content}, finish_reason: finishReason};
	return `data: ${JSON.stringify({id: 'chatcmpl-1', model: 'm', choices: [choice]})}\n\n`;
}

const end = `${encode('', 'stop')}data: [DONE]\n\n`;

const replies = {
	line: () => encode('x'.repeat(64 * 1024 * 1024)) + end,
	events: () => encode('word ').repeat(1_000_000) + end,
};

function decode(bytes) {
	const context = {
		url: new URL('http://127.0.0.1/v1/chat/completions'),
		model: 'm',
		keySource: undefined,
		isModelChosen: true,
	};
	const decoder = createReplyDecoder(context, 1);
	let length = 0;
	const count = ({events, error}) => {
		if (error !== undefined) throw error;
		for (const event of events) if (event.type === 'text-delta') length += event.text.length;
	};
	for (let start = 0; start < bytes.length; start += readSize) {
		count(decoder.push(bytes.subarray(start, start + readSize)));
	}
	count(decoder.end({isAttested: true, failure: undefined}));
	return length;
}

function splitAndParse(bytes) {
	let length = 0;
	for (const event of bytes.toString().split('\n\n')) {
		if (!event.startsWith('data: {')) continue;
		length += JSON.parse(event.slice(6)).choices[0].delta.content.length;
	}
	return length;
}

function measure(run, bytes) {
	const from = performance.now();
	const length = run(bytes);
	return {ms: performance.now() - from, length};
}

const [kind, rounds] = process.argv.slice(2);
const bytes = Buffer.from(replies[kind]());
const times = {decoder: [], plain: []};
for (let round = 0; round < Number(rounds); round++) {
	const mine = measure(decode, bytes);
	const plain = measure(splitAndParse, bytes);
	if (mine.length !== plain.length) throw new Error(`${mine.length} is not ${plain.length}`);
	times.decoder.push(mine.ms);
	times.plain.push(plain.ms);
}
console.log(JSON.stringify(times));
