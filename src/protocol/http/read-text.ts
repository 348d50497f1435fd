/** A short reply body as text, within bounds of size and time. */
import type {Reply} from './transport.ts';

const maxErrorBytes = 1024 * 1024;
const maxErrorWaitMs = 10_000;

/** Reads as much of an error body as the limits of size and time allow. */
export async function readText(reply: Reply): Promise<string> {
	const timer = setTimeout(() => reply.close(), maxErrorWaitMs);
	const utf8 = new TextDecoder();
	let text = '';
	try {
		for (;;) {
			const chunks = await reply.read();
			if (chunks === undefined || text.length > maxErrorBytes) return text;
			for (const chunk of chunks) text += utf8.decode(chunk, {stream: true});
		}
	} finally {
		clearTimeout(timer);
	}
}
