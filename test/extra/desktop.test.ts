/** Opens a page with the program of the desktop, which gets the address as it is. */
import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {processControl} from '../../src/process-environment.ts';
import {openBrowser} from '../../src/processes/desktop.ts';
import {createDirectory} from '../input/input-helpers.ts';

/** @param end the last command of the opener */
function createDesktop(end = 'exit 0', name = 'xdg-open') {
	const folder = createDirectory({});
	const script = `#!/bin/sh\nprintf '%s\\n' "$#" "$@" "\${OPENAI_API_KEY-none}" $$ >'${folder}/opened'\n${end}\n`;
	writeFileSync(join(folder, name), script);
	chmodSync(join(folder, name), 0o755);
	const variables = {PATH: `${folder}:/usr/bin:/bin`, DISPLAY: ':0', OPENAI_API_KEY: 'sk-1'};
	const opened = () => {
		const file = join(folder, 'opened');
		return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
	};
	const place = {variables, platform: 'linux', cwd: folder, processes: processControl};
	return {place, opened};
}

const page = new URL('https://example.com/?a=1&b=$(touch%20x);c');

test('the opener gets the address as one argument, no key; one that fails has found none', async () => {
	const {place, opened} = createDesktop();
	expect(await openBrowser(page, place)).toBe(true);
	expect(opened().slice(0, 3)).toEqual(['1', page.href, 'none']);
	const failing = createDesktop('exit 3');
	expect(await openBrowser(page, failing.place)).toBe(false);
	const mac = createDesktop('exit 0', 'open');
	expect(await openBrowser(page, {...mac.place, platform: 'darwin'})).toBe(true);
	expect(mac.opened()).toContain(page.href);
});

test.each([
	['https://example.com/', {SSH_CONNECTION: '1.2.3.4 5 6.7.8.9 22'}],
	['https://example.com/', {DISPLAY: ''}],
	['file:///etc/passwd', {}],
	['javascript:alert(1)', {}],
	['vscode://x', {}],
])('nothing opens %s with %j', async (address, variables) => {
	const {place, opened} = createDesktop();
	const there = {...place, variables: {...place.variables, ...variables}};
	expect(await openBrowser(new URL(address), there)).toBe(false);
	expect(opened()).toEqual([]);
});

test('an opener that still runs has found a browser, and lives on', async () => {
	const {place, opened} = createDesktop('exec sleep 60');
	expect(await openBrowser(page, place)).toBe(true);
	expect(processControl.signal(Number(opened().at(-1)), 'SIGKILL')).toBe(true);
});
