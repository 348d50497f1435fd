/** Markdown that a person wrote or changed. */
import {describe, expect, test} from 'vitest';
import type {AnswerMessage, Turn} from '../../../src/chat/conversation.ts';
import {readMarkdown} from '../../../src/sessions/export/read-markdown.ts';
import {writeMarkdown} from '../../../src/sessions/export/write-markdown.ts';
import {readExport} from '../read-export.ts';

const turn: Turn = {
	id: 'one',
	model: 'm',
	prompt: {text: 'Name a bird', attachments: []},
	messages: [
		{
			role: 'assistant',
			status: 'interrupted',
			model: 'm',
			parts: [
				{type: 'reasoning', text: 'A short name.'},
				{type: 'text', text: 'A\n## User\nwren'},
			],
		},
	],
	times: {startedAt: Date.UTC(2026, 10, 22), reasoningMs: 0, totalMs: 1500},
	status: 'interrupted',
};

function write(...turns: readonly Turn[]): string {
	const conversation = {system: 'Be brief.', turns, otherTurns: []};
	return writeMarkdown({
		id: 'k3f9q2xw',
		title: 'Birds: "small"',
		created: 0,
		model: 'm',
		conversation,
	});
}

test('a conversation reads as one, with folded reasoning and escaped headings', () => {
	expect(write(turn)).toBe(`---
title: "Birds: \\"small\\""
session: "k3f9q2xw"
created: "1970-01-01T00:00:00.000Z"
model: "m"
---

## System

Be brief.

## User

<!-- chat turn {"id":"one","hash":"5db1f93b9b32e164","at":"2026-11-22T00:00:00.000Z","status":"interrupted","totalMs":1500} -->

Name a bird

## Assistant (interrupted)

<!-- chat reasoning -->

<details><summary>Reasoning</summary>

A short name.

</details>

A
\\## User
wren`);
});

describe('a file without front matter and comments', () => {
	const text =
		'# Birds\n\n## User\n\nName a bird\n\n## Assistant\n\nA wren.\n\n## User\n\nAnd another\n';

	test.each([
		['with CRLF', text.replaceAll('\n', '\r\n')],
		['with a byte order mark', `\ufeff${text}`],
	])('is a conversation, %s', (_, file) => {
		const {title, conversation, draft} = readExport(file);
		expect(title).toBe('Birds');
		expect(conversation.turns).toMatchObject([
			{
				prompt: {text: 'Name a bird', attachments: []},
				messages: [{role: 'assistant', parts: [{type: 'text', text: 'A wren.'}]}],
				status: 'complete',
			},
		]);
		expect(draft?.prompt.text).toBe('And another');
	});
});

test('a changed file has the changes: a new answer, another question, a title without quotes', () => {
	const changed = write(turn)
		.replace(/^title: .*/m, 'title: Small birds')
		.replace('Name a bird', 'Name two')
		.replace(/A\n.*\nwren$/, 'A wren and a tit.\n\n## User\n\nThanks');
	const {title, conversation, draft} = readExport(changed);
	expect(title).toBe('Small birds');
	expect(conversation.system).toBe('Be brief.');
	const front = readExport('---\nsystem: Be kind.\n---\n## User\n\nHi\n');
	expect(front.conversation.system).toBe('Be kind.');
	expect(conversation.turns.map(({prompt}) => prompt.text)).toEqual(['Name two']);
	expect(draft?.prompt.text).toBe('Thanks');
	expect(conversation.turns[0]?.messages).toMatchObject([
		{parts: [{type: 'reasoning'}, {type: 'text', text: 'A wren and a tit.'}]},
	]);
});

test('a call without its result is cancelled, and a result without its call left out', () => {
	const call = {callId: 'a', name: 'f', arguments: '{}', isRunnable: true};
	const called: AnswerMessage = {
		role: 'assistant',
		status: 'complete',
		model: 'm',
		parts: [{type: 'tool-call', call}],
	};
	const parts = [{type: 'text', text: 'ran'}] as const;
	const result = {role: 'tool', callId: 'a', parts, isError: false} as const;
	const file = write({...turn, messages: [called, result]});
	expect(readExport(file).conversation.turns[0]?.messages).toEqual([called, result]);
	const [withoutResult = ''] = /^.*(?=\n## Tool)/s.exec(file) ?? [];
	expect(readExport(withoutResult).conversation.turns[0]?.messages).toEqual([
		called,
		{...result, parts: [{type: 'text', text: 'cancelled'}], isError: true},
	]);
	const withoutCall = file.replace(/<!-- chat call.*?(?=\n## Tool)/s, 'Done.\n');
	expect(readExport(withoutCall).conversation.turns[0]?.messages).toMatchObject([
		{role: 'assistant', parts: [{text: 'Done.'}]},
	]);
});

describe('a file that is not a conversation', () => {
	test.each([
		['', 'the file has no "## User" heading'],
		['\nHello\n\n## User\n', 'line 2: text before the first "## User" or "## System" heading'],
		['## Assistant\n\nHi\n', 'line 1: "## User" must precede "## Assistant"'],
		['## User\n\nHi\n\n## System\n', 'line 5: "## System" must come first'],
		['## User\n\n<!-- chat turn {"id": -->\n', 'line 3: the comment is damaged'],
		[
			'## User\n\n<!-- chat reasoning -->\n',
			'line 3: a part of the kind "reasoning" cannot be here',
		],
		[
			'## User\n\n## Assistant\n\n<!-- chat reasoning -->\n<details><summary>Reasoning</summary>\nx',
			'line 6: the reasoning is not closed with </details>',
		],
		[
			'## User\n\n<!-- chat file {"name":"a"} -->\n```\nx\n',
			'line 4: the code fence is not closed',
		],
		[
			'## User\n\n<!-- chat turn {"id":"a"} -->\n\n## User\n\n<!-- chat turn {"id":"a"} -->\n',
			'line 5: another turn has the same id',
		],
		[
			'## User\n\n<!-- chat image {"name":"a","media":1} -->\n',
			'line 3: there is no line that begins with [media-1]:',
		],
	])('is refused: %j', (file, message) => {
		expect(() => readMarkdown(file, 0)).toThrow(expect.objectContaining({kind: 'data', message}));
	});

	test('is refused with the place of a value of the wrong type', () => {
		const file = '## User\n\n<!-- chat turn {"id":"a","totalMs":"x"} -->\n\n## Assistant\n';
		expect(() => readMarkdown(file, 0)).toThrow(/^line 1: the turn is not valid: totalMs: /);
	});

	test('cannot name a file of the saved attachments', () => {
		const fields = `{"name":"a","address":"data:,","blob":"sha256-${'0'.repeat(64)}"}`;
		const file = `## User\n\n<!-- chat image ${fields} -->\n`;
		expect(readExport(file).draft?.prompt.attachments).toEqual([
			{type: 'image', name: 'a', part: {type: 'image', url: 'data:,'}},
		]);
	});
});
