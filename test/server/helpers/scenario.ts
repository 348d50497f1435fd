/** A service that plays a scenario, and a client of bare sockets that sees how its replies end. */
import {connect, type Socket} from 'node:net';
import {onTestFinished} from 'vitest';
import {parseScenario} from '../../../src/server/scenario/parse-scenario.ts';
import type {RunningServer, ServerOptions} from '../../../src/server/server.ts';
import {type Body, bodyOf, serve, until} from './service.ts';

/** A service that plays this YAML until the test is over. */
export async function play(
	yaml: string,
	options: Partial<ServerOptions> = {},
): Promise<RunningServer> {
	const scenario = await parseScenario(yaml, 'scenario.yaml');
	return await serve({scenario, ...options});
}

/** A service whose every reply has this fault; the reply is `one two three`, unless faults hold one. */
export function playFault(fault: string, options: Partial<ServerOptions> = {}) {
	const reply = /^\s*(status|close_before_head):/m.test(fault) ? '' : '    reply: one two three\n';
	const lines = fault.replace(/^/gm, '      ');
	return play(`replies:\n  - times: 1000\n${reply}    fault:\n${lines}`, options);
}

export type RawReply = {
	/** The status line and the headers, once they are there. */
	head(): string;
	/** The bytes after the head, taken out of their HTTP chunks. */
	body(): Buffer;
	/** Whether the body has ended by the rules of HTTP. */
	isWhole(): boolean;
	/** How the connection ended; undefined while it is open. */
	ending(): 'fin' | 'reset' | undefined;
	/** Leaves. */
	close(): void;
};

/** Sends one streamed request over a socket of its own, and collects what comes. */
export function openRaw(port: number, extra: Body = {stream: true}): RawReply {
	const socket = connect(port, '127.0.0.1');
	onTestFinished(() => {
		socket.destroy();
	});
	const received: Buffer[] = [];
	let ending: 'fin' | 'reset' | undefined;
	socket.on('data', (bytes: Buffer) => received.push(bytes));
	socket.on('end', () => {
		ending ??= 'fin';
	});
	socket.on('error', () => {
		ending ??= 'reset';
	});
	sendRequest(socket, JSON.stringify(bodyOf('hello', extra)));
	const split = () => {
		const bytes = Buffer.concat(received);
		const headEnd = bytes.indexOf('\r\n\r\n');
		if (headEnd < 0) return {head: '', rest: Buffer.alloc(0)};
		return {head: bytes.subarray(0, headEnd).toString(), rest: bytes.subarray(headEnd + 4)};
	};
	const readBody = () => {
		const {head, rest} = split();
		if (/transfer-encoding: chunked/i.test(head)) return readChunks(rest);
		const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
		return {bytes: rest, isWhole: rest.length === length};
	};
	return {
		head: () => split().head,
		body: () => readBody().bytes,
		isWhole: () => readBody().isWhole,
		ending: () => ending,
		close: () => socket.destroy(),
	};
}

/** The reply, once it or its connection has ended. */
export async function readRaw(port: number, extra?: Body): Promise<RawReply> {
	const reply = openRaw(port, extra);
	await until(() => reply.ending() !== undefined || reply.isWhole());
	return reply;
}

/** The whole events of a stream, without their blank lines. */
export function eventsOf(reply: RawReply): readonly string[] {
	return reply.body().toString().split('\n\n').slice(0, -1);
}

function sendRequest(socket: Socket, body: string): void {
	const head = [
		'POST /v1/chat/completions HTTP/1.1',
		'host: localhost',
		'content-type: application/json',
		`content-length: ${Buffer.byteLength(body)}`,
	];
	socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function readChunks(bytes: Buffer): {bytes: Buffer; isWhole: boolean} {
	const pieces: Buffer[] = [];
	for (let at = 0; ; ) {
		const lineEnd = bytes.indexOf('\r\n', at);
		const size = Number.parseInt(bytes.subarray(at, Math.max(lineEnd, at)).toString(), 16);
		if (lineEnd < 0 || size === 0 || Number.isNaN(size)) {
			return {bytes: Buffer.concat(pieces), isWhole: lineEnd >= 0 && size === 0};
		}
		pieces.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
		at = lineEnd + 2 + size + 2;
	}
}
