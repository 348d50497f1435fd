/** The keys of vi. */
import {describe, expect, test} from 'vitest';
import type {ReplState} from '../../../src/repl/state.ts';
import {fuzz} from '../../helpers/fuzz.ts';
import {createSeededRandom} from '../../helpers/seeded-random.ts';
import {
	begin,
	draftOf,
	markedDraft,
	paste,
	play,
	press,
	type,
	typesOf,
	withDraft,
} from '../play.ts';
import {boundariesOf} from './model.ts';

const vi = begin({editing: 'vi'});

/** Presses keys in normal mode, with the cursor on the character after the `|`. */
function pressOn(draft: string, keys: string): ReplState {
	const normal = play(withDraft(vi, draft.replace('|', '')), '<escape>').state;
	return typeKeys(withDraft(normal, draft), keys);
}

const named: Readonly<Record<string, string>> = {'\x1b': 'escape', '\x12': 'ctrl+r', '\r': 'enter'};

function typeKeys(state: ReplState, keys: string): ReplState {
	return [...keys].reduce((current, key) => {
		const chord = named[key];
		return play(current, chord === undefined ? type(key) : press(chord)).state;
	}, state);
}

test.each([
	['l', 'ab|c', 'ab|c'],
	['2l', '|a👍🏽b', 'a👍🏽|b'],
	['2j', 'a|b\nc\nde', 'ab\nc\nd|e'],
	['w', '|foo.bar baz', 'foo|.bar baz'],
	['W', '|foo.bar baz', 'foo.bar |baz'],
	['w', 'on|e\n  two', 'one\n  |two'],
	['e', 'fo|o bar.x', 'foo ba|r.x'],
	['E', 'fo|o bar.x', 'foo bar.|x'],
	['b', 'foo ba|r', 'foo |bar'],
	['^', '  fo|o', '  |foo'],
	['$', '|foo\nx', 'fo|o\nx'],
	['fo;;', '|foo boo', 'foo b|oo'],
	['fx', '|foo\nx', '|foo\nx'],
	['to', '|a foo', 'a |foo'],
	['tb;', '|a b b', 'a b| b'],
	['Fo', 'foo bo|o', 'foo b|oo'],
	['Tf', 'foo bo|o', 'f|oo boo'],
	['gg', 'a\n  b\n|c', '|a\n  b\nc'],
	['G', '|a\n  b', 'a\n  |b'],
])('the motion %j in %j leads to %j', (keys, before, after) => {
	expect(markedDraft(pressOn(before, keys))).toBe(after);
});

test.each([
	['x', 'ab|c', 'a|b'],
	['5x', '|abc', '|abc'],
	['dw', '|foo bar', '|bar'],
	['dw', 'foo |bar\nbaz', 'foo| \nbaz'],
	['dw', 'a\n|\nb', 'a\n|\nb'],
	['cwx\x1b', 'a\n|\nb', 'a\n|x\nb'],
	['2dw', '|one two three', '|three'],
	['d$', 'fo|o bar', 'f|o'],
	['ylx999999999p', '|ab', `b${'a'.repeat(9_999)}|a`],
	['dto', '|xo', '|o'],
	['dd', 'a\n|b\nc', 'a\n|c'],
	['dd', '|a', '|'],
	['dj', '|a\nb\nc', '|c'],
	['dG', 'a\n|b\nc', '|a'],
	['cwnew\x1b', '|foo bar', 'ne|w bar'],
	['ccnew\x1b', 'a\nf|oo\nc', 'a\nne|w\nc'],
	['Cnew\x1b', 'fo|o bar', 'fone|w'],
	['sX\x1b', '|abc', '|Xbc'],
	['3rX', '|abcd', 'XX|Xd'],
	['ax\x1b', 'a|b', 'ab|x'],
	['Ix\x1b', '  a|b', '  |xab'],
	['ox\x1b', '|a\nb', 'a\n|x\nb'],
	['Ox\x1b', 'a\n|b', 'a\n|x\nb'],
	['yyp', 'a\n|b', 'a\nb\n|b'],
	['yyP', 'a\n|b', 'a\n|b\nb'],
	['ywP', '|foo bar', 'foo| foo bar'],
	['xxuu\x12', '|abc', '|bc'],
	['dw..', '|a b c d', '|d'],
	['cwx\x1bw.', '|foo bar', 'x |x'],
	['ddj.', '|a\nb\nc', '|b'],
	['d\x1bx', '|abc', '|bc'],
])('the change %j in %j makes %j', (keys, before, after) => {
	expect(markedDraft(pressOn(before, keys))).toBe(after);
});

describe('the modes', () => {
	test('begin with inserting, also after a prompt was sent', () => {
		const typed = typeKeys(vi, 'hello\x1b');
		expect([markedDraft(typed), typed.editor.vi?.mode]).toEqual(['hell|o', 'normal']);
		const sent = typeKeys(typed, '\r');
		expect([draftOf(sent), sent.editor.vi?.mode]).toEqual(['', 'insert']);
		expect(sent.conversation.open?.prompt.text).toBe('hello');
	});

	test('keep all other keys', () => {
		const normal = typeKeys(vi, 'one two\x1b');
		expect(markedDraft(play(normal, '<ctrl+a>').state)).toBe('|one two');
		expect(markedDraft(play(normal, '<ctrl+w>').state)).toBe('one |o');
		expect(markedDraft(play(normal, '<backspace>').state)).toBe('one t|wo');
		expect(markedDraft(play(normal, paste('x')).state)).toBe('one twx|o');
		expect(typesOf(play(normal, '<ctrl+z>').effects)).toEqual(['suspend']);
	});

	test('take Alt with a letter for Esc and the letter', () => {
		const normal = play(typeKeys(vi, 'one two'), '<alt+b>').state;
		expect([markedDraft(normal), normal.editor.vi?.mode]).toEqual(['one |two', 'normal']);
		expect(markedDraft(play(normal, '<alt+shift+i>', 'x').state)).toBe('x|one two');
	});

	test('recall prompts with j and k, and search them with a slash', () => {
		const before = play(vi, 'first⏎', '<< 1', 'second⏎', '<< 2').state;
		const normal = play(before, '<escape>').state;
		expect(markedDraft(typeKeys(normal, 'kk'))).toBe('firs|t');
		expect(draftOf(typeKeys(normal, 'kkj'))).toBe('second');
		const found = typeKeys(normal, '/fir\r');
		expect(markedDraft(found)).toBe('firs|t');
	});
});

test.each([
	['cwsix or seven\x1b', 'one |two three'],
	['ofour five\x1b', '|one'],
	['ione more word \x1b', 'x |y'],
	['cwsix or seven\x1bw.', 'one |two three four'],
])('u takes back %j as a whole', (keys, draft) => {
	const before = pressOn(draft, keys.endsWith('.') ? keys.slice(0, -1) : '');
	const changed = pressOn(draft, keys);
	expect(draftOf(changed)).not.toBe(draftOf(before));
	const undone = typeKeys(changed, 'u');
	expect(draftOf(undone)).toBe(draftOf(before));
	expect(draftOf(typeKeys(undone, '\x12'))).toBe(draftOf(changed));
});

fuzz('any keys keep the cursor between graphemes, and can be undone', (seed) => {
	const draw = createSeededRandom(seed);
	const pick = (choices: readonly string[]) => choices[draw(0, choices.length - 1)] ?? '';
	const texts = ['word', ' ', '\n', '日本', '👍🏽', 'e\u0301', '🇩🇪', '.', '\t', 'a\u200d'];
	const keys = [...'hjklwbeWBE0$^fFtT;ggGdcyxXDCsSrpPu.iaIAoO123', '\x1b', '\x12', '👍🏽', ' '];
	const draft = Array.from({length: draw(0, 12)}, () => pick(texts)).join('');
	let state = pressOn(`|${draft}`, '');
	for (let step = 0; step < 150; step += 1) {
		state = typeKeys(state, pick(keys));
		const {lines, cursor} = state.editor.buffer;
		const line = lines[cursor.line] ?? '';
		expect(boundariesOf(line)).toContain(cursor.column);
		expect(lines.join('')).not.toContain('\n');
		const isOnCharacter = cursor.column < line.length || line === '';
		expect(isOnCharacter || state.editor.vi?.mode === 'insert').toBe(true);
		// A count is a repetition, which must not grow without a limit here.
		if (draftOf(state).length > 2000) break;
	}
	// Ctrl-R in an insertion begins a search, which takes the first Esc.
	const left = play(state, '<escape escape>').state;
	const undone = typeKeys(left, 'u'.repeat(200));
	if (state.editor.past.length < 200) expect(draftOf(undone)).toBe(draft);
});
