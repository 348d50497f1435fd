/** The package's contents; `.ci/run` installs it, and packs it again. */
import {execFileSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {runChat} from '../helpers/run-chat.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'build', 'package');

execFileSync(process.execPath, ['scripts/package.js'], {cwd: root, stdio: 'pipe'});

test.each([
	['bash', 'bash-completion/completions/chat'],
	['zsh', 'zsh/site-functions/_chat'],
	['fish', 'fish/vendor_completions.d/chat.fish'],
])('the package has the completion of %s where systems look for it', async (shell, path) => {
	const packed = readFileSync(join(folder, 'share', path), 'utf8');
	expect((await runChat(['completion', shell])).stdout).toBe(packed);
});

test('links of the packed documents lead to packed files', () => {
	const documents = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((name) =>
		name.endsWith('.md'),
	);
	const targets = documents.flatMap((name) => {
		const path = join(folder, name);
		const links = [...readFileSync(path, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]*)/g)];
		return links.map(([, link = '']) => resolve(dirname(path), link));
	});
	expect(targets.length).toBeGreaterThan(20);
	expect(targets.filter((target) => !existsSync(target))).toEqual([]);
});
