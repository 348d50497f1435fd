/** Whatever happens in whatever order, in a window of any size: the screen can be drawn. */
import fc from 'fast-check';
import {expect} from 'vitest';
import type {ChatEvent} from '../../src/chat/event.ts';
import {ChatError} from '../../src/errors.ts';
import {slashCommands} from '../../src/repl/commands/slash-commands.ts';
import {allBindings} from '../../src/repl/keys/key-bindings.ts';
import {createElicitation} from '../../src/repl/question/elicitation.ts';
import type {ReplState} from '../../src/repl/state.ts';
import {isAttaching} from '../../src/repl/task.ts';
import {hostileTexts, ordinaryTexts} from '../fixtures/hostile-texts.ts';
import {colours, fieldOf, formOf, kinds, pageOf} from '../helpers/elicitations.ts';
import {reasoningDelta, textDelta, turnEnd} from '../helpers/events.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';
import {
	attached,
	dropped,
	enter,
	events,
	failure,
	paste,
	play,
	press,
	retryOf,
	type Step,
	stepEnd,
	stepStart,
	type,
	valuesListed,
} from '../repl/play.ts';
import {openStage} from './stage.tsx';

/** An action that makes sense in a state, so that turns keep their grammar. */
type Move = (state: ReplState) => readonly Step[];

const markdown = [
	'# Title\n\n',
	'- item\n  - deeper\n\n',
	'| a | b |\n|---|---|\n| 1 | 日本 |\n\n',
	'```js\nconst a = 1;\n',
	'```\n\n',
	'> quoted\n\n',
	'**bold** `code` [link](https://example.com) ',
	'\n\n---\n\n',
];

const text = fc.oneof(
	fc.constantFrom(...markdown),
	fc.constantFrom(...[...hostileTexts, ...ordinaryTexts].map((sample) => sample.text)),
	fc.string({unit: 'grapheme', maxLength: 60}),
	fc.constantFrom('word '.repeat(80), 'x'.repeat(500), '日'.repeat(200), '\n'.repeat(30), 'a\tb'),
);

const always =
	(...actions: readonly Step[]): Move =>
	() =>
		actions;

/** Events of the turn under way; a step is begun first if there is none. */
const ofTurn =
	(...list: readonly ChatEvent[]): Move =>
	({turn, conversation}) => {
		if (turn === undefined) return [];
		return [events(...(conversation.open === undefined ? [stepStart] : []), ...list)];
	};

const typed = text.map((value) => value.replace(/\p{C}/gu, '')).filter((value) => value !== '');

const move: fc.Arbitrary<Move> = fc.oneof(
	typed.map((value) => always(type(value))),
	text.map((value) => always(paste(value))),
	typed.map((value) => always(enter(value))),
	fc
		.constantFrom(...allBindings.flatMap(({chords}) => chords))
		.map((chord) => always(press(chord))),
	fc
		.tuple(fc.constantFrom(...slashCommands.map(({name}) => name)), typed)
		.map(([name, value]) => always('<ctrl+u>', `/${name} ${value}⏎`)),
	fc.constant(always('<ctrl+u>', '?')),
	typed.map((value) => always('<ctrl+u>', '/', type(value.charAt(0)))),
	fc.tuple(fc.constantFrom('see @', '/model ', '/file ', '/resume '), fc.array(text)).map(
		([line, names]): Move =>
			(state) => {
				const before = ['<ctrl+u>', ...Array.from(line, type)];
				const {menu} = before.reduce((current, action) => play(current, action).state, state);
				if (menu?.source === undefined) return before;
				const values = names.map((name) => ({text: name, meaning: name}));
				return [...before, valuesListed(menu.source, values)];
			},
	),
	text.map((value) =>
		always(paste(value), dropped(value, {type: 'file', name: value, text: value})),
	),
	text.map((value) => always({type: 'history-loaded', prompts: [{text: value, attachments: []}]})),
	text.map((value) => always('<ctrl+r>', paste(value))),
	fc.tuple(text, fc.boolean()).map(
		([value, isPage]): Move =>
			({turn, question}) => {
				if (turn === undefined || question !== undefined) return [];
				// Half a character has no place in an address.
				const whole = Buffer.from(value).toString();
				const page = pageOf(`https://example.com/${encodeURIComponent(whole)}`, value);
				const more = {title: value, description: value, isRequired: true};
				const choice = {...kinds.choice, choices: [{value: 'a', title: value}]};
				const fields = [kinds.text, choice, colours].map((kind) => fieldOf('a', kind, more));
				const request = isPage ? page : {...formOf(...fields), message: value};
				return [{type: 'question-asked', question: createElicitation(request)}];
			},
	),
	fc.constant((({question}) => (question === undefined ? [] : [{type: 'question-armed'}])) as Move),
	text.map((value) => ofTurn(reasoningDelta(value || 'x'))),
	text.map((value) => ofTurn(textDelta(value || 'x'))),
	text.map((value) => ofTurn(reasoningDelta(value || 'x'), textDelta(value || 'x'))),
	text.map((value) => ofTurn(retryOf(value))),
	fc.constant(ofTurn(stepEnd({promptTokens: 1, completionTokens: 2}), turnEnd)),
	fc.constantFrom('interrupted', 'incomplete', 'unavailable').map((kind) => ofTurn(failure(kind))),
	fc
		.record({columns: fc.integer({min: 12, max: 220}), rows: fc.integer({min: 4, max: 60})})
		.map((size) => always({type: 'resize', ...size})),
	fc.nat(100_000).map((now) => always({type: 'tick', now})),
	text.map(
		(name): Move =>
			(state) =>
				isAttaching(state) ? [attached([{type: 'file', name, text: name}], [name])] : [],
	),
	text.map((message) => always({type: 'failed', error: new ChatError('input', message)})),
);

fuzzProperty(
	'no state is too tall, too wide, or cannot be drawn',
	8,
	fc.property(
		fc.record({columns: fc.integer({min: 12, max: 220}), rows: fc.integer({min: 4, max: 60})}),
		fc.constantFrom('auto', 'show', 'hide'),
		fc.boolean(),
		fc.array(move, {minLength: 1, maxLength: 40, size: 'max'}),
		(size, reasoningMode, hasColor, moves) => {
			const stage = openStage({...size, reasoningMode}, {hasColor, hasLinks: hasColor});
			for (const next of moves) {
				stage.play(...next(stage.state()));
				expect(stage.faults()).toEqual([]);
			}
		},
	),
);
