import {describe, expect, test} from 'vitest';
import {promptMessage} from '../../src/chat/prompt.ts';
import {loadPrompt, type PromptRequest} from '../../src/input/load-prompt.ts';
import {
	createDirectory,
	gitWith,
	inputOf,
	neverAborted,
	pixelPng,
	untouchableInput,
} from './input-helpers.ts';

const url = 'https://example.com/a.png';
const png = {type: 'image', url: `data:image/png;base64,${pixelPng.toString('base64')}`} as const;
const _text = (content: string) => ({type: 'text', text: content}) as const;

function read(request: Partial<PromptRequest>) {
	return loadPrompt({
		words: [],
		files: [],
		images: [],
		media: [],
		input: untouchableInput('none'),
		isStdinWanted: true,
		cwd: '/',
		signal: neverAborted,
		git: gitWith(),
		...request,
	});
}

async function _partsOf(request: Partial<PromptRequest>) {
	return promptMessage(await read(request)).parts;
}

describe('words, files, images and piped text become one message', () => {
	test('of all of them', async () => {
		const cwd = createDirectory({'a.txt': 'file\n', 'a.png': pixelPng});
		const prompt = await read({
			words: ['what', 'is this?'],
			files: ['a.txt'],
			images: ['a.png', url],
			input: inputOf('data', 'pi', 'ped\n'),
			cwd,
		});
		expect(prompt).toEqual({
			text: 'piped\n\nwhat is this?',
			folds: [{from: 0, to: 5, label: '[Piped 1 line]'}],
			attachments: [
				{type: 'file', name: 'a.txt', text: 'file\n'},
				{type: 'image', name: 'a.png', part: png},
				{type: 'image', name: url, part: {type: 'image', url}},
			],
			notices: [],
		});
	});

	test('of files and images alone, or of nothing, where no text is required', async () => {
		const cwd = createDirectory({'a.txt': 'file', 'a.png': pixelPng});
		const prompt = await read({files: ['a.txt'], images: ['a.png'], cwd});
		expect(prompt.text).toBe('');
		expect(promptMessage(prompt).parts).toHaveLength(2);
		expect(await read({words: ['']})).toEqual({text: '', attachments: [], notices: []});
	});

	test('notices come with it, in the order of files, images, standard input', async () => {
		const cwd = createDirectory({
			'latin.txt': Buffer.from('\xe9', 'latin1'),
			'large.png': Buffer.concat([pixelPng, Buffer.alloc(5 * 1_048_576)]),
		});
		const {notices} = await read({
			files: ['latin.txt'],
			images: ['large.png'],
			input: inputOf('data', Buffer.from('caf\xe9', 'latin1')),
			cwd,
		});
		expect(notices.map(({code}) => code)).toEqual(['invalid-utf8', 'image-large', 'invalid-utf8']);
		expect(notices.map(({message}) => message.split(' ')[0])).toEqual([
			'latin.txt',
			'large.png',
			'stdin',
		]);
	});
});

test('standard input is left alone when something else is wrong', async () => {
	const input = untouchableInput('data');
	await expect(read({files: ['/gone.txt'], input})).rejects.toMatchObject({kind: 'input'});
	await expect(read({images: ['/gone.png'], input})).rejects.toMatchObject({kind: 'input'});
});
