/**
 * Bytes of a terminal to keys. No input and output, no timers: whoever feeds it also calls `flush`
 * after the pause it asks for.
 */
import {keyOfControl} from './character-keys.ts';
import type {KeyInput} from './key-input.ts';
import {createKeyParser} from './key-parser.ts';

export interface KeyDecoder {
	/**
	 * Decodes the next bytes. How input is cut into chunks does not change the keys (a run of text
	 * may come in several pieces), but for one rule: a chunk that is the byte 3 alone, which a
	 * person pressed, ends a paste and is Ctrl-C. Invalid UTF-8 becomes U+FFFD.
	 */
	push(chunk: Uint8Array): readonly KeyInput[];
	/**
	 * Milliseconds without bytes after which `flush` is to be called: 50 for a lone ESC, 1000 for an
	 * unfinished sequence or paste. `undefined` when nothing waits.
	 */
	readonly flushDelayMs: number | undefined;
	/** Ends what waits for more bytes: ESC becomes a key, a paste is delivered unfinished. */
	flush(): readonly KeyInput[];
}

const interruptCode = 0x03;
const lineEnd = /[\r\n]/;

export function createKeyDecoder(): KeyDecoder {
	const parser = createKeyParser();
	const utf8 = new TextDecoder('utf-8', {ignoreBOM: true});
	let isPasteLapsed = false;

	const flush = (): readonly KeyInput[] => {
		const inputs: KeyInput[] = [];
		const emit = (input: KeyInput) => inputs.push(input);
		if (parser.isPasting) {
			parser.read(utf8.decode(), emit);
			isPasteLapsed = true;
		}
		parser.flush(emit);
		return inputs;
	};

	// A paste that stalled for too long over a slow line must not go on as typed keys, whose Enter
	// would send it. A person's next key comes alone, which ends the suspicion.
	const resumeLapsedPaste = (text: string) => {
		if (text.length > 1 && !lineEnd.test(text)) return;
		isPasteLapsed = false;
		if (text.length > 1 && !text.startsWith('\u001b')) parser.beginPaste();
	};

	return {
		get flushDelayMs() {
			return parser.flushDelayMs;
		},
		push(chunk) {
			if (parser.isPasting && chunk.length === 1 && chunk[0] === interruptCode) {
				return [...flush(), keyOfControl(interruptCode)];
			}
			const inputs: KeyInput[] = [];
			const text = utf8.decode(chunk, {stream: true});
			if (isPasteLapsed && text !== '') resumeLapsedPaste(text);
			parser.read(text, (input) => inputs.push(input));
			return inputs;
		},
		flush,
	};
}
