/**
 * Decodes the bytes of a terminal into keys, without I/O or timers: the caller also calls `flush`
 * after `flushDelayMs`.
 */
import {keyOfControl} from './character-keys.ts';
import type {KeyInput} from './key-input.ts';
import {createKeyParser} from './key-parser.ts';

export interface KeyDecoder {
	/**
	 * Decodes the next bytes. Cuts between chunks do not change the keys, except that text may
	 * arrive in pieces, and a chunk of the byte 3 alone is a Ctrl-C that ends a paste. Invalid
	 * UTF-8 becomes U+FFFD.
	 */
	push(chunk: Uint8Array): readonly KeyInput[];
	/**
	 * Milliseconds without bytes after which `flush` is due: 50 for a lone ESC, 1000 for an
	 * unfinished sequence or paste, `undefined` if nothing is pending.
	 */
	readonly flushDelayMs: number | undefined;
	/** Ends pending input: ESC becomes a key, a paste is delivered unfinished. */
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

	// The rest of a paste that stalled on a slow line must not become keys, because its line ends
	// would send it. A person's next key arrives alone.
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
