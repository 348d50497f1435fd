/** Copies a text with the clipboard program of the desktop, or with tmux. */
import {spawn} from 'node:child_process';
import type {Environment, Variables} from '../environment.ts';
import {withoutKeys} from '../redact.ts';
import {findSystemProgram} from './find-program.ts';

type Place = Pick<Environment, 'variables' | 'platform'>;

type ClipboardProgram = {
	readonly argv: readonly [program: string, ...string[]];
	isThere(place: Place): boolean;
	readonly encoding?: 'utf8' | 'utf16le';
	readonly variables?: Variables;
};

/** The first that is there and succeeds is used. After one that hangs, others would too. */
const desktopPrograms: readonly ClipboardProgram[] = [
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
const tmux: ClipboardProgram = {
	argv: ['tmux', 'load-buffer', '-w', '-'],
	isThere: hasVariable('TMUX'),
};

function onPlatform(name: string): ClipboardProgram['isThere'] {
	return ({platform}) => platform === name;
}

function hasVariable(name: string): ClipboardProgram['isThere'] {
	return ({variables}) => Boolean(variables[name]);
}

/** Returns whether a program of the desktop has the text now. */
export async function copyToDesktop(text: string, environment: Environment): Promise<boolean> {
	for (const program of desktopPrograms) {
		if (!program.isThere(environment)) continue;
		const end = await feed(program, text, environment);
		if (end !== 'failed') return end === 'copied';
	}
	return false;
}

/** Returns the path of the first program of the desktop that is there; undefined without one. */
export function findClipboard(place: Place): string | undefined {
	const programs = desktopPrograms.filter((program) => program.isThere(place));
	return programs
		.map(({argv: [name]}) => findSystemProgram(name, place))
		.find((path) => path !== undefined);
}

/** Returns whether tmux has the text now. */
export async function copyToTmux(text: string, environment: Environment): Promise<boolean> {
	return tmux.isThere(environment) && (await feed(tmux, text, environment)) === 'copied';
}

const timeLimitMs = 3000;

/**
 * Gives the program the text, never in its arguments. Some stay in the background, because the text is
 * in the clipboard only as long as they live; so this does not wait for their streams, and does not end
 * their group.
 */
function feed(
	{argv: [name, ...args], encoding = 'utf8', variables}: ClipboardProgram,
	text: string,
	environment: Environment,
): Promise<'copied' | 'failed' | 'hung'> {
	const path = findSystemProgram(name, environment);
	if (path === undefined) return Promise.resolve('failed');
	return new Promise((resolve) => {
		const child = spawn(path, args, {
			cwd: environment.cwd,
			env: {...withoutKeys(environment.variables), ...variables},
			stdio: ['pipe', 'ignore', 'ignore'],
			// Not the group of the terminal, whose end would end them.
			detached: environment.platform !== 'win32',
			windowsHide: true,
			timeout: timeLimitMs,
			killSignal: 'SIGKILL',
		});
		child.once('error', () => resolve('failed'));
		child.once('exit', (code) => {
			if (code === 0) resolve('copied');
			else resolve(child.killed ? 'hung' : 'failed');
		});
		child.stdin.on('error', () => {});
		child.stdin.end(Buffer.from(text, encoding));
	});
}
