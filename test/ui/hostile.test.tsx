/** Text of others never drives the terminal, wherever on the screen it comes up. */
import {expect, test} from 'vitest';
import {ChatError} from '../../src/errors.ts';
import type {Action} from '../../src/repl/action.ts';
import {printOrShow} from '../../src/repl/popup.ts';
import {tableOf} from '../../src/repl/state.ts';
import {hasUnsafe, stripUnsafe} from '../../src/terminal/safe-text.ts';
import {hostileSample, hostileTexts} from '../fixtures/hostile-texts.ts';
import {
	answer,
	attached,
	ended,
	enter,
	events,
	noticeOf,
	paste,
	press,
	reasoningDelta,
	retryOf,
	stepStart,
	textDelta,
	valuesListed,
} from '../repl/play.ts';
import {openStage, type Stage} from './stage.tsx';

const esc = '\x1b';
/** The SGR codes of our own. */
const own = new RegExp(`${esc}\\[\\d{1,2}m`, 'g');

/** All that is written to the terminal must hold nothing but what is ours. */
function expectHarmless(stage: Stage): void {
	const {items} = stage.store.getSnapshot();
	for (const row of [...items.flatMap(({rows}) => rows), ...stage.styledRows()]) {
		const rest = row.replace(own, '');
		expect(hasUnsafe(rest)).toBe(false);
		expect(rest).not.toMatch(/[\n\t]/);
		expect(stripUnsafe(rest)).toBe(rest);
	}
	expect(stage.faults()).toEqual([]);
}

const named = (name: string) => attached([{type: 'file', name, text: ''}], [`about ${name}`]);

/** Where text of others comes up, and how it gets there. */
const places: Readonly<Record<string, (text: string) => readonly Action[]>> = {
	'a pasted draft': (text) => [paste(text)],
	'a prompt of the command line': (text) => [
		{type: 'prompt-given', prompt: {text, attachments: []}, now: 0},
	],
	'a queued prompt': (text) => [enter('q'), paste(text || 'x'), press('enter')],
	'a prompt of an earlier session': (text) => [
		{type: 'history-loaded', prompts: [{text, attachments: []}]},
		press('up'),
	],
	'a match of a search': (text) => [
		{type: 'history-loaded', prompts: [{text, attachments: []}]},
		press('ctrl+r', 'ctrl+r'),
	],
	'the tree': (text) => [
		{type: 'prompt-given', prompt: {text, attachments: []}, now: 0},
		answer(text || 'x'),
		enter('/edit'),
		press('ctrl+u'),
		enter('/tree'),
	],
	'a turn of the tree': (text) => [
		{type: 'prompt-given', prompt: {text, attachments: []}, now: 0},
		answer(text || 'x'),
		...[enter('/undo'), press('ctrl+c'), enter('/tree'), press('enter')],
	],
	'a search': (text) => [
		{type: 'history-loaded', prompts: [{text: `before ${text} after`, attachments: []}]},
		press('ctrl+r'),
		paste(text),
	],
	'the model': (text) => [paste(`/model ${text}`), press('enter'), enter('/model'), enter('/set')],
	'a setting': (text) => [paste(`/set temperature ${text}`), press('enter'), paste(`/set ${text}`)],
	'an unknown command': (text) => [paste(`/nope ${text}`), press('enter')],
	'a template in the menu': (text) => [
		press('/'),
		valuesListed({type: 'templates'}, [{text: 'zzz', meaning: `about ${text}`}]),
		press('z'),
	],
	'the help about a template': (text) => [
		ended('explain-template', (state) => printOrShow(state, tableOf([[`/x ${text}`, text]]))),
	],
	'the system message': (text) => [paste(`/system ${text}`), press('enter'), enter('/system')],
	'the name of an attachment': (text) => [enter('/file a'), named(text), enter('q')],
	'the name of an attachment that waits': (text) => [enter('/file a'), named(text)],
	'an error': (text) => [
		enter('q'),
		events({
			type: 'error',
			error: new ChatError('rejected', text, {
				hint: text,
				requestId: text,
				code: text,
			}),
		}),
	],
	'an error of loading': (text) => [
		enter('/file a'),
		{type: 'failed', error: new ChatError('input', text)},
	],
	'a notice': (text) => [enter('q'), events(noticeOf('fallback', text))],
	'what it waits for': (text) => [enter('q'), events(retryOf(text))],
	'reasoning under way': (text) => [enter('q'), events(stepStart, reasoningDelta(text))],
	'reasoning under way, byte by byte': (text) => [
		enter('q'),
		events(stepStart),
		...text.split('').map((unit) => events(reasoningDelta(unit))),
	],
	'reasoning that is recalled': (text) => [
		enter('q'),
		answer('a', text),
		press('ctrl+o'),
		enter('/reasoning'),
	],
	'an answer under way': (text) => [enter('q'), events(stepStart, textDelta(text))],
	'an answer': (text) => [
		enter('q'),
		events(stepStart),
		...text.split('').map((unit) => events(textDelta(unit))),
		events(textDelta(`\n\n${text}\n\n- \`${text}\`\n`), {type: 'turn-end'}),
	],
};

test.each(Object.entries(places))('%s is harmless', (_, actionsWith) => {
	for (const [index, {text}] of hostileSample.entries()) {
		const isWide = index % 2 === 1;
		const size = {columns: isWide ? 120 : 60};
		const stage = openStage(size, {hasColor: isWide}).play(...actionsWith(text));
		expectHarmless(stage);
		// Ink shows what it is given; one look is enough.
		if (index > 0) continue;
		expect(stage.drawnWhole().join('').replace(own, '')).not.toMatch(/\p{Cc}/u);
	}
});

test('shows the rest of the text', () => {
	for (const {text, shown} of hostileTexts) {
		const reasoning = reasoningDelta(`~~~\n${text}\n`);
		const stage = openStage({columns: 200}).play(enter('q'), events(stepStart, reasoning));
		const [, , first] = stage.rows().map((row) => row.slice(row.indexOf('│') + 2));
		expect(first).toBe(shown.split('\n')[0]?.trimEnd());
	}
});
