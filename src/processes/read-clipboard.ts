/** Reads the clipboard of the desktop: an image, else a text. */
import {Buffer} from 'node:buffer';
import {ChatError} from '../errors.ts';
import type {Hint} from '../hint.ts';
import {detectImage} from '../media-type.ts';
import {withoutKeys} from '../redact.ts';
import {mebibyte} from '../wording.ts';
import {type Desktop, hasVariable, isRemote, onPlatform, type Place} from './desktop.ts';
import {findSystemProgram} from './find-program.ts';
import {createWholeBuffer} from './output-buffer.ts';
import {runProcess} from './run-process.ts';

export type ClipboardContent =
	| {readonly type: 'image'; readonly bytes: Buffer}
	| {readonly type: 'text'; readonly text: string};

type ClipboardReader = {
	readonly type: ClipboardContent['type'];
	readonly argv: readonly [program: string, ...string[]];
	isThere(place: Place): boolean;
	/** How the program prints the bytes, if not as they are. */
	readonly encoding?: 'hex' | 'base64';
	/** The package to install. */
	readonly package?: string;
};

const powershell = ['powershell.exe', '-NoProfile', '-STA', '-Command'] as const;
const printImage =
	'Add-Type -AssemblyName System.Windows.Forms; $i = [Windows.Forms.Clipboard]::GetImage(); ' +
	'if ($i) { $m = New-Object IO.MemoryStream; ' +
	'$i.Save($m, [Drawing.Imaging.ImageFormat]::Png); [Convert]::ToBase64String($m.ToArray()) }';
const printText = '[Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes((Get-Clipboard -Raw)))';

const isMac = onPlatform('darwin');
const isWayland = hasVariable('WAYLAND_DISPLAY');
const isX11 = hasVariable('DISPLAY');
const isWindows = (place: Place) =>
	onPlatform('win32')(place) || hasVariable('WSL_DISTRO_NAME')(place);

/** Tried in order, images first. */
const readers: readonly ClipboardReader[] = [
	{type: 'image', argv: ['pngpaste', '-'], isThere: isMac},
	{
		type: 'image',
		argv: ['osascript', '-e', 'get the clipboard as «class PNGf»'],
		isThere: isMac,
		encoding: 'hex',
	},
	{type: 'image', argv: [...powershell, printImage], isThere: isWindows, encoding: 'base64'},
	{
		type: 'image',
		argv: ['wl-paste', '--no-newline', '--type', 'image/png'],
		isThere: isWayland,
		package: 'wl-clipboard',
	},
	{
		type: 'image',
		argv: ['xclip', '-selection', 'clipboard', '-target', 'image/png', '-out'],
		isThere: isX11,
		package: 'xclip',
	},
	{type: 'text', argv: ['pbpaste'], isThere: isMac},
	{type: 'text', argv: [...powershell, printText], isThere: isWindows, encoding: 'base64'},
	{type: 'text', argv: ['wl-paste', '--no-newline'], isThere: isWayland},
	{type: 'text', argv: ['xclip', '-selection', 'clipboard', '-out'], isThere: isX11},
];

const timeLimitMs = 5000;
/** An image of 20 MiB, in hexadecimal digits. */
const maxOutputBytes = 42 * mebibyte;

const fileHint: Hint = {
	line: 'Save the image as a file, and name that: --image FILE',
	repl: 'Save the image as a file, and attach that: /image FILE',
};

/** @throws {ChatError} `input` if there is no clipboard, or nothing in it that can be sent */
export async function readClipboard(desktop: Desktop): Promise<ClipboardContent> {
	const known = readers.filter((reader) => reader.isThere(desktop));
	if (known.length === 0) {
		const problem = isRemote(desktop)
			? 'the clipboard is on your own machine, out of reach over SSH'
			: 'there is no clipboard here';
		throw new ChatError('input', problem, {hint: fileHint});
	}
	let isAnyInstalled = false;
	for (const {type, argv, encoding} of known) {
		const [name, ...args] = argv;
		const path = findSystemProgram(name, desktop);
		if (path === undefined) continue;
		isAnyInstalled = true;
		const bytes = await readWith([path, ...args], encoding, desktop);
		if (bytes === undefined || bytes.length === 0) continue;
		if (type === 'text') return {type, text: bytes.toString('utf8')};
		if (detectImage(bytes) !== undefined) return {type, bytes};
	}
	if (isAnyInstalled) throw new ChatError('input', 'the clipboard has no image and no text');
	const [missing] = known.flatMap((reader) => reader.package ?? []);
	throw new ChatError('input', 'no program is installed that reads the clipboard', {
		hint: missing === undefined ? fileHint : `Install ${missing}.`,
	});
}

/**
 * Returns undefined if the program fails.
 *
 * @throws {ChatError} `input` if it hangs, or its output is too large
 */
async function readWith(
	argv: readonly string[],
	encoding: ClipboardReader['encoding'],
	{variables, cwd, processes}: Desktop,
): Promise<Buffer | undefined> {
	const stdout = createWholeBuffer();
	const end = await runProcess({
		argv,
		cwd,
		variables: withoutKeys(variables),
		stdin: '',
		timeLimitMs,
		processes,
		stdout,
		maxOutputBytes,
	}).catch(() => undefined);
	if (end?.stoppedBy !== undefined) {
		const [program = ''] = argv;
		const reason = end.stoppedBy === 'flood' ? 'prints too much' : 'does not answer';
		throw new ChatError('input', `${program}, which reads the clipboard, ${reason}`, {
			hint: fileHint,
		});
	}
	if (end?.exitCode !== 0) return undefined;
	const bytes = stdout.toBytes();
	const text = bytes.toString('latin1');
	if (encoding === 'base64') return Buffer.from(text, 'base64');
	// AppleScript prints «data PNGf89504E47…».
	const [, digits = ''] = /PNGf([\dA-F]+)/i.exec(text) ?? [];
	return encoding === 'hex' ? Buffer.from(digits, 'hex') : bytes;
}
