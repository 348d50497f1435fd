/** Opens a page in the browser of the user, with the program of the desktop. */
import {spawn} from 'node:child_process';
import type {Environment} from '../environment.ts';
import {withoutKeys} from '../redact.ts';
import {findProgram} from './find-program.ts';

type Opener = {
	readonly argv: readonly [program: string, ...string[]];
	isThere(place: Pick<Environment, 'variables' | 'platform'>): boolean;
};

/** None is a shell. The first that is there is used. */
const openers: readonly Opener[] = [
	{argv: ['open'], isThere: ({platform}) => platform === 'darwin'},
	{
		argv: ['rundll32.exe', 'url.dll,FileProtocolHandler'],
		isThere: ({platform, variables}) =>
			platform === 'win32' || Boolean(variables['WSL_DISTRO_NAME']),
	},
	{
		argv: ['xdg-open'],
		isThere: ({variables}) => Boolean(variables['WAYLAND_DISPLAY'] || variables['DISPLAY']),
	},
	{argv: ['termux-open-url'], isThere: ({variables}) => Boolean(variables['TERMUX_VERSION'])},
];

/** One that still runs has found a browser. */
const timeLimitMs = 2000;

/**
 * Resolves with whether a browser gets the page: not over SSH, where it would open on another machine,
 * and only an address of the web.
 */
export async function openInBrowser(
	url: URL,
	environment: Pick<Environment, 'variables' | 'platform' | 'cwd'>,
): Promise<boolean> {
	const {variables} = environment;
	const isRemote = Boolean(variables['SSH_TTY'] || variables['SSH_CONNECTION']);
	if (isRemote || !['http:', 'https:'].includes(url.protocol)) return false;
	for (const {argv, isThere} of openers) {
		const path = isThere(environment) ? findProgram(argv[0], variables['PATH']) : undefined;
		if (path !== undefined) return await open([path, ...argv.slice(1), url.href], environment);
	}
	return false;
}

function open(
	[path = '', ...args]: readonly string[],
	{cwd, variables, platform}: Pick<Environment, 'variables' | 'platform' | 'cwd'>,
): Promise<boolean> {
	return new Promise((resolve) => {
		const child = spawn(path, args, {
			cwd,
			env: withoutKeys(variables),
			stdio: 'ignore',
			// Not the group of the terminal, whose end would end a browser.
			detached: platform !== 'win32',
			windowsHide: true,
		});
		const timer = setTimeout(() => resolve(true), timeLimitMs);
		const end = (isOpen: boolean) => {
			clearTimeout(timer);
			resolve(isOpen);
		};
		child.once('error', () => end(false));
		child.once('exit', (code) => end(code === 0));
		child.unref();
	});
}
