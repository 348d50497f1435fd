/**
 * The service of the benchmark. It uses raw sockets, for low cost and an exact rate.
 *
 * `POST /<kind>/<tokens>/<rate>/...` streams an answer. The rate is in tokens per second, one
 * HTTP chunk each; 0 means unlimited. Any other request gets `404`.
 */
import {once} from 'node:events';
import {createServer} from 'node:net';
import {createAnswer} from './answers.js';

const head =
	'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n' +
	'Cache-Control: no-cache\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
const notFound = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
const posted =
	/^POST \/(\w+)\/(\d+)\/(\d+)\/.*?\r\ncontent-length: *(\d+)\r\n(?:\r\n|.*?\r\n\r\n)/is;
const common = {
	id: 'chatcmpl-bench0000000000000000000',
	object: 'chat.completion.chunk',
	created: 1_790_000_000,
	model: 'bench',
	system_fingerprint: 'fp_0000000000',
};

/** Bytes of a chunk at an unlimited rate, as a proxy would gather them. */
const gatheredBytes = 16 * 1024;

function writeEvent(delta, finishReason) {
	const choice = {index: 0, delta, logprobs: null, finish_reason: finishReason};
	return `data: ${JSON.stringify({...common, choices: [choice]})}\n\n`;
}

function createEvents(kind, count) {
	return [
		writeEvent({role: 'assistant', content: ''}, null),
		...createAnswer(kind, count).map((content) => writeEvent({content}, null)),
		`${writeEvent({}, 'stop')}data: [DONE]\n\n`,
	];
}

function gather(events) {
	const gathered = [''];
	for (const event of events) {
		if (gathered.at(-1).length > gatheredBytes) gathered.push('');
		gathered.push(gathered.pop() + event);
	}
	return gathered;
}

/** Returns HTTP chunks; a rate of 0 gathers the events into large ones. */
function createFrames(kind, count, rate) {
	const events = createEvents(kind, count);
	const frames = (rate === 0 ? gather(events) : events).map(
		(text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`,
	);
	frames.push(`${frames.pop()}0\r\n\r\n`);
	return rate === 0 ? [frames.join('')] : frames;
}

const answers = new Map();

function findFrames(kind, count, rate) {
	const key = `${kind} ${count} ${rate}`;
	if (!answers.has(key)) answers.set(key, createFrames(kind, count, rate));
	return answers.get(key);
}

/** Late frames are sent at once, so the rate does not depend on the precision of timers. */
function sendPaced(socket, frames, rate) {
	const start = performance.now();
	let sent = 0;
	const send = () => {
		const due = Math.floor(((performance.now() - start) / 1000) * rate) + 1;
		while (sent < Math.min(due, frames.length)) socket.write(frames[sent++]);
		if (sent === frames.length) socket.end();
		else if (!socket.destroyed) setTimeout(send, start + (sent / rate) * 1000 - performance.now());
	};
	send();
}

/** Answers once the request is complete, and reads only one request per connection. */
function serve(socket) {
	let received = '';
	socket.on('error', () => socket.destroy());
	socket.on('data', function read(bytes) {
		received += bytes.toString('latin1');
		const [start, kind, tokens, rate, length] = posted.exec(received) ?? [];
		const isAnswered = start !== undefined && received.length >= start.length + Number(length);
		if (!isAnswered && received.startsWith('POST /')) return;
		socket.off('data', read);
		if (!isAnswered) return socket.end(notFound);
		socket.write(head);
		sendPaced(socket, findFrames(kind, Number(tokens), Number(rate)), Number(rate));
	});
}

/** The caller closes it. */
export async function startService() {
	const server = createServer({noDelay: true}, serve).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const origin = `http://127.0.0.1:${server.address().port}`;
	return {
		/** The base URL for an answer. The rate is in tokens per second; 0 means unlimited. */
		baseUrl: ({kind, tokens, rate}) => `${origin}/${kind}/${tokens}/${rate}/v1`,
		close: () => server.close(),
	};
}
