/**
 * A service with scripted replies, whose pieces a test can hold back. It records the requests.
 */
import {createServer, type ServerResponse} from 'node:http';
import {json} from 'node:stream/consumers';
import {listen} from './listen.ts';

export type ScriptedReply =
	| readonly ScriptedPiece[]
	/** Refuses with this status and message. */
	| {readonly status: number; readonly message: string};

export type ScriptedPiece =
	| {readonly reasoning: string}
	| {readonly text: string}
	/** A whole call in one chunk. */
	| {readonly call: {readonly id: string; readonly name: string; readonly arguments: string}}
	/** Holds back the rest until the gate opens. */
	| {readonly gate: Gate}
	/** Ends the answer for this reason. */
	| {readonly finish: string}
	/** Ends the connection in the middle of the stream. */
	| {readonly isCut: true};

export interface Gate {
	open(): void;
	readonly opened: Promise<void>;
}

export function createGate(): Gate {
	let open = () => {};
	const opened = new Promise<void>((resolve) => {
		open = resolve;
	});
	return {open: () => open(), opened};
}

export type MessageJson = {readonly role: string; readonly content: unknown};

export type WireBody = {
	readonly model: string;
	readonly messages: readonly MessageJson[];
	readonly [field: string]: unknown;
};

export type ScriptedService = {
	/** Environment variables that select it. */
	readonly env: {readonly CHAT_BASE_URL: string};
	/** The bodies of the requests so far; the list grows. */
	readonly bodies: readonly WireBody[];
	/** The number of requests that were aborted before the end of their reply. */
	readonly abandoned: () => number;
};

/** Text for a reply of one piece. */
export function say(text: string): readonly ScriptedPiece[] {
	return [{text}];
}

/**
 * Starts a service whose i-th request gets the i-th reply; the last one repeats. It stops with the
 * test.
 */
export async function startScripted(
	...replies: readonly ScriptedReply[]
): Promise<ScriptedService> {
	const bodies: WireBody[] = [];
	let abandoned = 0;
	const server = createServer((request, response) => {
		// The services of the specification have no list of models.
		if (request.method === 'GET') {
			response.writeHead(404).end();
			return;
		}
		response.once('close', () => {
			if (!response.writableFinished) abandoned += 1;
		});
		void (json(request) as Promise<WireBody>).then((body) => {
			const reply = replies[bodies.push(body) - 1] ?? replies.at(-1) ?? [];
			return answer(reply, body, response);
		});
	});
	return {
		env: {CHAT_BASE_URL: `http://127.0.0.1:${await listen(server)}`},
		bodies,
		abandoned: () => abandoned,
	};
}

async function answer(
	reply: ScriptedReply,
	{model}: WireBody,
	response: ServerResponse,
): Promise<void> {
	if ('status' in reply) {
		response.writeHead(reply.status, {'content-type': 'application/json'});
		response.end(JSON.stringify({error: {message: reply.message, type: 'scripted_error'}}));
		return;
	}
	response.writeHead(200, {'content-type': 'text/event-stream'});
	response.flushHeaders();
	let written = Promise.resolve();
	let calls = 0;
	let finish: string | undefined;
	const send = async (delta: object, finishReason: string | null = null) => {
		const choices = [{index: 0, delta, finish_reason: finishReason}];
		const chunk = {id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices};
		let isRoomLeft = true;
		written = new Promise((resolve) => {
			isRoomLeft = response.write(`data: ${JSON.stringify(chunk)}\n\n`, () => resolve());
		});
		if (!isRoomLeft) await written;
	};
	for (const piece of reply) {
		if (response.destroyed) return;
		if ('gate' in piece) {
			await piece.gate.opened;
		} else if ('isCut' in piece) {
			// Earlier writes must arrive whole.
			await written;
			response.destroy();
			return;
		} else if ('finish' in piece) {
			finish = piece.finish;
		} else if ('text' in piece) {
			await send({content: piece.text});
		} else if ('call' in piece) {
			const {id, ...called} = piece.call;
			await send({tool_calls: [{index: calls++, id, type: 'function', function: called}]});
		} else {
			await send({reasoning_content: piece.reasoning});
		}
	}
	await send({}, finish ?? (calls > 0 ? 'tool_calls' : 'stop'));
	response.end('data: [DONE]\n\n');
}
