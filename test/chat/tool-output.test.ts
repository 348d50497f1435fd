/** The results of tools are sent within limits, whatever their source. */
import {describe, expect, it} from 'vitest';
import type {ToolOutputPart} from '../../src/chat/message.ts';
import {limitOutput, outputText} from '../../src/chat/tool-output.ts';

const text = (value: string): ToolOutputPart => ({type: 'text', text: value});
const image = (url: string): ToolOutputPart => ({type: 'image', url});
const png = image('data:image/png;base64,iVBORw0KGgo=');
const limit = (...parts: readonly ToolOutputPart[]) => limitOutput({parts, isError: false}).parts;

it('the text of an output has every part, and names images by type and size', () => {
	const parts = [text('Here:'), png, {type: 'json', value: {ok: [1]}}] as const;
	expect(outputText({parts})).toBe('Here:\n[image/png, 8 bytes]\n{"ok":[1]}');
});

describe('an output', () => {
	it('within the limits stays as it is', () => {
		const parts = [text('a'.repeat(70_000)), png, text('b')];
		expect(limit(...parts)).toEqual(parts);
	});

	it('that is too long keeps its beginning and its end, and all images', () => {
		const json: ToolOutputPart = {type: 'json', value: 'x'.repeat(1_000_000)};
		const parts = limit(text('first'), png, json, text('last'));
		expect(parts).toHaveLength(2);
		expect(parts[1]).toEqual(png);
		const [kept] = parts;
		const shown = kept?.type === 'text' ? kept.text : '';
		expect(shown).toMatch(/^first\n\[image\/png, 8 bytes\]\n"x/);
		expect(shown).toMatch(/\n\[… \d+ characters omitted …\]\n/);
		expect(shown).toMatch(/x"\nlast$/);
		expect(shown.length).toBeLessThan(73_728);
	});

	it('that is cut within a character loses the character', () => {
		for (const start of ['', 'a']) {
			const [kept] = limit(text(start + '🙂'.repeat(100_000)));
			const shown = kept?.type === 'text' ? kept.text : '';
			expect(Buffer.from(shown).toString('utf8')).toBe(shown);
		}
	});

	it('names an image that services do not accept, or that is too large', () => {
		const huge = image(`data:image/png;base64,${'A'.repeat(30_000_000)}`);
		const unsupported = [image('https://example.com/a.png'), image('data:image/svg+xml,x')];
		const small = image('data:image/png;base64,iVBORw0KGgo=');
		const parts = limit(...unsupported, huge, small);
		expect(parts).toEqual([
			text('[an image of an unsupported type], left out'),
			text('[an image of an unsupported type], left out'),
			text('[image/png, 22500000 bytes], left out'),
			small,
		]);
	});
});
