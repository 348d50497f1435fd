/** The HTML of a conversation: one file that runs nothing, fetches nothing and hides nothing. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Turn} from '../../../src/chat/conversation.ts';
import type {AssistantPart} from '../../../src/chat/message.ts';
import {writeHtml} from '../../../src/sessions/export/write-html.ts';
import {costOf, expectCost, expectLinearCost} from '../../helpers/cost.ts';
import {fuzzProperty} from '../../helpers/fuzz.ts';
import {anyConversation, anyText} from '../any-conversation.ts';

const png = 'data:image/png;base64,iVBORw0KGgo=';

function turnOf(text: string, ...parts: readonly AssistantPart[]): Turn {
	return {
		id: 'one',
		model: 'm',
		prompt: {text, attachments: []},
		messages: [{role: 'assistant', status: 'complete', model: 'm', parts}],
		times: {startedAt: 0, reasoningMs: 0, totalMs: 0},
		status: 'complete',
	};
}

function write(turn: Turn, title = 'Birds'): string {
	const conversation = {system: '', turns: [turn], otherTurns: []};
	return writeHtml({id: 'k3f9q2xw', title, created: 0, model: 'm', conversation});
}

/** Returns the HTML of an answer in Markdown. */
function answer(text: string): string {
	const html = write(turnOf('', {type: 'text', text}));
	return html.slice(html.indexOf('<h2>Assistant'), html.indexOf('</body>'));
}

const direction = '(?: dir="auto")?';
const value = '[^"<>]*';
const allowedTag = new RegExp(
	`^<(?:${[
		...['!doctype html', 'html', 'head', 'title', 'style', 'body', 'ul', 'table', 'tr', 'hr', 'br'],
		...['code', 'strong', 'em', 'del', 'i', 'bdi', 'details', 'summary', 'h2'],
		'ol(?: start="\\d+")?',
		`(?:h[1-6]|p|pre|li|blockquote|small)${direction}`,
		'section class="(?:system|user|assistant|tool)"',
		'div class="plain" dir="auto"',
		't[hd] dir="auto"(?: style="text-align:(?:left|right|center)")?',
		`meta [a-z-]+="${value}"(?: content="${value}")?`,
		`a href="(?:https?:|mailto:)${value}" rel="noopener noreferrer nofollow"`,
		`img alt="${value}" src="data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*"`,
		'/[a-z0-9]+',
	].join('|')})>$`,
);

function foreignTags(html: string): readonly string[] {
	return (html.match(/<[^>]*>?/g) ?? []).filter((tag) => !allowedTag.test(tag));
}

const hostile = fc.constantFrom(
	...['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '</title><script>', '</style>'],
	...['[a](javascript:alert(1))', '![a](https://example.com/a.png)', `![a"onload="b](${png})`],
	...['[a](https://example.com/"onclick="x)', "<https://example.com/'>", '[a]: javascript:x "t"'],
	...['[a]', '&lt;script&gt;', '&#60;b&#62;', ']]>', '-->', '<!--', '<![CDATA[', '\u202etxt\u202c'],
	...[
		'```html\n<b>',
		'| a | b |\n| :- | -: |\n| <u> | `<x>` |',
		'- [x] a',
		'> # b',
		'\0',
		'\ud800',
	],
);
const hostileText = fc.oneof(
	anyText,
	fc.array(hostile, {maxLength: 6}).map((list) => list.join('\n')),
	fc.array(hostile, {maxLength: 6}).map((list) => list.join(' ')),
);

fuzzProperty(
	'no text gets a tag of its own into the file',
	40,
	fc.property(anyConversation, hostileText, hostileText, (conversation, text, title) => {
		const turn = {...turnOf(text, {type: 'text', text}, {type: 'reasoning', text}), model: text};
		const turns = [...conversation.turns, turn];
		const session = {id: 'k3f9q2xw', created: 0, model: text, title};
		const html = writeHtml({...session, conversation: {...conversation, system: text, turns}});
		expect(foreignTags(html)).toEqual([]);
		expect(html.split('<title>')).toHaveLength(2);
		expect(html).not.toMatch(/[\p{Cs}\0\u202a-\u202e\u2066-\u2069]/u);
	}),
);

test('the file forbids scripts and everything outside of it before anything else', () => {
	expect(write(turnOf('hello'))).toContain(
		`<head>\n<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:;`,
	);
});

describe('Markdown of an answer', () => {
	test.each([
		[
			'# A\n\n**b** _c_ ~~d~~',
			'<h3 dir="auto">A</h3>\n<p dir="auto"><strong>b</strong> <em>c</em> <del>d</del></p>',
		],
		['```js\nlet a = "<b>";\n```', '<code>let a = &#34;&#60;b&#62;&#34;;</code></pre>'],
		['- [x] a\n- [ ] b', '<li dir="auto">☑ a</li>\n<li dir="auto">☐ b</li>'],
		['| a | b |\n| - | -: |\n| 1 | `2` |', 'style="text-align:right"><code>2</code></td>'],
		[
			'[bird](https://example.com/?a=1&b)',
			'<a href="https://example.com/?a=1&#38;b" rel="noopener noreferrer nofollow">bird</a>',
		],
		[
			'<a@example.com>',
			'<a href="mailto:a@example.com" rel="noopener noreferrer nofollow">a@example.com</a>',
		],
		[`![a bird](${png})`, `<img alt="a bird" src="${png}">`],
	])('%j is shown as such', (markdown, html) => {
		expect(answer(markdown)).toContain(html);
	});

	test.each([
		['[a](javascript:alert(1))', 'a (javascript:alert(1))'],
		['[a](JaVa&#115;cript:alert(1))', 'a (javascript:alert(1))'],
		['[good.example](https://evil.example/)', 'good.example (https://evil.example/)'],
		['![a](data:image/svg+xml;base64,PHN2Zz4=)', 'a (image/svg+xml, 5 bytes)'],
		['<script>alert(1)</script>', '&#60;script&#62;alert(1)&#60;/script&#62;'],
	])('%j becomes text', (markdown, html) => {
		const shown = answer(markdown);
		expect(shown).toContain(html);
		expect(shown).not.toMatch(/<(?:a|img|script)\b/);
	});

	test('an image on the web is a link, because a browser would fetch it', () => {
		const shown = answer('![a bird](https://example.com/a.png)');
		expect(shown).toContain('<a href="https://example.com/a.png"');
		expect(shown).not.toContain('<img');
	});
});

test('reasoning and calls are folded, attachments and marks of cut answers are shown', () => {
	const turn = turnOf(
		'look',
		{type: 'reasoning', text: 'Because.'},
		{type: 'tool-call', call: {callId: '1', name: 'f', arguments: '{"a":1}', isRunnable: true}},
	);
	const attachments = [
		{type: 'image', name: 'a "b".png', part: {type: 'image', url: png}},
		{type: 'document', name: 'c.pdf', part: {type: 'document', name: 'c.pdf', url: 'data:,'}},
		{type: 'file', name: 'd.txt', text: '<d>'},
	] as const;
	const [message] = turn.messages;
	const html = write({
		...{...turn, prompt: {text: 'look', attachments}},
		messages: message?.role === 'assistant' ? [{...message, status: 'interrupted'}] : [],
	});
	expect(html).toMatch(/<details>\n<summary>Reasoning<\/summary>\n.*Because\./);
	expect(html).toMatch(/<summary>Call of <bdi>f<\/bdi><\/summary>\n.*&#34;a&#34;:1/);
	expect(html).toContain(`<img alt="a &#34;b&#34;.png" src="${png}">`);
	expect(html).toContain('document: <bdi>c.pdf</bdi>');
	expect(html).toContain('&#60;d&#62;');
	expect(html).toContain('(interrupted)');
});

test.each([
	...['[', '![', '<', '`', '*', '_', '~', '|', '[a](', '> ', '- ', '&', '$', '\\(', '**a'],
	...['[a]: ', 'a\n', '|a', '|-|\n', 'a ', '```\n', '1. a\n', '<a', '`a``', '![](', ' \n'],
	...['\t', '#', '\\'],
])('many %j cost no more than their number', {tags: ['cost']}, (piece) => {
	expectLinearCost((size) => answer(piece.repeat(size)), 2000);
});

test('a paragraph of very many addresses costs little, and has a link for each', {
	tags: ['cost'],
}, () => {
	const html = answer('a@b.c '.repeat(80_000));
	expect(html.match(/href="mailto:a@b\.c"/g)).toHaveLength(80_000);
});

test('lists hundreds of levels deep cost little more than flat ones', {tags: ['cost']}, () => {
	const deep = Array.from({length: 600}, (_, depth) => `${'  '.repeat(depth)}- a\n`).join('');
	const flat = '- a word and another\n'.repeat(deep.length / 21);
	expectCost(() => answer(deep), 8 * costOf(() => answer(flat)));
});
