/** Reads short reply bodies, such as errors, within limits of size and time. */
import type {HttpReply} from './transport.ts';

const maxLength = 1024 * 1024;
const maxWaitMs = 10_000;

/** Returns as much of the body as the limits allow. */
export async function readText(reply: HttpReply): Promise<string> {
	const timer = setTimeout(() => reply.close(), maxWaitMs);
	const utf8 = new TextDecoder();
	let text = '';
	try {
		for (;;) {
			const chunks = await reply.read();
			if (chunks === undefined || text.length > maxLength) return text;
			for (const chunk of chunks) text += utf8.decode(chunk, {stream: true});
		}
	} finally {
		clearTimeout(timer);
	}
}
