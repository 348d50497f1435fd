/** Text of others never drives the terminal, wherever on the screen it comes up. */
import {expect, test} from 'vitest';
import {ChatError} from '../../src/errors.ts';
import {printOrShow} from '../../src/repl/popup.ts';
import {tableOf} from '../../src/repl/state.ts';
import {hasUnsafe, stripUnsafe} from '../../src/terminal/safe-text.ts';
import {hostileSample} from '../fixtures/hostile-texts.ts';
import {reasoningDelta, textDelta} from '../helpers/events.ts';
import {
	answer,
	attached,
	ended,
	events,
	letters,
	noticeOf,
	paste,
	retryOf,
	type Step,
	stepStart,
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
}

const named = (name: string) => attached([{type: 'file', name, text: ''}], [`about ${name}`]);

/** Where text of others comes up, and how it gets there. */
const places: Readonly<Record<string, (text: string) => readonly Step[]>> = {
	'a pasted draft': (text) => [paste(text)],
	'a prompt of the command line': (text) => [
		{type: 'prompt-given', prompt: {text, attachments: []}, now: 0},
	],
	'a prompt of an earlier session': (text) => [
		{type: 'history-loaded', prompts: [{text, attachments: []}]},
		'<up>',
	],
	'a match of a search': (text) => [
		{type: 'history-loaded', prompts: [{text, attachments: []}]},
		'<ctrl+r ctrl+r>',
	],
	'the tree': (text) => [
		{type: 'prompt-given', prompt: {text, attachments: []}, now: 0},
		answer(text || 'x'),
		'/edit⏎',
		'<ctrl+u>',
		'/tree⏎',
	],
	'a turn of the tree': (text) => [
		{type: 'prompt-given', prompt: {text, attachments: []}, now: 0},
		answer(text || 'x'),
		...['/undo⏎', '<ctrl+c>', '/tree⏎', '<enter>'],
	],
	'a search': (text) => [
		{type: 'history-loaded', prompts: [{text: `before ${text} after`, attachments: []}]},
		'<ctrl+r>',
		paste(text),
	],
	'the model': (text) => [paste(`/model ${text}`), '<enter>', '/model⏎', '/set⏎'],
	'an unknown command': (text) => [paste(`/nope ${text}`), '<enter>'],
	'a template in the menu': (text) => [
		'</>',
		valuesListed({type: 'templates'}, [{text: 'zzz', meaning: `about ${text}`}]),
		'<z>',
	],
	'a model in the menu': (text) => [
		...letters('/model '),
		valuesListed({type: 'models'}, [{text: text || 'x', meaning: text}]),
	],
	'the help about a template': (text) => [
		ended('explain-template', (state) => printOrShow(state, tableOf([[`/x ${text}`, text]]))),
	],
	'the system message': (text) => [paste(`/system ${text}`), '<enter>', '/system⏎'],
	'the name of an attachment': (text) => ['/file a⏎', named(text), 'q⏎'],
	'the name of an attachment that waits': (text) => ['/file a⏎', named(text)],
	'an error': (text) => [
		'q⏎',
		events({
			type: 'error',
			error: new ChatError('rejected', text, {hint: text, requestId: text, code: text}),
		}),
	],
	'a notice': (text) => ['q⏎', events(noticeOf('fallback', text))],
	'what it waits for': (text) => ['q⏎', events(retryOf(text))],
	'reasoning under way': (text) => ['q⏎', events(stepStart, reasoningDelta(text))],
	'reasoning that is recalled': (text) => ['q⏎', answer('a', text), '<ctrl+o>', '/reasoning⏎'],
	'an answer under way': (text) => ['q⏎', events(stepStart, textDelta(text))],
	'an answer': (text) => [
		'q⏎',
		'<< …',
		...text.split('').map((unit) => events(textDelta(unit))),
		events(textDelta(`\n\n${text}\n\n- \`${text}\`\n`), {type: 'turn-end'}),
	],
};

test.each(Object.entries(places).map(([name, place], number) => [name, place, number] as const))(
	'%s is harmless',
	(_, actionsWith, number) => {
		// A third of the kinds for each place, and each kind for a third of the places.
		const samples = hostileSample.filter((__, index) => (index + number) % 3 === 0);
		for (const [index, {text}] of samples.entries()) {
			const isWide = index % 2 === 1;
			const size = {columns: isWide ? 120 : 60};
			const stage = openStage(size, {hasColor: isWide}).play(...actionsWith(text));
			expectHarmless(stage);
			// Ink shows what it is given; one look is enough.
			if (index > 0) continue;
			expect(stage.faults()).toEqual([]);
			expect(stage.drawnWhole().join('').replace(own, '')).not.toMatch(/\p{Cc}/u);
		}
	},
);
