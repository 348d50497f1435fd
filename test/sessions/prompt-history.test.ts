/** The prompts of earlier sessions. */
import {mkdirSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {describe, expect, test} from 'vitest';
import {toJsonLine} from '../../src/json.ts';
import {deleteSessions} from '../../src/sessions/delete-sessions.ts';
import {oldHistoryPath} from '../../src/sessions/old-history.ts';
import {readPromptHistory} from '../../src/sessions/prompt-history.ts';
import {listSessionFiles} from '../../src/sessions/session-files.ts';
import {textDelta, turnEnd} from '../helpers/events.ts';
import {stepEnd, stepStart} from '../repl/play.ts';
import {createFolder, openWriter, pathOf, type Writer} from './session-files.ts';

const here = '/home/ada/here';

async function textsOf(directory: string): Promise<readonly string[]> {
	return (await readPromptHistory(directory, here)).map(({text}) => text);
}

type Asked = NonNullable<Parameters<Writer['ask']>[2]>;

/** Saves a session of one prompt, and reads the history. */
async function recall(
	text: string,
	asked: Asked = {},
	attachments: Parameters<Writer['ask']>[1] = [],
) {
	const directory = createFolder();
	openWriter(directory, 'a1', undefined, here).ask(text, attachments, asked);
	return await readPromptHistory(directory, here);
}

const file = (name: string) => ({type: 'file', name, text: 'content'}) as const;

describe('the history', () => {
	test('has the prompts of all sessions, those of other folders first', async () => {
		const directory = createFolder();
		const one = openWriter(directory, 'a1', undefined, here);
		const two = openWriter(directory, 'b2', undefined, '/elsewhere');
		const three = openWriter(directory, 'c3', undefined, here);
		one.ask('first', [], {at: 1000});
		two.ask('second', [], {at: 2000});
		three.ask('third\nof two lines', [], {at: 3000});
		one.change({type: 'turn-ended', id: 'first', turn: undefined});
		one.ask('fourth', [], {at: 4000});
		expect(await textsOf(directory)).toEqual(['second', 'first', 'third\nof two lines', 'fourth']);
	});

	test('has the call of a template as it was typed, not the prompt that it made', async () => {
		const typed = {text: '/review security\nfirst', signs: [0]};
		const folds = [{from: 0, to: 9, label: '/review security first'}];
		expect(await recall('Review it', {folds, typed})).toMatchObject([typed]);
		const [other] = await recall('Review it', {folds});
		expect(other).toMatchObject({text: '/review security first', signs: undefined});
	});

	test('has the mention of a file, which attaches it again only if it was typed here', async () => {
		const typed = {text: 'Check @a.txt, please', folds: [], signs: [6]};
		const folds = [{from: 6, to: 12, label: '@a.txt', attachments: [0]}];
		const text = 'Check @a.txt, please';
		expect(await recall(text, {folds, typed}, [file('a.txt')])).toMatchObject([typed]);
		const [other] = await recall(text, {folds}, [file('a.txt')]);
		expect(other).toMatchObject({text, signs: undefined});
	});

	test('has no attachments that were pasted, nor the words that stand for them', async () => {
		const folds = [
			{from: 6, to: 16, label: '[Image #1]', attachments: [0]},
			{from: 21, to: 25, label: '[Pasted]'},
		];
		expect(await recall('Check [Image #1] and text', {folds}, [file('a')])).toMatchObject([
			{text: 'Check and text', folds: [{from: 10, to: 14, label: '[Pasted]'}]},
		]);
	});

	test('leaves out prompts that start with a space, and very long ones', async () => {
		expect(await recall(' private')).toEqual([]);
		expect(await recall('x'.repeat(100_000))).toEqual([]);
	});

	test('has the prompts at the end of a very long session', async () => {
		const directory = createFolder();
		const writer = openWriter(directory, 'a1', undefined, here);
		writer.ask('one');
		writer.receive([stepStart, textDelta('x'.repeat(2_000_000)), stepEnd(), turnEnd]);
		writer.chat('the newest');
		expect(await textsOf(directory)).toEqual(['the newest']);
	});

	test('has the prompts of the newest sessions, if there are very many', async () => {
		const directory = createFolder();
		for (let number = 0; number < 12; number += 1) {
			const id = `a${number}`;
			const writer = openWriter(directory, id, undefined, here);
			writer.ask('long', [], {at: 0});
			writer.receive([stepStart, textDelta('x'.repeat(1_000_000)), stepEnd(), turnEnd]);
			writer.ask(`prompt ${number}`, [], {at: number});
			utimesSync(pathOf(directory, id), number, number);
		}
		const texts = await textsOf(directory);
		expect(texts.at(-1)).toBe('prompt 11');
		expect(texts).not.toContain('prompt 0');
	});
});

describe('the file of earlier versions', () => {
	const lineOf = (text: string, more = {}) =>
		toJsonLine({at: '2026-11-22T02:47:45.120Z', cwd: here, text, ...more});

	function createOld(...lines: readonly string[]): string {
		const directory = createFolder();
		mkdirSync(directory, {recursive: true});
		writeFileSync(oldHistoryPath(directory), lines.join(''));
		return directory;
	}

	test('has older prompts', async () => {
		const directory = createOld(lineOf('old one'), lineOf('elsewhere', {cwd: '/'}));
		openWriter(directory, 'a1', undefined, here).ask('new one', [], {at: Date.now()});
		expect(await textsOf(directory)).toEqual(['elsewhere', 'old one', 'new one']);
	});

	test.each([
		['a line that is not JSON', 'not JSON\n'],
		['half a record before the next one', '{"at":"2026-11-2'],
	])('loses no other record to %s', async (_, damage) => {
		const directory = createOld(lineOf('good'), damage, lineOf('after'));
		expect(await textsOf(directory)).toEqual(['good', 'after']);
	});

	test.each([
		[[{from: 0, to: 99, label: ''}]],
		[[{from: 3, to: 2, label: ''}]],
		[
			[
				{from: 0, to: 3, label: ''},
				{from: 2, to: 4, label: ''},
			],
		],
	])('folds %j are ignored', async (folds) => {
		const directory = createOld(lineOf('text', {folds}));
		expect(await readPromptHistory(directory, here)).toMatchObject([{folds: undefined}]);
	});

	test('loses the prompts of a deleted conversation as they were typed, also after half a record', async () => {
		const half = '{"at":"2026-11-2';
		const directory = createOld(`${half}${lineOf('asked')}`, lineOf('/review it'), lineOf('kept'));
		const writer = openWriter(directory, 'a1', undefined, here);
		writer.ask('asked');
		writer.ask('Review', [], {folds: [{from: 0, to: 6, label: '/review it'}]});
		await deleteSessions(listSessionFiles(directory), directory, false);
		expect(await textsOf(directory)).toEqual(['kept']);
	});

	test('is not read if it is not a regular file', async () => {
		const directory = createFolder();
		mkdirSync(dirname(oldHistoryPath(directory)), {recursive: true});
		symlinkSync('/dev/zero', oldHistoryPath(directory));
		expect(await textsOf(directory)).toEqual([]);
	});
});
