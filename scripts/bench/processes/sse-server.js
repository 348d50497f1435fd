/**
 * The service of the benchmark, in its own process. It uses raw sockets, for low cost and an exact
 * rate. Prints its port.
 *
 * `POST /<kind>/<tokens>/<rate>/...` streams an answer. The rate is in tokens per second, one
 * HTTP chunk each; 0 means unlimited. Any other path gets `404`.
 */
import {createServer} from 'node:net';
import {createAnswer} from '../answers.js';

const head =
	'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n' +
	'Cache-Control: no-cache\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
const notFound = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
const common = {
	id: 'chatcmpl-bench0000000000000000000',
	object: 'chat.completion.chunk',
	created: 1_790_000_000,
	model: 'bench',
	system_fingerprint: 'fp_0000000000',
};

/** Bytes of a chunk at an unlimited rate, as a proxy would gather them. */
const gatheredBytes = 16 * 1024;

function frame(events) {
	return `${Buffer.byteLength(events).toString(16)}\r\n${events}\r\n`;
}

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

/** @param rate 0 gathers the events into large chunks */
function createFrames(kind, count, rate) {
	const events = createEvents(kind, count);
	const frames = (rate === 0 ? gather(events) : events).map(frame);
	frames.push(`${frames.pop()}0\r\n\r\n`);
	return frames;
}

const bodies = new Map();

function findFrames(kind, count, rate) {
	const key = `${kind} ${count} ${rate}`;
	if (!bodies.has(key)) bodies.set(key, createFrames(kind, count, rate));
	return bodies.get(key);
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

function answer(socket, request) {
	const match = /^POST \/(\w+)\/(\d+)\/(\d+)\//.exec(request);
	if (match === null) {
		socket.end(notFound);
		return;
	}
	const [kind, count, rate] = [match[1], Number(match[2]), Number(match[3])];
	const frames = findFrames(kind, count, rate);
	socket.write(head);
	if (rate === 0) socket.end(frames.join(''));
	else sendPaced(socket, frames, rate);
}

/** Answers once the request is complete, and reads only one request per connection. */
function serve(socket) {
	let received = '';
	let isAnswered = false;
	socket.on('error', () => socket.destroy());
	socket.on('data', (bytes) => {
		if (isAnswered) return;
		received += bytes.toString('latin1');
		const end = received.indexOf('\r\n\r\n');
		if (end === -1) return;
		const length = Number(/\r\ncontent-length: *(\d+)/i.exec(received)?.[1] ?? 0);
		if (received.length < end + 4 + length) return;
		isAnswered = true;
		answer(socket, received);
	});
}

const server = createServer({noDelay: true}, serve);
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
