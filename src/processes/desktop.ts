/** Programs of the desktop: its clipboard takes texts, its browser opens pages. */
import {Buffer} from 'node:buffer';
import type {Environment, Variables} from '../environment.ts';
import {withoutKeys} from '../redact.ts';
import {findSystemProgram} from './find-program.ts';
import {limitTime} from './process-group.ts';
import {runProcess} from './run-process.ts';

export type Place = Pick<Environment, 'variables' | 'platform'>;
export type Desktop = Place & Pick<Environment, 'cwd' | 'processes'>;

type DesktopProgram = {
	readonly argv: readonly [program: string, ...string[]];
	isThere(place: Place): boolean;
	readonly encoding?: 'utf8' | 'utf16le';
	readonly variables?: Variables;
};

/** Tried in order until one succeeds; stops at one that hangs. */
const clipboards: readonly DesktopProgram[] = [
	// Without a locale it would take UTF-8 for Mac OS Roman.
	{argv: ['pbcopy'], isThere: onPlatform('darwin'), variables: {LC_CTYPE: 'UTF-8'}},
	// A byte order mark would become part of the text.
	{argv: ['clip.exe'], isThere: onPlatform('win32'), encoding: 'utf16le'},
	{argv: ['clip.exe'], isThere: hasVariable('WSL_DISTRO_NAME'), encoding: 'utf16le'},
	{argv: ['termux-clipboard-set'], isThere: hasVariable('TERMUX_VERSION')},
	{argv: ['wl-copy', '--type', 'text/plain'], isThere: hasVariable('WAYLAND_DISPLAY')},
	{argv: ['xclip', '-selection', 'clipboard'], isThere: hasVariable('DISPLAY')},
	{argv: ['xsel', '--clipboard', '--input'], isThere: hasVariable('DISPLAY')},
];

/** tmux passes the text on to its terminal, also where it ignores the same request of a program. */
const tmux: DesktopProgram = {
	argv: ['tmux', 'load-buffer', '-w', '-'],
	isThere: hasVariable('TMUX'),
};

const rundll = ['rundll32.exe', 'url.dll,FileProtocolHandler'] as const;

/** The address is added to the arguments. No shell reads it. */
const openers: readonly DesktopProgram[] = [
	{argv: ['open'], isThere: onPlatform('darwin')},
	{argv: rundll, isThere: onPlatform('win32')},
	{argv: rundll, isThere: hasVariable('WSL_DISTRO_NAME')},
	{argv: ['termux-open-url'], isThere: hasVariable('TERMUX_VERSION')},
	{argv: ['xdg-open'], isThere: hasVariable('DISPLAY', 'WAYLAND_DISPLAY')},
];

export function onPlatform(name: string): DesktopProgram['isThere'] {
	return ({platform}) => platform === name;
}

export function hasVariable(...names: readonly string[]): DesktopProgram['isThere'] {
	return ({variables}) => names.some((name) => variables[name]);
}

/** Returns whether the user sits at another machine, with a desktop of its own. */
export const isRemote = hasVariable('SSH_CONNECTION', 'SSH_TTY');

/** Returns whether the clipboard of the desktop has the text now. */
export async function copyToDesktop(text: string, desktop: Desktop): Promise<boolean> {
	for (const program of clipboards) {
		if (!program.isThere(desktop)) continue;
		const end = await copyWith(program, text, desktop);
		if (end !== 'failed') return end === 'copied';
	}
	return false;
}

/** Returns the path of the first clipboard program that is there; undefined without one. */
export function findClipboard(place: Place): string | undefined {
	return clipboards
		.filter((program) => program.isThere(place))
		.map(({argv: [name]}) => findSystemProgram(name, place))
		.find((path) => path !== undefined);
}

/** Returns whether tmux has the text now. */
export async function copyToTmux(text: string, desktop: Desktop): Promise<boolean> {
	return tmux.isThere(desktop) && (await copyWith(tmux, text, desktop)) === 'copied';
}

const copyLimitMs = 3000;

/** Gives the program the text, never in its arguments, which other users can read. */
async function copyWith(
	program: DesktopProgram,
	text: string,
	desktop: Desktop,
): Promise<'copied' | 'failed' | 'hung'> {
	const stdin = Buffer.from(text, program.encoding);
	const end = await run(program, {stdin, timeLimitMs: copyLimitMs}, desktop);
	if (end?.exitCode === 0) return 'copied';
	return end?.stoppedBy === 'time' ? 'hung' : 'failed';
}

/** An opener that still runs has found a browser. */
const openLimitMs = 2000;

/**
 * Returns whether a program has taken the address. None is asked over SSH: a page would open on the
 * other machine.
 *
 * @param url of http or https
 */
export async function openBrowser(url: URL, desktop: Desktop): Promise<boolean> {
	if (isRemote(desktop) || !['http:', 'https:'].includes(url.protocol)) return false;
	for (const opener of openers) {
		if (!opener.isThere(desktop)) continue;
		const opened = run(opener, {stdin: '', timeLimitMs: 0, words: [url.href]}, desktop);
		const end = await limitTime(opened, openLimitMs);
		if (end === 'late' || end?.exitCode === 0) return true;
	}
	return false;
}

type Use = {
	readonly stdin: string | Buffer;
	readonly timeLimitMs: number;
	readonly words?: readonly string[];
};

/** Undefined if there is no such program, or it cannot be started. */
async function run(
	{argv: [name, ...args], variables}: DesktopProgram,
	{stdin, timeLimitMs, words = []}: Use,
	desktop: Desktop,
) {
	const path = findSystemProgram(name, desktop);
	if (path === undefined) return undefined;
	const {cwd, processes} = desktop;
	return await runProcess({
		argv: [path, ...args, ...words],
		cwd,
		variables: {...withoutKeys(desktop.variables), ...variables},
		stdin,
		timeLimitMs,
		processes,
		mayStay: true,
	}).catch(() => undefined);
}
