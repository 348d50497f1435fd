/** Images from the clipboard, whose programs are stand-ins. */
import {chmod, mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {runChat} from '../helpers/run-chat.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import {makeSolidPng} from '../server/helpers/images.ts';

const png = makeSolidPng(64, 48, [220, 20, 30]);

type Clipboard = {readonly image?: Buffer; readonly text?: string};

/** Installs a program of this name that prints the clipboard as xclip and wl-paste do. */
async function install(name: string, {image, text}: Clipboard): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'chat-clipboard-'));
	onTestFinished(() => rm(folder, {recursive: true, force: true}));
	const bin = join(folder, 'bin');
	await mkdir(bin);
	if (image !== undefined) await writeFile(join(folder, 'image'), image);
	if (text !== undefined) await writeFile(join(folder, 'text'), text);
	const script = `#!/bin/sh
case "$*" in
*image/png*) exec cat '${folder}/image' ;;
*) exec cat '${folder}/text' ;;
esac
`;
	await writeFile(join(bin, name), script);
	await chmod(join(bin, name), 0o700);
	return `${bin}:/usr/bin:/bin`;
}

const platform = 'linux';
const argv = ['--image', 'clipboard:', 'what came with this?'];

test.each([
	['xclip', {DISPLAY: ':0'}],
	['wl-paste', {WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0'}],
])('--image clipboard: sends the image that %s prints', async (name, display) => {
	const PATH = await install(name, {image: png});
	const result = await runChat(argv, {platform, cwd: tmpdir(), variables: {...display, PATH}});
	expect(result.stdout).toContain('PNG, 64 x 48 pixels');
});

test.each([
	[
		'osascript',
		'darwin',
		{},
		(bytes: Buffer) => `«data PNGf${bytes.toString('hex').toUpperCase()}»`,
	],
	['powershell.exe', 'linux', {WSL_DISTRO_NAME: 'D'}, (bytes: Buffer) => bytes.toString('base64')],
])('--image clipboard: decodes what %s prints', async (name, system, display, print) => {
	// In base64 these bytes are the letters before the digits of AppleScript.
	const padding = Buffer.alloc(3 - (png.length % 3));
	const image = Buffer.concat([png, padding, Buffer.from('PNGf', 'base64')]);
	const PATH = await install(name, {text: print(image)});
	const variables = {...display, PATH};
	const result = await runChat(argv, {platform: system, cwd: tmpdir(), variables});
	expect(result.stdout).toContain('PNG, 64 x 48 pixels');
});

test.each([
	['a text in it', {DISPLAY: ':0'}, {text: 'words'}, /has a text, not an image\n.*paste it/],
	['nothing in it', {DISPLAY: ':0'}, {}, /the clipboard has no image and no text/],
	['no program for it', {DISPLAY: ':0', PATH: '/nowhere'}, {}, /no program .*\n.*Install xclip/],
	['no desktop', {}, {image: png}, /there is no clipboard here\n.*--image FILE/],
	['SSH', {SSH_CONNECTION: '1 2 3 4'}, {image: png}, /out of reach over SSH\n.*FILE/],
	['a broken image', {DISPLAY: ':0'}, {image: png.subarray(0, 30)}, /is a broken image/],
])('--image clipboard: says what to do with %s', async (_, display, clipboard, message) => {
	const PATH = await install('xclip', clipboard);
	const result = await runChat(argv, {platform, cwd: tmpdir(), variables: {PATH, ...display}});
	expect(result.stdout).toBe('');
	expect(result.stderr).toMatch(message);
});

test('Ctrl-V attaches the image as a chip with its size, and pastes a text', async () => {
	const PATH = await install('xclip', {image: png});
	const terminal = await openInProcess({env: {DISPLAY: ':0', PATH}});
	await terminal.untilText('Ask something');
	terminal.type('what is in ');
	terminal.press('ctrl+v');
	await terminal.untilText(`what is in [Image #1 64×48 ${png.length} bytes]`);
	terminal.press('enter');
	await terminal.untilText('PNG, 64 x 48 pixels');
	const words = await install('xclip', {text: 'pasted\nwords'});
	const other = await openInProcess({env: {DISPLAY: ':0', PATH: words}});
	await other.untilText('Ask something');
	other.press('ctrl+v');
	await other.untilText(/› pasted\n {2}words/);
	const none = await openInProcess({env: {DISPLAY: ':0', PATH: '/nowhere'}});
	await none.untilText('Ask something');
	none.press('ctrl+v');
	await none.untilText('no program is installed that reads the clipboard. Install xclip.');
});
