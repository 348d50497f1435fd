import {PassThrough} from 'node:stream';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {chordOf, type KeyInput} from '../../../src/terminal/keys/key-input.ts';
import {createKeyReader} from '../../../src/terminal/keys/key-reader.ts';

const esc = '\u001b';

/** A terminal whose raw mode is a field. */
function createTerminal() {
	const seen: string[] = [];
	const terminal = {stream: new PassThrough(), isRaw: false, isGone: false, seen};
	const source = Object.assign(terminal.stream, {
		setRawMode(isRaw: boolean) {
			terminal.isRaw = isRaw;
		},
	});
	const reader = createKeyReader(source, {
		onKeys: (keys) => seen.push(...keys.map(describeKey)),
		onEnd: () => {
			terminal.isGone = true;
		},
	});
	return {...terminal, terminal, reader};
}

function describeKey(input: KeyInput): string {
	if (input.type === 'key') return `<${chordOf(input)}>`;
	return input.type === 'text' ? input.text : `{${input.text}}`;
}

/** Waits until the stream has handed on what was written to it. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a key reader', () => {
	beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']}));
	afterEach(() => void vi.useRealTimers());

	test('takes the terminal on start and releases it on stop', async () => {
		const {reader, stream, seen, terminal} = createTerminal();
		expect(reader.start()).toBe(`${esc}[?2004h${esc}[>4;1m${esc}[m${esc}[>5u`);
		expect(reader.start()).toBe('');
		expect(terminal.isRaw).toBe(true);
		stream.write('hello\r');
		await settle();
		expect(seen).toEqual(['hello', '<enter>']);
		expect(reader.stop()).toBe(`${esc}[<u${esc}[>4m${esc}[m${esc}[?2004l`);
		expect(reader.stop()).toBe('');
		expect(terminal.isRaw).toBe(false);
		expect(stream.isPaused()).toBe(true);
		expect(stream.listenerCount('data')).toBe(0);
		expect(stream.listenerCount('error')).toBe(0);
	});

	test('asks for reports of the focus only if somebody wants them', async () => {
		const stream = new PassThrough();
		const seen: string[] = [];
		const reader = createKeyReader(stream, {
			onKeys: (keys) => seen.push(...keys.map(describeKey)),
			onFocus: (isFocused) => seen.push(isFocused ? '(here)' : '(away)'),
		});
		expect(reader.start()).toBe(
			`${esc}[?2004h${esc}[>4;1m${esc}[m${esc}[>5u${esc}[?1004h${esc}7${esc}[?1004$p${esc}8${esc}[K`,
		);
		// The second reply is that of a terminal without such reports.
		stream.write(`${esc}[?1004;2$y${esc}[?1004;0$ya${esc}[Ob${esc}[Ic${esc}[`);
		stream.write('O');
		await settle();
		expect(seen).toEqual(['(here)', '(away)', '(here)', 'a', 'b', 'c', '(away)']);
		expect(reader.stop()).toBe(`${esc}[?1004l${esc}[<u${esc}[>4m${esc}[m${esc}[?2004l`);
	});

	test('ignores input while stopped, and drops an unfinished sequence', async () => {
		const {reader, stream, seen} = createTerminal();
		reader.start();
		stream.write(`${esc}[200~half`);
		await settle();
		reader.stop();
		expect(vi.getTimerCount()).toBe(0);
		reader.start();
		stream.write('x');
		await settle();
		expect(seen).toEqual(['x']);
	});

	test('delivers a lone ESC after its delay', async () => {
		const {reader, stream, seen} = createTerminal();
		reader.start();
		stream.write(esc);
		await settle();
		vi.advanceTimersByTime(49);
		await settle();
		expect(seen).toEqual([]);
		vi.advanceTimersByTime(1);
		await settle();
		expect(seen).toEqual(['<escape>']);
	});

	test.each(['end', 'error'])('reports a terminal that is gone: %s', async (event) => {
		const {reader, stream, terminal} = createTerminal();
		reader.start();
		stream.emit(event, new Error('EIO'));
		expect(terminal.isGone).toBe(true);
		expect(reader.stop()).toBe('');
	});
});
