/**
 * Reduces the keys of the choices: a letter takes one, or the arrows and Enter. A harmless one is
 * selected first.
 *
 * Invariant: a word that is typed on answers nothing. Once a key was pressed that is not a choice, or
 * two different letters before the question was armed, letters do not count until an arrow is pressed.
 */
import {chordOf, type KeyInput} from '../../terminal/keys/key-input.ts';
import {update} from '../action.ts';
import {
	arrowBindings,
	commandIn,
	type QuestionCommand,
	questionBindings,
} from '../keys/key-bindings.ts';
import {type Choice, selectedIn} from './choices.ts';
import type {Dialog} from './dialog.ts';
import {type DialogUpdate, restartArming} from './update-dialog.ts';

/** @param take performs the choice with a key */
export function choose(
	dialog: Dialog,
	choices: readonly Choice[],
	input: KeyInput,
	take: (key: string) => DialogUpdate,
): DialogUpdate {
	const word = wordOf(input);
	const command = input.type === 'key' ? commandIn(bindings, word) : undefined;
	const direct = choices.find(({chords}) => chords?.includes(word));
	const isAnswer = command !== undefined || direct !== undefined;
	if (!dialog.isArmed) return restartArming(isAnswer ? dialog : withTyped(dialog, word));
	if (command !== undefined) return commands[command](dialog, choices, take);
	if (direct !== undefined) return take(direct.key);
	const isFirst = dialog.typed === undefined || dialog.typed === word;
	if (isFirst && choices.some(({key}) => key === word)) return take(word);
	return restartArming({...withTyped(dialog, word), selected: undefined});
}

const bindings = [...arrowBindings, ...questionBindings];

function wordOf(input: KeyInput): string {
	if (input.type === 'key') return chordOf(input);
	return input.type === 'text' ? input.text.toLowerCase() : '';
}

function withTyped(dialog: Dialog, word: string): Dialog {
	// A letter that is pressed several times may arrive as one text.
	const [first = '', ...others] = new Set(word);
	const key = others.length === 0 ? first : word;
	const isSame = dialog.typed === undefined || dialog.typed === key;
	return {...dialog, typed: isSame ? key : ''};
}

type Command = (
	dialog: Dialog,
	choices: readonly Choice[],
	take: (key: string) => DialogUpdate,
) => DialogUpdate;

const commands: Readonly<Record<QuestionCommand, Command>> = {
	above: (dialog, choices) => select(dialog, choices, -1),
	below: (dialog, choices) => select(dialog, choices, 1),
	choose(dialog, choices, take) {
		const key = selectedIn(dialog, choices);
		return key === undefined ? update(dialog) : take(key);
	},
};

function select(dialog: Dialog, choices: readonly Choice[], step: -1 | 1): DialogUpdate {
	const from = selectedIn(dialog, choices);
	const place = choices.findIndex(({key}) => key === from) + step;
	const selected = choices[Math.max(0, Math.min(place, choices.length - 1))]?.key;
	return update({...dialog, selected, typed: undefined});
}
