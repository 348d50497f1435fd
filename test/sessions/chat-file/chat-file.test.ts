/** Any conversation as a file: what is asked after a change, and what stays. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {completeCalls} from '../../../src/chat/complete-calls.ts';
import type {AnswerMessage, Conversation, Turn} from '../../../src/chat/conversation.ts';
import {
	type ChatFile,
	findDue,
	markCut,
	putAnswer,
	readChatFile,
} from '../../../src/sessions/chat-file/chat-file.ts';
import {writeMarkdown} from '../../../src/sessions/export/write-markdown.ts';
import {hashTurns} from '../../../src/sessions/turn-hashes.ts';
import {fuzzProperty} from '../../helpers/fuzz.ts';
import {anyConversation} from '../any-conversation.ts';

const hashesOf = ({system = '', model, ...file}: ChatFile) => hashTurns({system, ...file}, {model});

function askedIn(text: string): readonly string[] {
	const file = readChatFile(text, 0);
	return findDue(file.turns, hashesOf(file)).map(({index, reason}) => `${index} ${reason}`);
}

function answerIn(text: string, index: number, turn: Turn): string {
	const file = readChatFile(text, 0);
	return putAnswer(file, {index, turn, attached: [], hash: hashesOf(file)[index]});
}

function answerWith(words: string, parts: AnswerMessage['parts'] = []): Turn {
	const text = {type: 'text', text: words} as const;
	const image = {role: 'tool', callId: 'c', isError: false, parts} as const;
	const call = {callId: 'c', name: 'draw', arguments: '{}', isRunnable: true};
	const of = (part: object) =>
		({role: 'assistant', model: 'm', status: 'complete', parts: [part]}) as AnswerMessage;
	const calls = parts.length === 0 ? [] : [of({type: 'tool-call', call}), image as AnswerMessage];
	return {
		id: `new-${words.length}`,
		model: 'm',
		prompt: {text: '', attachments: []},
		messages: [...calls, of(text)],
		times: {startedAt: 0, reasoningMs: 0, totalMs: 5},
		status: 'complete',
	};
}

/** Gives each turn a prompt and an answer that can be found in the text; the last one is whole. */
function makeAnswered({turns, compactions}: Conversation): Conversation {
	const answered = turns.map((turn, index): Turn => {
		const said: AnswerMessage = {
			role: 'assistant',
			parts: [{type: 'text', text: `a${index} said`}],
			status: 'complete',
			model: turn.model,
		};
		const isLast = index === turns.length - 1;
		const messages = isLast ? [said] : completeCalls([said, ...turn.messages]);
		const text = `q${index} asked\n${turn.prompt.text}`;
		return {...turn, prompt: {...turn.prompt, text}, messages, cut: undefined};
	});
	return {system: '', turns: answered, otherTurns: [], compactions};
}

const forms = [
	(text: string) => text,
	(text: string) => `${text}\n`,
	(text: string) => text.replaceAll('\n', '\r\n'),
	(text: string) => `\ufeff${text}\n\n## User\n\n`,
];

fuzzProperty(
	'after a change of one turn, that turn and those after it are asked, and nothing else changes',
	40,
	fc.property(
		anyConversation.filter(({turns}) => turns.length > 0).map(makeAnswered),
		fc.nat(),
		fc.constantFrom(...forms),
		fc.boolean(),
		(conversation, place, form, isPrompt) => {
			const session = {id: 'k3f9q2xw', title: 't', created: 0, model: 'm', conversation};
			// As it comes back from a file in UTF-8.
			const text = Buffer.from(form(writeMarkdown(session))).toString();
			const {length} = conversation.turns;
			expect(askedIn(text)).toEqual([]);
			const changed = place % length;
			const word = isPrompt ? `q${changed} asked` : `a${changed} said`;
			const from = isPrompt ? changed : changed + 1;
			let edited = text.replace(word, `${word} again`);
			const expected = Array.from({length: length - from}, (_, index) => from + index);
			expect(askedIn(edited).map((line) => Number.parseInt(line, 10))).toEqual(expected);
			const image = {type: 'image', url: 'https://example.com/a.png'} as const;
			for (const index of expected) {
				const before = readChatFile(edited, 0);
				edited = answerIn(edited, index, answerWith(`new ${index}\n## User`, [image]));
				const after = readChatFile(edited, 0);
				const others = ({turns}: ChatFile) =>
					turns.flatMap(({prompt, messages}, one) => [
						{...prompt, folds: undefined},
						one === index ? [] : messages,
					]);
				expect(others(after)).toEqual(others(before));
				expect(after.turns[index]?.messages).toEqual(
					answerWith(`new ${index}\n## User`, [image]).messages,
				);
			}
			expect(askedIn(edited)).toEqual([]);
			const [untouched = ''] = text.split(/^## User$/m).slice(0, 1);
			expect(edited.startsWith(untouched)).toBe(true);
			expect(edited.includes('\r\n')).toBe(text.includes('\r\n'));
			if (text.includes('\r\n')) expect(edited).not.toMatch(/(?<!\r)\n/);
		},
	),
);

const written = '---\ntags: [a]\n---\n\n## User\nName a bird\n\n## Assistant\nA wren.\n\n\n';

test('an answer is put below its prompt, and the rest stays as it is written', () => {
	const text = `${written}## User\n\nAnd *another*\n \n## User\n`;
	expect(askedIn(text)).toEqual(['1 no answer']);
	expect(answerIn(text, 1, answerWith('A tit.'))).toBe(
		`${written}## User\n\n<!-- chat turn {"id":"new-6","hash":"${'x'.repeat(16)}","at":"1970-01-01T00:00:00.000Z","model":"m","totalMs":5} -->\n\nAnd *another*\n\n## Assistant\n\nA tit.\n\n## User\n`.replace(
			'x'.repeat(16),
			/"hash":"(\w{16})"/.exec(answerIn(text, 1, answerWith('A tit.')))?.[1] ?? '',
		),
	);
});

describe('asked is', () => {
	const two = answerIn(`${written}## User\n\nAnother\n`, 1, answerWith('A tit.'));
	test.each([
		['nothing in answers by hand', written, []],
		['a prompt between, and all after', `## User\nA\n\n${written}`, ['0 no answer', '1 follows']],
		[
			'a last, cut answer',
			two.replace(/Assistant(?=\n\nA tit)/, '$& (incomplete)'),
			['1 cut answer'],
		],
		[
			'what follows a changed system message',
			two.replace('## User', '## System\nBe brief.\n\n## User'),
			['1 changed'],
		],
		['nothing if only times change', two.replace('"totalMs":5', '"totalMs":7'), []],
	])('%s', (_, text, expected) => {
		expect(askedIn(text)).toEqual(expected);
	});

	test('a cut answer in the middle only until the conversation goes on after it', () => {
		const three = answerIn(`${two}\n## User\n\nThanks\n`, 2, answerWith('Gladly.'));
		const cut = answerIn(three, 1, markCut(answerWith('A t')));
		expect(cut).toContain('## Assistant (incomplete)\n\nA t\n');
		expect(askedIn(cut)).toEqual(['1 cut answer', '2 follows']);
		const gone = answerIn(cut, 2, answerWith('Gladly again.'));
		expect(askedIn(gone)).toEqual([]);
		expect(askedIn(gone.replace('Thanks', 'Thank you'))).toEqual(['2 changed']);
	});

	test('an answer by hand below a new one, even in a later run', () => {
		const text = '## User\nA\n\n## User\nB\n\n## Assistant\nby hand\n';
		const answered = answerIn(text, 0, answerWith('new'));
		expect(askedIn(answered)).toEqual(['1 changed']);
		expect(answered).toContain('## User\n\n<!-- chat turn {"hash":""} -->\n\nB\n');
	});
});

test('a prompt without any text is refused unless it is the last one', () => {
	expect(askedIn('## User\n\n')).toEqual([]);
	expect(() => askedIn('## User\n\n## User\n\nB\n')).toThrow(
		expect.objectContaining({kind: 'data', message: 'line 1: there is no prompt'}),
	);
});
