/** Opens web pages with the program that the system has for that. */
import {spawn} from 'node:child_process';
import type {Environment} from '../environment.ts';
import {withoutKeys} from '../redact.ts';
import {findSystemProgram} from './find-program.ts';

type Place = Pick<Environment, 'variables' | 'platform'>;

type Opener = {
	/** The address is added to the arguments. No shell reads it. */
	readonly argv: readonly [program: string, ...string[]];
	isThere(place: Place): boolean;
};

const openers: readonly Opener[] = [
	{argv: ['open'], isThere: ({platform}) => platform === 'darwin'},
	{
		argv: ['rundll32.exe', 'url.dll,FileProtocolHandler'],
		isThere: ({platform, variables}) =>
			platform === 'win32' || Boolean(variables['WSL_DISTRO_NAME']),
	},
	{argv: ['termux-open-url'], isThere: ({variables}) => Boolean(variables['TERMUX_VERSION'])},
	{
		argv: ['xdg-open'],
		isThere: ({variables}) => Boolean(variables['DISPLAY'] || variables['WAYLAND_DISPLAY']),
	},
];

/** One that still runs has found a browser. */
const timeLimitMs = 2000;

/**
 * Returns whether a program has taken the address. None is asked over SSH: a page would open on the
 * other machine.
 *
 * @param url of http or https
 */
export async function openBrowser(
	url: URL,
	environment: Place & Pick<Environment, 'cwd'>,
): Promise<boolean> {
	const {variables} = environment;
	const isRemote = Boolean(variables['SSH_CONNECTION'] || variables['SSH_TTY']);
	if (isRemote || !['http:', 'https:'].includes(url.protocol)) return false;
	for (const {argv, isThere} of openers) {
		const [name, ...args] = argv;
		const path = isThere(environment) ? findSystemProgram(name, environment) : undefined;
		if (path !== undefined && (await open([path, ...args, url.href], environment))) return true;
	}
	return false;
}

/** Resolves with whether the program has succeeded, or still runs after a while. */
function open(
	[path = '', ...args]: readonly string[],
	{cwd, variables, platform}: Place & Pick<Environment, 'cwd'>,
): Promise<boolean> {
	return new Promise((resolve) => {
		const child = spawn(path, args, {
			cwd,
			env: withoutKeys(variables),
			stdio: 'ignore',
			// Not the group of the terminal, whose end would end the browser.
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
