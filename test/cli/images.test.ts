import {describe, expect, test} from 'vitest';
import {streamReply} from '../helpers/replies.ts';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';
import {startRecording} from '../helpers/start-service.ts';
import {createDirectory, pixelGif, pixelPng} from '../input/input-helpers.ts';
import {makeSolidPng} from '../server/helpers/images.ts';

const red = makeSolidPng(4, 3, [220, 20, 30]);
const blue = makeSolidPng(7, 9, [20, 30, 220]);

function dataUrl(mediaType: string, bytes: Uint8Array): string {
	return `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
}

/** The content that the service gets. */
async function contentOf(argv: readonly string[], options: RunOptions = {}): Promise<unknown> {
	const service = await startRecording(streamReply(['Nice.']));
	const cwd = createDirectory({'a.png': pixelPng, 'b.dat': pixelGif});
	const run = await runChat(argv, {cwd, ...options, variables: service.variables});
	expect(run).toEqual({stdout: 'Nice.\n', stderr: '', exitCode: 0});
	return service.prompt();
}

function content(text: string, ...urls: readonly string[]) {
	const images = urls.map((url) => ({type: 'image_url', image_url: {url}}));
	return [{type: 'text', text}, ...images];
}

const pngUrl = dataUrl('image/png', pixelPng);
const gifUrl = dataUrl('image/gif', pixelGif);
const httpUrl = 'https://example.com/a%20photo.png?size=1';

describe('an image', () => {
	test('of a file is sent as a data: URL, after the text', async () => {
		expect(await contentOf(['--image', 'a.png', 'what?'])).toEqual(content('what?', pngUrl));
	});

	test('has the type that its bytes tell', async () => {
		expect(await contentOf(['--image', 'b.dat', 'what?'])).toEqual(content('what?', gifUrl));
	});

	test('at a URL is sent by that URL', async () => {
		expect(await contentOf(['--image', httpUrl, 'what?'])).toEqual(content('what?', httpUrl));
	});

	test('named - comes from standard input', async () => {
		expect(await contentOf(['--image', '-', 'what?'], {stdin: pixelPng})).toEqual(
			content('what?', pngUrl),
		);
	});

	test('that is piped in needs no name', async () => {
		expect(await contentOf(['what?'], {stdin: pixelPng})).toEqual(content('what?', pngUrl));
	});

	test('keeps its place among others', async () => {
		const named = ['--image', httpUrl, '--image', '-', '--image', 'b.dat', 'what?'];
		expect(await contentOf(named, {stdin: pixelPng})).toEqual(
			content('what?', httpUrl, pngUrl, gifUrl),
		);
		expect(await contentOf(['--image', 'b.dat', 'what?'], {stdin: pixelPng})).toEqual(
			content('what?', gifUrl, pngUrl),
		);
	});
});

describe('two different images', () => {
	test('get two different descriptions of the built-in service', async () => {
		const cwd = createDirectory({'red.png': red, 'blue.png': blue});
		const describeImage = (name: string) =>
			runChat(['-q', '--image', name, 'What is on this image?'], {cwd});
		const [first, second] = [await describeImage('red.png'), await describeImage('blue.png')];
		expect([first.exitCode, second.exitCode]).toEqual([0, 0]);
		expect(first.stdout).toMatch(/PNG, 4 x 3 pixels/);
		expect(second.stdout).toMatch(/PNG, 7 x 9 pixels/);
	});
});

describe('a tier without images', () => {
	test.each([
		['terra', /^chat: MODEL-5\.6-terra may not support images; the sol tier does\n$/],
		['luna', /^chat: MODEL-5\.6-luna may not support images/],
		['sol', /^$/],
		['gpt-x', /^$/],
	])('is remarked on, and sent all the same: %s', async (model, remark) => {
		const service = await startRecording(streamReply(['Nice.']));
		const cwd = createDirectory({'a.png': pixelPng});
		const argv = ['-m', model, '--image', 'a.png', 'what?'];
		const run = await runChat(argv, {cwd, variables: service.variables});
		expect(run.stderr).toMatch(remark);
		expect(run.stdout).toBe('Nice.\n');
		expect(service.prompt()).toEqual(content('what?', pngUrl));
		const quiet = await runChat(['-q', ...argv], {cwd, variables: service.variables});
		expect(quiet.stderr).toBe('');
	});

	test('is a notice of the JSON output', async () => {
		const {variables} = await startRecording(streamReply(['Nice.']));
		const cwd = createDirectory({'a.png': pixelPng});
		const argv = ['-o', 'json', '-m', 'luna', '--image', 'a.png', 'what?'];
		const run = await runChat(argv, {cwd, variables});
		expect(JSON.parse(run.stdout).notices).toMatchObject([{code: 'image-tier'}]);
		expect(run.stderr).toBe('');
	});
});

describe('something that is not an image', () => {
	const others = {
		'a.svg': '<svg viewBox="0 0 1 1"/>',
		'b.svg': '\ufeff<?xml version="1.0"?>\n<!-- Drawn by hand. -->\n<svg xmlns="x"/>',
		'a.html': '<!DOCTYPE html>\n<svg/>',
		'a.pdf': '%PDF-1.7\n',
		'a.heic': Buffer.from('00000018667479706865696300000000', 'hex'),
		'a.webm': Buffer.from('1a45dfa3', 'hex'),
	};
	test.each([
		['a missing file', ['--image', 'gone.png', 'p'], {}, 66, /no such file: gone\.png\n.*path/],
		['a text file', ['--image', 'a.txt', 'p'], {}, 65, /a\.txt is not an image.*\n.*use -f/],
		['an SVG', ['--image', 'a.svg', 'p'], {}, 65, /a\.svg is an SVG image: png.*\n.*PNG/],
		['an SVG with a declaration', ['--image', 'b.svg', 'p'], {}, 65, /b\.svg is an SVG image/],
		['a web page', ['--image', 'a.html', 'p'], {}, 65, /a\.html is not an image.*\n.*use -f/],
		['a HEIC', ['--image', 'a.heic', 'p'], {}, 65, /a\.heic is a HEIC image: png.*\n.*Convert/],
		['a video', ['--image', 'a.webm', 'p'], {}, 65, /a\.webm is a video: png.*\n.*still/],
		['a PDF', ['--image', 'a.pdf', 'p'], {}, 65, /a\.pdf is a PDF: png.*\n.*with -f/],
		['an empty file', ['--image', 'empty', 'p'], {}, 65, /empty is empty/],
		['a text at -', ['--image', '-', 'p'], {stdin: 'text'}, 65, /stdin is not an image/],
		['no input at -', ['--image', '-', 'p'], {}, 64, /nothing was piped in\n.*Pipe one in/],
		['a terminal at -', ['--image', '-', 'p'], {stdin: 'terminal'}, 64, /nothing was piped in/],
		[
			'- twice',
			['--image', '-', '--image', '-', '-f', 'no', 'p'],
			{stdin: 'x'},
			64,
			/stdin can be attached only once/,
		],
		['- with --no-stdin', ['--no-stdin', '--image', '-', 'p'], {stdin: 'x'}, 64, /turned off/],
		['a broken URL', ['--image', 'https://', 'p'], {}, 65, /image URL is not valid/],
		['no question', ['--image', 'a.png'], {}, 64, /there are files, but no prompt/],
	])('%s: nothing is sent, and the message says why', async (_, argv, options, code, message) => {
		const {variables, requests} = await startRecording(streamReply(['no']));
		const cwd = createDirectory({...others, 'a.txt': 'text', empty: '', 'a.png': pixelPng});
		const run = await runChat(argv, {cwd, ...options, variables});
		expect(run).toMatchObject({stdout: '', exitCode: code});
		expect(run.stderr).toMatch(message);
		expect(requests).toEqual([]);
	});

	test('a URL with a password is not sent, and not shown', async () => {
		const {variables, requests} = await startRecording(streamReply(['no']));
		const argv = ['--image', 'https://user:hunter2222@example.com/a.png', 'p'];
		const run = await runChat(argv, {variables, secrets: ['hunter2222']});
		expect(run).toMatchObject({stdout: '', exitCode: 64});
		expect(requests).toEqual([]);
	});
});
