/** Decodes terminal bytes into keys, without I/O or timers. */
// biome-ignore-all lint/suspicious/noControlCharactersInRegex: keys are control characters.
import {stripVTControlCharacters} from 'node:util';
import {dropControls} from '../control-sequences.ts';
import {altKey, decodeSequence, keyOfControl} from './decode-sequence.ts';
import {createKey, type KeyInput} from './key-input.ts';

export interface KeyDecoder {
	/**
	 * Decodes the next bytes. Cuts between chunks do not change the keys, except that text may
	 * arrive in pieces, and a chunk holding only the byte 3 is a Ctrl-C ending a paste. Invalid
	 * UTF-8 becomes U+FFFD, unless it is an 8-bit control in a single byte.
	 */
	push(chunk: Uint8Array): readonly KeyInput[];
	/**
	 * Milliseconds without bytes after which `flush` is due: 50 if a key may be complete, 1000 if
	 * only a sequence or paste can go on, `undefined` if nothing is pending.
	 */
	readonly flushDelayMs: number | undefined;
	/** Ends pending input: ESC becomes a key, a paste is delivered unfinished. */
	flush(): readonly KeyInput[];
}

type Inputs = readonly (KeyInput | undefined)[];

const escapeKey = createKey('escape');

/**
 * Input forms; the first match applies. Every text matches one, so no input blocks the keys.
 * Sequences and strings have a maximum length.
 */
const forms: ReadonlyArray<readonly [pattern: RegExp, read: (match: RegExpExecArray) => Inputs]> = [
	[/^[^\p{Cc}]+/u, ([text]) => [{type: 'text', text}]],
	// The X10 mouse: a button and a place as characters, which no control cuts short.
	[
		/^(?:\u001b(\u001b?)\[|\u009b)M[\0\u0020-\u{10ffff}]{0,3}/u,
		([, doubled]) => (doubled ? [escapeKey] : []),
	],
	// CSI and SS3; `ESC [ [` comes from the Linux console.
	[/^(?:\u001b(\u001b?)\[|\u009b)(\[?[ -?]{0,256}[@-Z\\-~])/, readSequence],
	[/^(?:\u001b(\u001b?)O|\u008f)([\d;]{0,256}[@-~])/, readSequence],
	// A string, in which a terminal answers.
	[
		/^(?:\u001b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\0-\x1f\x7f\x9c]{0,4096}(?:\u0007|\u001b\\|\u009c)/u,
		() => [],
	],
	// Sequences and strings broken off; an empty one is Alt with its first character.
	[/^\u001b(\[)(\[?[ -?]{0,256})/, readBroken],
	[/^\u001b(O)([\d;]{0,256})/, readBroken],
	[/^\u001b([\]PX^_])([^\0-\x1f\x7f\x9c]{0,4096})/u, readBroken],
	[/^\u009b\[?[ -?]{0,256}/, () => []],
	[/^\u008f[\d;]{0,256}/, () => []],
	[/^[\x90\x98\x9d-\x9f][^\0-\x1f\x7f\x9c]{0,4096}/u, () => []],
	// Ctrl-C is Ctrl-C after any key.
	[/^\u001b([^\u0003\u001b\x80-\x9f])/u, ([, character = '']) => [altKey(character)]],
	[/^[\0-\x1f\x7f]/, ([character]) => [keyOfControl(character)]],
	// No key sends these controls.
	[/^[\x80-\x9f]/, () => []],
];

/** Input possibly completed by more input. */
const unfinished =
	/^(?:(?:\u001b\u001b?\[|\u009b)(?:\[?[ -?]{0,256}|M[\0\u0020-\u{10ffff}]{0,2})|(?:\u001b\u001b?O|\u008f)[\d;]{0,256}|\u001b\u001b?|(?:\u001b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\0-\x1f\x7f\x9c]{0,4096}\u001b?)$/u;
/** Unfinished input, possibly a key. */
const pendingKey = /^\u001b+[\]PX^_]?$/;

/** rxvt and Terminal.app encode Alt as ESC before a key's sequence. */
function readSequence([, doubled = '', body = '']: RegExpExecArray): Inputs {
	const input = decodeSequence(body);
	if (doubled === '') return [input];
	const isBareKey = input?.type === 'key' && !(input.ctrl || input.alt || input.shift);
	return isBareKey ? [{...input, alt: true}] : [escapeKey, input];
}

function readBroken([, introducer = '', body]: RegExpExecArray): Inputs {
	return body === '' ? [altKey(introducer)] : [];
}

const pasteStart = /^(?:(\u001b?)(\u001b\[)|(\u009b))200~/;
const interruptByte = 3;

/** A focus change, or the terminal's answer to the focus query: the user has just been there. */
const focusReport = /^(?:\u001b\[|\u009b)(?:(?<lost>O)|I|\?1004;[123]\$y)/;

/** The terminal's report of the cursor position, counted from 1. */
const positionReport = /^(?:\u001b\[|\u009b)(\d+);(\d+)R/;

/** Receives terminal reports. */
export type ReportHandlers = {
	/** The window has got or lost the focus. */
	readonly onFocus?: ((isFocused: boolean) => void) | undefined;
	/** The cursor position, counted from 0. */
	readonly onPosition?: ((position: {readonly x: number; readonly y: number}) => void) | undefined;
};

export function createKeyDecoder({onFocus, onPosition}: ReportHandlers = {}): KeyDecoder {
	const utf8 = new TextDecoder('utf-8', {ignoreBOM: true});
	const widen = createControlWidener();
	/** Undecoded input; in a paste, the possible start of its end. */
	let pending = '';
	let paste: string[] | undefined;
	let pasteEnd = '';
	let isPasteLapsed = false;

	const endPaste = (rest: string): KeyInput => {
		const text = [...(paste ?? []), rest].join('');
		paste = undefined;
		return {type: 'paste', text: dropControls(stripVTControlCharacters(text))};
	};
	const readPaste = (pieces: string[]): Inputs | undefined => {
		const end = pending.indexOf(pasteEnd);
		const keptEnd = end === -1 ? Math.max(0, pending.length - pasteEnd.length + 1) : end;
		const text = pending.slice(0, keptEnd);
		pending = pending.slice(end === -1 ? keptEnd : end + pasteEnd.length);
		if (end !== -1) return [endPaste(text)];
		pieces.push(text);
		return undefined;
	};
	/** Leaves the reports in the input, in which they are not keys. */
	const readReports = () => {
		const focus = onFocus && focusReport.exec(pending);
		if (focus) onFocus(focus.groups?.['lost'] === undefined);
		const position = onPosition && positionReport.exec(pending);
		if (position) onPosition({x: Number(position[2]) - 1, y: Number(position[1]) - 1});
	};
	const readKeys = (): Inputs => {
		const start = pasteStart.exec(pending);
		if (start !== null) {
			pending = pending.slice(start[0].length);
			paste = [];
			const [, doubled = '', introducer = '', short = introducer] = start;
			pasteEnd = `${short}201~`;
			return doubled === '' ? [] : [escapeKey];
		}
		readReports();
		for (const [pattern, read] of forms) {
			const match = pattern.exec(pending);
			if (match === null) continue;
			pending = pending.slice(match[0].length);
			return read(match);
		}
		return [];
	};
	/** Reads one piece of pending input; `undefined` if it needs more. */
	const readNext = (isFlush: boolean): Inputs | undefined => {
		if (paste !== undefined) return readPaste(paste);
		return !isFlush && unfinished.test(pending) ? undefined : readKeys();
	};
	const readAll = (isFlush = false): readonly KeyInput[] => {
		const inputs: KeyInput[] = [];
		while (pending !== '') {
			const read = readNext(isFlush);
			if (read === undefined) break;
			for (const input of read) if (input !== undefined) inputs.push(input);
		}
		return inputs;
	};

	// The rest of a paste that stalled on a slow line must not become keys, because its line ends
	// would send it. A person's next key arrives alone.
	const resumeLapsedPaste = (text: string) => {
		if (text.length > 1 && !/[\r\n]/.test(text)) return;
		isPasteLapsed = false;
		if (text.length > 1 && !text.startsWith('\u001b')) paste = [];
	};
	const flush = (): readonly KeyInput[] => {
		if (paste === undefined) return readAll(true);
		const rest = pending + utf8.decode();
		pending = '';
		isPasteLapsed = true;
		return [endPaste(rest)];
	};

	return {
		get flushDelayMs() {
			if (paste !== undefined) return 1000;
			if (pending === '') return undefined;
			return pendingKey.test(pending) ? 50 : 1000;
		},
		push(chunk) {
			if (paste !== undefined && chunk.length === 1 && chunk[0] === interruptByte) {
				return [...flush(), keyOfControl('\u0003')];
			}
			const text = utf8.decode(widen(chunk), {stream: true});
			if (isPasteLapsed && text !== '') resumeLapsedPaste(text);
			pending += text;
			return readAll();
		},
		flush,
	};
}

/** Returns a function encoding 8-bit controls in UTF-8, as some terminals do not. */
function createControlWidener(): (chunk: Uint8Array) => Uint8Array {
	/** Bytes the open character still needs. */
	let open = 0;
	return (chunk) => {
		const wide: number[] = [];
		for (const byte of chunk) {
			const isContinuation = byte >= 0x80 && byte < 0xc0;
			if (isContinuation && open === 0 && byte < 0xa0) wide.push(0xc2);
			wide.push(byte);
			open = isContinuation ? Math.max(0, open - 1) : continuationsOf(byte);
		}
		return wide.length === chunk.length ? chunk : Uint8Array.from(wide);
	};
}

function continuationsOf(lead: number): number {
	if (lead < 0xc2 || lead > 0xf4) return 0;
	if (lead < 0xe0) return 1;
	return lead < 0xf0 ? 2 : 3;
}
