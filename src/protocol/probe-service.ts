/** Asks an address, quickly and without a key, whether a service answers there. */
import {parseJson} from '../json.ts';
import {type HttpReply, send} from './http/transport.ts';
import type {Wire} from './wire.ts';

const maxBytes = 65_536;

/**
 * Returns the names of its models; none if nothing answers within the limit, or another program.
 *
 * @throws the signal's reason when it is aborted
 */
export async function probeService(
	wire: Wire,
	limitMs: number,
	signal: AbortSignal,
): Promise<readonly string[]> {
	const limit = AbortSignal.timeout(limitMs);
	const get = async (url: URL) => {
		const reply = await send({
			method: 'GET',
			url,
			headers: {accept: 'application/json', 'user-agent': 'chat-completions-cli'},
			body: '',
			limits: {connectMs: limitMs, idleMs: limitMs, payloadMs: limitMs, finishGraceMs: limitMs},
			isStreaming: false,
			signal: AbortSignal.any([limit, signal]),
		});
		const text = reply.head.status === 200 ? await readLimited(reply) : '';
		reply.close();
		return parseJson(text) ?? null;
	};
	try {
		return await wire.listModels(get);
	} catch {
		signal.throwIfAborted();
		return [];
	}
}

/** Returns nothing of a text that is too large. */
async function readLimited(reply: HttpReply): Promise<string> {
	const utf8 = new TextDecoder();
	let text = '';
	for (;;) {
		const chunks = await reply.read();
		if (chunks === undefined) return text;
		for (const chunk of chunks) text += utf8.decode(chunk, {stream: true});
		if (text.length > maxBytes) return '';
	}
}
