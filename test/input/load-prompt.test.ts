import {describe, expect, test, vi} from 'vitest';
import {promptMessage} from '../../src/chat/prompt.ts';
import {loadPrompt, type PromptRequest} from '../../src/input/load-prompt.ts';
import {
	createDirectory,
	gitWith,
	inputOf,
	neverAborted,
	openInput,
	pixelGif,
	pixelPng,
	untouchableInput,
} from './input-helpers.ts';

const url = 'https://example.com/a.png';
const png = {type: 'image', url: `data:image/png;base64,${pixelPng.toString('base64')}`} as const;
const text = (content: string) => ({type: 'text', text: content}) as const;

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

async function partsOf(request: Partial<PromptRequest>) {
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

	test('nothing is empty', async () => {
		const nothing = {text: '', attachments: [], notices: []};
		expect(await read({})).toEqual(nothing);
		expect(await read({words: ['']})).toEqual(nothing);
	});

	test('files and images alone are refused where a text is required', async () => {
		const cwd = createDirectory({'a.txt': 'file'});
		const isTextRequired = true;
		await expect(read({isTextRequired})).rejects.toMatchObject({message: 'there is no prompt'});
		await expect(read({files: ['a.txt'], cwd, isTextRequired})).rejects.toMatchObject({
			kind: 'usage',
			message: 'there are files, but no prompt',
		});
	});

	test('files and images alone have no text', async () => {
		const cwd = createDirectory({'a.txt': 'file', 'a.png': pixelPng});
		const prompt = await read({files: ['a.txt'], images: ['a.png'], cwd});
		expect(prompt.text).toBe('');
		expect(promptMessage(prompt).parts).toHaveLength(2);
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

describe('standard input is left alone', () => {
	test.each(['terminal', 'none'] as const)('when it is %s', async (kind) => {
		expect(await partsOf({words: ['hi'], input: untouchableInput(kind)})).toEqual([text('hi')]);
	});

	test('when it is not wanted', async () => {
		const input = untouchableInput('data');
		expect(await partsOf({words: ['hi'], input, isStdinWanted: false})).toEqual([text('hi')]);
	});

	test('when something else is wrong', async () => {
		const input = untouchableInput('data');
		await expect(read({files: ['/gone.txt'], input})).rejects.toMatchObject({kind: 'input'});
		await expect(read({images: ['/gone.png'], input})).rejects.toMatchObject({kind: 'input'});
	});
});

describe('a terminal', () => {
	test('is read to its end when the prompt is written there', async () => {
		const input = inputOf('terminal', 'typed\n', 'lines\n');
		expect(await partsOf({input, isTerminalPrompt: true})).toEqual([text('typed\nlines')]);
	});

	test('is not what that means when something is piped in or there is nothing', async () => {
		const input = untouchableInput('none');
		expect(await partsOf({input, isTerminalPrompt: true})).toEqual([text('')]);
		expect(await partsOf({input: inputOf('data', 'x'), isTerminalPrompt: true})).toEqual([
			text('x'),
		]);
	});
});

describe('binary standard input', () => {
	test('that is an image is attached, after the named ones', async () => {
		const input = inputOf('data', pixelPng.subarray(0, 5), pixelPng.subarray(5));
		expect(await partsOf({words: ['what is it?'], images: [url], input})).toEqual([
			text('what is it?'),
			{type: 'image', url},
			png,
		]);
	});

	test('of any other kind is refused', async () => {
		const input = inputOf('data', '\x7fELF\0\0');
		await expect(read({words: ['hi'], input})).rejects.toMatchObject({
			kind: 'data',
			message: 'stdin is binary: it contains NUL bytes',
		});
	});
});

describe('--image -', () => {
	test('is the image of standard input, in its place among the others', async () => {
		const other = 'https://example.com/b.png';
		const input = inputOf('data', pixelPng);
		expect(await partsOf({words: ['compare'], images: [url, '-', other], input})).toEqual([
			text('compare'),
			{type: 'image', url},
			png,
			{type: 'image', url: other},
		]);
	});

	test('brings its notices', async () => {
		const input = inputOf('data', pixelGif, Buffer.alloc(5 * 1_048_576));
		const {notices} = await read({images: ['-'], input});
		expect(notices.map(({code}) => code)).toEqual(['image-large']);
	});

	test('refuses anything but an image', async () => {
		await expect(read({images: ['-'], input: inputOf('data', 'text')})).rejects.toMatchObject({
			kind: 'data',
			message: expect.stringContaining('stdin is not an image'),
		});
		await expect(read({images: ['-'], input: inputOf('data')})).rejects.toMatchObject({
			kind: 'data',
			message: 'stdin is empty',
		});
	});
});

test('an abort while waiting for standard input rejects with its reason', async () => {
	const {input, stream} = openInput();
	const controller = new AbortController();
	const reason = new Error('stopped by the user');
	const onRead = vi.spyOn(input, 'read');
	const prompt = read({input, signal: controller.signal});
	await vi.waitUntil(() => onRead.mock.calls.length > 0, {interval: 1});
	controller.abort(reason);
	await expect(prompt).rejects.toBe(reason);
	expect(stream.destroyed).toBe(true);
});
