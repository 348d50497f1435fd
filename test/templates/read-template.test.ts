import {symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findTemplate} from '../../src/templates/find-templates.ts';
import {readTemplate} from '../../src/templates/read-template.ts';
import {createDirectory} from '../input/input-helpers.ts';
import {placesOf, templateOf} from './template-files.ts';

const review = `---
description: Reviews a diff
argument-hint: "[focus]"
model: terra
system: @style.md   # beside it
params: {language: English, tone: }
allowed-tools: Bash(git diff:*)
---
Review this in $language.

$INPUT
`;

/** Returns the message of the mistake in a template. */
async function mistakeIn(content: string | Uint8Array, name?: string): Promise<string> {
	const error = await templateOf(content, name).then(
		() => new Error('there is no mistake'),
		(reason: Error) => reason,
	);
	return error.message.replace(/^.*?(?=x\.md|there is)/, '');
}

describe('a template', () => {
	test('has front matter, of which foreign keys are kept', async () => {
		const template = await templateOf(review);
		expect(template).toMatchObject({
			name: 'x',
			kind: 'prompt',
			description: 'Reviews a diff',
			argumentHint: '[focus]',
			params: {language: 'English', tone: null},
			body: 'Review this in $language.\n\n$INPUT',
			notices: [],
		});
		expect(template.values).toMatchObject({
			model: 'terra',
			system: '@style.md',
			'allowed-tools': 'Bash(git diff:*)',
		});
	});

	test.each([
		['description: Use when: a diff is there', {description: 'Use when: a diff is there'}],
		['argument-hint: [file] [focus]', {argumentHint: '[file] [focus]'}],
		['argument-hint: [message]', {argumentHint: '[message]'}],
		['description: >\n  two\n  lines', {description: 'two lines'}],
		['params: [a, b]', {params: {a: null, b: null}}],
		['globs: *.ts\nargument-hint: `code`', {argumentHint: '`code`'}],
		['params: [a, b]\nname: 1: 2', {params: {a: null, b: null}}],
	])('reads %s', async (line, expected) => {
		expect(await templateOf(`---\n${line}\n---\nbody`)).toMatchObject(expected);
	});

	test.each([
		['x.md', 'You are a pirate.', 'system'],
		['x.md', 'It costs $100, $5 or $2.50.', 'system'],
		['x.md', 'Summarize:\n\n$INPUT', 'prompt'],
		['x.md', '---\n---\nTell a joke', 'prompt'],
		['x.md', '---\nno end of front matter', 'system'],
		['p/system.md', '# IDENTITY\n\nYou extract $ARGUMENTS', 'system'],
		['p/SKILL.md', '---\nname: p\n---\nDo it', 'skill'],
	])('%s with %j is of the kind %s', async (name, content, kind) => {
		expect((await templateOf(content, name)).kind).toBe(kind);
	});

	test('may come from Windows, with a byte order mark', async () => {
		const template = await templateOf(`\ufeff${review.replaceAll('\n', '\r\n')}`);
		expect(template).toEqual({
			...(await templateOf(review)),
			path: template.path,
			folder: template.folder,
			hash: template.hash,
		});
	});
});

describe('a mistake is reported', () => {
	test.each([
		['a: "b\nc: d', 'line 3, column 5: Missing closing "quote'],
		['a: 1\nb: {c: [}', 'line 3, column'],
		['a: 1\na: 2', 'line 3, column 1: Map keys must be unique'],
		['- a', 'line 2, column 1: there have to be keys with values'],
		['params: {a: {b: 1}}', 'params has "a"'],
		['params: [ARGUMENTS]', 'params has "ARGUMENTS"'],
		['params: 5', 'params has 5'],
	])('for %j', async (yaml, message) => {
		expect(await mistakeIn(`---\n${yaml}\n---\n`)).toContain(`x.md: ${message}`);
	});

	test.each([
		['a billion laughs', 'a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]', 'must not have aliases'],
		['deep nesting', `a: ${'['.repeat(9_000)}`, 'nested too deep'],
		['long front matter', `a: ${'x'.repeat(70_000)}`, 'longer than 64 KiB'],
	])('for %s', async (_, yaml, message) => {
		expect(await mistakeIn(`---\n${yaml}\n---\n`)).toContain(message);
	});

	test.each([
		['more than 1 MiB', 'x'.repeat(1_100_000), 'larger than the 1 MiB limit'],
		['a PNG', Buffer.from('\x89PNG\r\n\x1a\n0000000000', 'latin1'), 'image'],
	])('for a file with %s', async (_, content, message) => {
		expect(await mistakeIn(content)).toContain(message);
	});

	test('for a link to a file that is not a template, and not for one that is', async () => {
		const root = createDirectory({
			id_key: 'SECRET',
			'far/a.md': 'A $1',
			'p/system.md': 'P',
			'q/system.md': 'Q',
		});
		symlinkSync(join(root, 'id_key'), join(root, 'key.md'));
		symlinkSync(join(root, 'far/a.md'), join(root, 'x.md'));
		symlinkSync(join(root, 'id_key'), join(root, 'p/user.md'));
		symlinkSync(join(root, 'gone'), join(root, 'q/user.md'));
		const read = async (name: string) => await readTemplate(findTemplate(name, placesOf(root)));
		await expect(read('./key.md')).rejects.toThrow(
			/key\.md is a link to .*, which is not a template/,
		);
		expect(await read('./x.md')).toMatchObject({body: 'A $1', folder: join(root, 'far')});
		expect((await read('./p')).opening).toBe('');
		expect((await read('./q')).opening).toBe('');
	});
});
