/** The prompt: words, files, images and standard input, and the system message. */
import {execFileSync} from 'node:child_process';
import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {type Line, type RunOptions, runChat} from '../helpers/run-chat.ts';
import {type Given, openScene, testOutputs, testRefusals} from '../helpers/run-table.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import {createDirectory, pixelGif, pixelPng} from '../input/input-helpers.ts';
import {makeSolidPng} from '../server/helpers/images.ts';

/** Standard input that says nothing: a run that reads it does not end. */
const silent = () => new Readable({read: () => undefined});
const typed = {typed: 'from the keyboard\n'};
const pdf = Buffer.from('%PDF-1.7\n%%EOF\n');
const wav = Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1');
const both = ['stdout', 'stderr'] as const;

const text = (content: string) => ({type: 'text', text: content});
const imagePart = (url: string) => ({type: 'image_url', image_url: {url}});
const dataOf = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`;
const png = imagePart(dataOf('image/png', pixelPng));
const gif = imagePart(dataOf('image/gif', pixelGif));
const filePart = (filename: string) => {
	return {type: 'file', file: {filename, file_data: dataOf('application/pdf', pdf)}};
};
const audio = {type: 'input_audio', input_audio: {data: wav.toString('base64'), format: 'wav'}};
const httpUrl = 'https://example.com/a%20photo.png?size=1';
const inFile = (name: string, content: string) => `<file name="${name}">\n${content}\n</file>\n`;

const files = {
	'a.txt': 'a',
	'b.txt': 'two\nlines\n',
	'it is.md': 'c',
	notes: 'n',
	'a.png': pixelPng,
	'b.dat': pixelGif,
	'a.pdf': pdf,
	'a.wav': wav,
	'src/x.ts': 'let x;\n',
};

describe('the prompt', () => {
	test.each<[Line, unknown, RunOptions?]>([
		['', 'piped', {stdin: 'piped\n'}],
		['p', 'piped\n\np', {stdin: 'piped\n'}],
		['', 'from the keyboard', {stdin: typed, terminals: ['stderr']}],
		['- p', 'from the keyboard\n\np', {stdin: typed, terminals: both}],
		['--no-stdin p', 'p', {stdin: 'piped'}],
		['5 - 3', '5 - 3'],
		[
			['-f', 'b.txt', '--file', 'it is.md', 'compare', 'them'],
			`${inFile('b.txt', 'two\nlines')}${inFile('it is.md', 'c')}\npiped\n\ncompare them`,
			{stdin: 'piped\n'},
		],
		['-f src p', `${inFile('src/x.ts', 'let x;')}\np`],
		['-- @b.txt', '@b.txt'],
		[['what is in b.txt?'], 'what is in b.txt?'],
		['what?', [text('what?'), png], {stdin: pixelPng}],
		[
			`--image ${httpUrl} --image - --image b.dat what?`,
			[text('what?'), imagePart(httpUrl), png, gif],
			{stdin: pixelPng},
		],
		['-a - what?', [text('what?'), filePart('stdin.pdf')], {stdin: pdf}],
		['-f a.txt --image a.png -a a.wav p', [text(`${inFile('a.txt', 'a')}\np`), png, audio]],
	])('of %j is %j', async (line, content, options?: RunOptions) => {
		const {run, service} = await openScene({files, ...options});
		const {stdout, exitCode} = await run(line);
		expect({stdout, exitCode}).toEqual({stdout: 'Hi.\n', exitCode: 0});
		expect(service.prompt()).toEqual(content);
	});

	const noPrompt = /there is no prompt\n.*Give one: chat "your question"/;
	const many = Object.fromEntries(Array.from({length: 9}, (_, place) => [`${place}.md`, '']));
	const names = Object.keys(many);
	testRefusals(
		'is missing or cannot be sent',
		[
			['', 64, noPrompt, {stdin: ' \n\t\n'}],
			['-f gone.txt p', 66, /no such file: gone\.txt\n.*path/, {stdin: silent()}],
			['-f *.rs p', 66, /no file matches \*\.rs\n.*chat -f '\*\*\/\*\.rs'/],
			['-f - p', 64, /-f needs a path.*\n.*Piped/],
			['p', 65, '', {stdin: 'a\0b'}],
			['-', 64, /^chat: - reads stdin, but nothing was piped in\n/],
			['- --no-stdin', 64, /^chat: - reads stdin, which is turned off\n {6}Use --stdin/],
			['-i -', 64, /^chat: - reads the terminal, which -i needs/, {stdin: typed}],
			[
				['-f', 'a.txt', 'b.txt', 'it is.md', 'compare them'],
				64,
				/^chat: -f takes one file, but .*: b\.txt, it is\.md\n.*-f a\.txt -f b\.txt -f 'it is\.md' 'com/,
			],
			[
				['-f', ...names, '-m', 'sol', 'p'],
				64,
				/more files follow: 1\.md.*\n.*Quote a pattern: chat -f '\*\.md' "your question"\n$/,
			],
			[['-f', 'a.txt', ...names, 'p'], 64, /7\.md and 1 more\n.*chat -f '\*\.md' "your/],
			['b.txt', 64, /^chat: b\.txt would be sent as text.*\n.*chat -f b\.txt "your question"/],
			[['compare', './a.txt', 'with', 'it is.md'], 64, "-f ./a.txt -f 'it is.md' 'compare with'."],
			['-a a.txt p', 65, /a\.txt is not a PDF, a recording or an image.*\n.*-f/],
			['-a - --image - p', 64, /stdin can be attached only once/, {stdin: pdf}],
			['--image a.txt p', 65, /a\.txt is not an image.*\n.*use -f/],
			['--image a.svg p', 65, /a\.svg is an SVG image: png.*\n.*PNG/],
			['--image - p', 64, /nothing was piped in\n.*Pipe one in/, {stdin: 'terminal'}],
			['--image https://user:hunter2222@example.com/a.png p', 64, '', {secrets: ['hunter2222']}],
		],
		{
			files: {
				...files,
				...many,
				'a.svg': '<svg viewBox="0 0 1 1"/>',
			},
		},
	);

	const large = {'a.txt': 'x'.repeat(200_000), 'b.txt': 'x'.repeat(100_000)};
	const twice = '-f a.txt -f empty.txt -f ./a.txt p';
	const image = '--image a.png what?';
	const tier = 'chat: MODEL-5.6-terra may not support images; the sol tier does\n';
	testOutputs(
		'has notices',
		[
			['', 'Hi.\n', {stdin: typed}, /end it with Ctrl-D/],
			['review this', 'Hi.\n', {stdin: ' \n'}, 'chat: nothing was piped in\n'],
			['-f . p', 'Hi.\n', {files: large}, 'chat: 2 files, 293 KiB in total\n'],
			['p', 'Hi.\n', {stdin: 'x'.repeat(300_000)}, 'chat: piped text, 293 KiB in total\n'],
			['-f src -f . p', 'Hi.\n', {}, /chat: \.: 5 files; left out: 4 binary\n/],
			[
				twice,
				'Hi.\n',
				{files: {'a.txt': 'a', 'empty.txt': ' \n'}},
				'chat: ./a.txt is given more than once, and sent once\nchat: empty.txt is empty\n',
			],
			[`-m terra ${image}`, 'Hi.\n', {}, tier],
		],
		{files},
	);

	test('is sent without terminal colours, and with its invalid bytes marked', async () => {
		const {run, service} = await openScene();
		const stdin = Buffer.from('\x1b[1;31m-\xff\x1b[m\x1b[K\n\x1b[2J', 'latin1');
		expect((await run('', {stdin})).stderr.split('\n')).toEqual([
			expect.stringMatching(/^chat: stdin is not valid UTF-8/),
			'chat: terminal colours were removed from stdin',
			'',
		]);
		expect(service.prompt()).toBe('-\ufffd\n\x1b[2J');
	});
});

describe('standard input', () => {
	const waits: ReadonlyArray<readonly [Line, RunOptions]> = [
		['-o json p', {stdin: silent()}],
		['-s @pipe p', {}],
	];

	test.skipIf(process.platform === 'win32').each(waits)(
		'a signal ends the wait: %j',
		async (line, options) => {
			const {run, cwd, service} = await openScene(options);
			const pipe = join(cwd, 'pipe');
			execFileSync('mkfifo', [pipe]);
			const {exitCode} = await run(line, {
				onListening: (send) => setImmediate(() => send('SIGINT')),
			});
			// Lets go of what still waits for a writer.
			if (line !== '-o json p') await (await open(pipe, 'w')).close();
			expect(exitCode).toBe(130);
			expect(service.requests).toEqual([]);
		},
	);

	/** Runs with a clock that goes a second further whenever nothing else happens. */
	async function runLate(line: Line, options: RunOptions) {
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		onTestFinished(() => {
			vi.useRealTimers();
		});
		let isOver = false;
		const running = runChat(line, options).finally(() => {
			isOver = true;
		});
		while (!isOver) {
			vi.advanceTimersByTime(1000);
			await nextTurn();
		}
		return await running;
	}

	test.each(['', '-q'])('that keeps a run waiting is named, and not lost: %s', async (flags) => {
		const stdin = new Readable({read() {}});
		const run = await runLate(`${flags} Say this: yes`, {
			stdin,
			onStderr: (shown) => {
				if (shown.includes('waiting for stdin') && !stdin.readableEnded) stdin.push(null);
			},
		});
		const message = 'waiting for stdin to end; --no-stdin or CHAT_STDIN=false ignores it\n';
		expect(run.stderr).toContain(`chat: ${message}`);
		expect(run.stdout).toContain('yes');
	});
});

describe('the clipboard, whose programs are stand-ins', () => {
	const image = makeSolidPng(64, 48, [220, 20, 30]);
	const x11 = {DISPLAY: ':0'};

	/** Installs a program that prints the clipboard as xclip and wl-paste do. */
	function install(name: string, {image: bytes, text: words}: Clipboard): string {
		const folder = createDirectory();
		mkdirSync(join(folder, 'bin'));
		if (bytes !== undefined) writeFileSync(join(folder, 'image'), bytes);
		if (words !== undefined) writeFileSync(join(folder, 'text'), words);
		const cases = `*image/png*) exec cat '${folder}/image' ;;\n*) exec cat '${folder}/text' ;;`;
		writeFileSync(join(folder, 'bin', name), `#!/bin/sh\ncase "$*" in\n${cases}\nesac\n`);
		chmodSync(join(folder, 'bin', name), 0o700);
		return `${join(folder, 'bin')}:/usr/bin:/bin`;
	}

	type Clipboard = {readonly image?: Buffer; readonly text?: string};

	// In base64 these bytes are the letters before the digits of AppleScript.
	const padding = Buffer.alloc(3 - (image.length % 3));
	const longer = Buffer.concat([image, padding, Buffer.from('PNGf', 'base64')]);
	const hex = `«data PNGf${longer.toString('hex').toUpperCase()}»`;
	const wayland = {WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0'};

	test.each<[string, string, Readonly<Record<string, string>>, Clipboard, RegExp]>([
		['wl-paste', 'linux', wayland, {image}, /PNG, 64 x 48 pixels/],
		['osascript', 'darwin', {}, {text: hex}, /PNG, 64 x 48 pixels/],
		[
			'powershell.exe',
			'linux',
			{WSL_DISTRO_NAME: 'D'},
			{text: longer.toString('base64')},
			/PNG, 64 x 48 pixels/,
		],
		['xclip', 'linux', x11, {text: 'words'}, /has a text, not an image\n.*paste it/],
		['xclip', 'linux', x11, {}, /the clipboard has no image and no text/],
		['no program', 'linux', {...x11, PATH: '/nowhere'}, {}, /no program .*\n.*Install xclip/],
		['xclip', 'linux', {SSH_CONNECTION: '1 2 3 4'}, {image}, /out of reach over SSH\n.*FILE/],
		['xclip', 'linux', x11, {image: image.subarray(0, 30)}, /is a broken image/],
	])('%s on %s with %j', async (name, platform, display, clipboard, shown) => {
		const given: Given = {platform, variables: {PATH: install(name, clipboard), ...display}};
		const {run} = await openScene({...given, replies: null});
		const {stdout, stderr, exitCode} = await run('--image clipboard: what came with this?');
		if (shown.source.startsWith('PNG')) expect(stdout).toMatch(shown);
		else expect([stdout, exitCode === 0]).toEqual(['', false]);
		expect(stdout + stderr).toMatch(shown);
	});

	test('Ctrl-V attaches an image as a chip with its size, and pastes a text', async () => {
		const terminal = await openInProcess({env: {...x11, PATH: install('xclip', {image})}});
		await terminal.untilText('Ask something');
		terminal.type('what is in ');
		terminal.press('ctrl+v');
		await terminal.untilText(`what is in [Image #1 64×48 ${image.length} bytes]`);
		terminal.press('enter');
		await terminal.untilText('PNG, 64 x 48 pixels');
		const PATH = install('xclip', {text: 'pasted\nwords'});
		const other = await openInProcess({env: {...x11, PATH}});
		await other.untilText('Ask something');
		other.press('ctrl+v');
		await other.untilText(/› pasted\n {2}words/);
	});
});
