/** Opens a page with the program of the desktop, which gets the address as it is. */
import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openBrowser} from '../../src/processes/open-browser.ts';
import {createDirectory} from '../input/input-helpers.ts';

/** @param exit what the opener ends with */
function createDesktop(exit = 0, name = 'xdg-open') {
	const folder = createDirectory({});
	const script = `#!/bin/sh\nprintf '%s\\n' "$#" "$@" "\${OPENAI_API_KEY-none}" >'${folder}/opened'\nexit ${exit}\n`;
	writeFileSync(join(folder, name), script);
	chmodSync(join(folder, name), 0o755);
	const variables = {PATH: `${folder}:/usr/bin:/bin`, DISPLAY: ':0', OPENAI_API_KEY: 'sk-1'};
	const opened = () => {
		const file = join(folder, 'opened');
		return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
	};
	return {place: {variables, platform: 'linux', cwd: folder}, opened};
}

const page = new URL('https://example.com/?a=1&b=$(touch%20x);c');

test('the opener gets the address as one argument, and no key', async () => {
	const {place, opened} = createDesktop();
	expect(await openBrowser(page, place)).toBe(true);
	expect(opened()).toEqual(['1', page.href, 'none']);
});

test('an opener that fails means that there is no browser', async () => {
	const {place} = createDesktop(3);
	expect(await openBrowser(page, place)).toBe(false);
});

test('macOS has an opener of its own', async () => {
	const {place, opened} = createDesktop(0, 'open');
	expect(await openBrowser(page, {...place, platform: 'darwin'})).toBe(true);
	expect(opened()).toContain(page.href);
});

test('nothing opens over SSH, without a desktop, or for another kind of address', async () => {
	const {place, opened} = createDesktop();
	const {variables} = place;
	const remote = {...place, variables: {...variables, SSH_CONNECTION: '1.2.3.4 5 6.7.8.9 22'}};
	const bare = {...place, variables: {...variables, DISPLAY: ''}};
	expect(await openBrowser(page, remote)).toBe(false);
	expect(await openBrowser(page, bare)).toBe(false);
	for (const address of ['file:///etc/passwd', 'javascript:alert(1)', 'vscode://x']) {
		expect(await openBrowser(new URL(address), place)).toBe(false);
	}
	expect(opened()).toEqual([]);
});
