import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {ChatError} from '../../src/errors.ts';
import {
	expandTemplate,
	findMissingInput,
	missingParams,
	needsInput,
} from '../../src/templates/expand-template.ts';
import type {Template, TemplateInput} from '../../src/templates/template.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';
import {writeTree} from '../input/input-helpers.ts';
import {templateOf} from './template-files.ts';

function inputOf(input: Partial<TemplateInput>): TemplateInput {
	const text = input.text ?? '';
	return {words: text === '' ? [] : text.split(' '), piped: '', params: {}, ...input, text};
}

async function expand(body: string, input: Partial<TemplateInput>, front = ''): Promise<string> {
	return expandTemplate(await templateOf(`---\n${front}\n---\n${body}`), inputOf(input));
}

describe('a variable', () => {
	test.each([
		['$ARGUMENTS', 'A $ARGUMENTS!', 'A one two!'],
		['a place', '$2 then $1', 'two then one'],
		['a place without an argument', '$1 [$3]', 'one []'],
		['the input', '$1 <$INPUT>', 'one <piped>'],
		['an escaped dollar', '$1 $$1 $$tone $$$1', 'one $1 $tone $one'],
		['an unknown name', '$1 $PATH $(tone) $toneless $', 'one $PATH $(tone) $toneless $'],
		['money', '$1 $10 $2.50 $2,000 $2.', 'one $10 $2.50 $2,000 two.'],
		['a name of objects', '$1 $constructor $__proto__', 'one $constructor $__proto__'],
	])('%s', async (_, body, expected) => {
		const input = {text: 'one two', piped: 'piped', params: {tone: 'rude'}};
		const front = 'params: {tone: kind, language: English}';
		const [line] = (await expand(body, input, front)).split('\n');
		expect(line).toBe(expected);
	});

	test('is not replaced in a value', async () => {
		const input = {text: '$INPUT $$ $tone', piped: '$1 $ARGUMENTS', params: {tone: '$1 $&'}};
		expect(await expand('$ARGUMENTS|$INPUT|$tone', input, 'params: [tone]')).toBe(
			'$INPUT $$ $tone|$1 $ARGUMENTS|$1 $&',
		);
	});
});

fuzzProperty(
	'a template of any text is read or refused, and has each value as it is',
	40,
	fc.asyncProperty(fc.string({unit: 'binary', maxLength: 60}), fc.string(), async (text, value) => {
		const front = text.replace(/[\0\r]/g, ' ');
		for (const content of [front, `---\n${front}\n---\n${front}`]) {
			const read = await templateOf(`${content}<$ARGUMENTS>`).catch((error: unknown) => error);
			if (read instanceof Error) expect(read).toBeInstanceOf(ChatError);
			else expect(expandTemplate(read as Template, inputOf({text: value}))).toContain(`<${value}>`);
		}
	}),
);

describe('a prompt', () => {
	test('is followed by what it has no place for, the arguments last', async () => {
		const input = {text: 'be brief', piped: 'diff'};
		expect(await expand('Review.', input)).toBe('Review.\n\ndiff\n\nbe brief');
		expect(await expand('Review $INPUT.', input)).toBe('Review diff.\n\nbe brief');
		expect(await expand('$ARGUMENTS: review.', input)).toBe('be brief: review.\n\ndiff');
	});

	test('is followed by the words without a place of their own', async () => {
		const input = {text: 'foo bar baz'};
		expect(await expand('x $1 y', input)).toBe('x foo y\n\nbar baz');
		expect(await expand('$3 x $1', input)).toBe('baz x foo\n\nbar');
		expect(await expand('$1 of $ARGUMENTS', input)).toBe('foo of foo bar baz');
	});

	test('after a system template is what was typed, after user.md', async () => {
		const template = await templateOf('You are a pirate.', 'p/system.md');
		const input = inputOf({text: 'hello', piped: 'text'});
		expect(expandTemplate(template, input)).toBe('text\n\nhello');
		expect(expandTemplate({...template, opening: 'INPUT:'}, input)).toBe('INPUT:\n\ntext\n\nhello');
	});

	test('follows a skill, which names its other files', async () => {
		const first = await templateOf('---\nname: pdf\n---\n# PDF\n\nUse tools.', 'pdf/SKILL.md');
		expect(expandTemplate(first, inputOf({text: 'go'}))).toBe(
			'<skill name="pdf">\n# PDF\n\nUse tools.\n</skill>\n\ngo',
		);
		writeTree(first.folder, {'docs/forms.md': '', '.git/x': '', 'a.py': '', 'b\u001b.md': ''});
		const {readTemplate} = await import('../../src/templates/read-template.ts');
		const second = await readTemplate(first);
		expect(second.companions).toEqual(['a.py', 'docs/forms.md']);
		expect(expandTemplate(second, inputOf({}))).toContain('Other files of this skill: a.py, docs');
	});
});

describe('a missing value', () => {
	test('is a parameter that is used and has no default', async () => {
		const front = 'params: {a: , b: x, c: , d: }';
		const template = await templateOf(`---\n${front}\n---\n$a $b $c $a`);
		expect(missingParams(template, 'Be $d', {c: ''})).toEqual(['d', 'a']);
		expect(missingParams(template, '', {a: '1', c: '2'})).toEqual([]);
	});

	test.each([
		['$1 $2', '', 'one', {type: 'argument', place: 2}],
		['$1 $2', '[file] [focus]', '', undefined],
		['$1 $2', '<file> [focus]', 'one', undefined],
		['$ARGUMENTS', '<text>', '', {type: 'arguments'}],
		['$INPUT', '', '', {type: 'input'}],
	])('%j with the hint %j after %j', async (body, hint, text, expected) => {
		const template = await templateOf(`---\nargument-hint: "${hint}"\n---\n${body}`);
		expect(findMissingInput(template, inputOf({text}), false)).toEqual(expected);
	});

	test('is not the input if there are files or piped text', async () => {
		const template = await templateOf('$INPUT');
		expect(findMissingInput(template, inputOf({}), true)).toBeUndefined();
		expect(findMissingInput(template, inputOf({piped: 'x'}), false)).toBeUndefined();
		expect(needsInput(template)).toBe(true);
		expect(needsInput(await templateOf('$1'))).toBe(false);
	});
});
