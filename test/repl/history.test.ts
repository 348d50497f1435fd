/** The prompts that a session reports, so that later ones have them. */
import {expect, test} from 'vitest';
import type {Action} from '../../src/repl/action.ts';
import {begin, enter, paste, play, press, type} from './play.ts';

/** Returns the texts of the prompts reported by the actions. */
function reported(...actions: readonly Action[]): readonly string[] {
	return play(begin(), ...actions).effects.flatMap((effect) =>
		effect.type === 'history-added' ? effect.prompts.map(({text}) => text) : [],
	);
}

test('a prompt is reported when it is sent, and when it is queued', () => {
	expect(reported(enter('one'), enter('two'))).toEqual(['one', 'two']);
});

test('a draft is reported when it is cleared, and when another prompt is sent in its place', () => {
	expect(reported(type('draft'), press('ctrl+c'))).toEqual(['draft']);
	const replaced = [enter('one'), type('draft'), press('up', 'enter')];
	expect(reported(...replaced)).toEqual(['one', 'draft', 'one']);
});

test('commands and blank drafts are not reported', () => {
	expect(reported(enter('/usage'), enter('/mistyped'), press('ctrl+c'))).toEqual([]);
	expect(reported(type('  '), press('ctrl+c'), enter(''))).toEqual([]);
	expect(reported(enter('/etc/hosts is what?'))).toEqual(['/etc/hosts is what?']);
});

test('a long paste is reported in full, with its place', () => {
	const long = 'line\n'.repeat(30);
	const {effects} = play(begin(), type('sum up '), paste(long), press('enter'));
	const text = `sum up ${long}`;
	const folds = [{from: 7, to: text.length, label: '[Pasted 30 lines #1]'}];
	expect(effects).toContainEqual({
		type: 'history-added',
		prompts: [{text, folds, attachments: []}],
	});
});
