/** The questions of commands: what is typed stays in sight, and is edited like a draft. */
import {expect, test} from 'vitest';
import type {KeyInput} from '../../src/terminal/keys/key-input.ts';
import {
	askForSecret,
	askText,
	type CommandQuestion,
	drawRows,
	press,
	select,
} from '../../src/ui/prompts/command-question.ts';

const size = {height: 10, width: 40};

function typed<Answer>(first: CommandQuestion<Answer>, ...keys: readonly KeyInput[]) {
	return keys.reduce((question, key) => {
		const step = press(question, key);
		return step !== undefined && 'question' in step ? step.question : question;
	}, first);
}
const pasted = (text: string): KeyInput => ({type: 'paste', text});
const key = (name: string, ctrl = false): KeyInput => ({
	type: 'key',
	name,
	ctrl,
	alt: false,
	shift: false,
});
const shown = <Answer>(question: CommandQuestion<Answer>) =>
	drawRows(question, size).rows.map(({text}) => text);

test('a long text of wide characters shows its end', () => {
	const question = typed(askText('Name'), pasted(`${'日'.repeat(40)}終`));
	expect(shown(question).join('\n')).toMatch(/日終$/m);
});

test('a text is edited like a draft, with the cursor where it is drawn', () => {
	const question = typed(askText('Name'), pasted('ab cd'), key('left'), key('left'), pasted('日'));
	expect(shown(question)).toEqual(['Name: ab 日cd']);
	expect(drawRows(question, size).cellsAfter).toBe(2);
	expect(press(question, key('enter'))).toEqual({answer: 'ab 日cd', shown: 'Name: ab 日cd'});
	expect(shown(typed(question, key('a', true), key('k', true), key('y', true)))).toEqual([
		'Name: ab 日cd',
	]);
});

test('a secret shows only its length, also around the cursor', () => {
	const question = typed(askForSecret('Key'), pasted('s3cret\nx'), key('left'));
	expect(shown(question)).toEqual(['Key (hidden): ••••••••']);
	expect(press(question, key('enter'))).toEqual({
		answer: 's3cret x',
		shown: 'Key (hidden): ••••••••',
	});
});

test('the selection stays while the cursor moves in the query', () => {
	const names = ['mars', 'maple', 'moon'];
	const options = names.map((value) => ({label: value, value}));
	const question = typed(select('Name', options), pasted('ma'), key('down'), key('left'));
	const [first, second] = shown(question).slice(1);
	expect([first, second].filter((row) => row?.startsWith('›'))).toEqual([second]);
});
