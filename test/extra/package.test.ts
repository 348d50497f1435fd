/** The package that `npm run package` creates. */
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, onTestFinished, test} from 'vitest';
import {runChat} from '../helpers/run-chat.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const installLine = /^npm install -g .*\.tgz$/m.exec(readme)?.[0] ?? 'the README installs nothing';

execFileSync(process.execPath, ['scripts/package.js'], {cwd: root, stdio: 'pipe'});

function hashPackage(): string {
	const names = readdirSync(join(root, 'build')).filter((name) => name.endsWith('.tgz'));
	expect(names).toHaveLength(1);
	return createHash('sha256')
		.update(readFileSync(join(root, 'build', ...names)))
		.digest('hex');
}

test('packing again, with another umask and time zone, gives the same bytes', () => {
	const first = hashPackage();
	const command = 'umask 077; exec "$0" scripts/package.js';
	const env = {...process.env, TZ: 'Pacific/Kiritimati'};
	execFileSync('sh', ['-c', command, process.execPath], {cwd: root, env, stdio: 'pipe'});
	expect(hashPackage()).toBe(first);
});

test('the install command of the README installs a working program, with its manual page', () => {
	const prefix = mkdtempSync(join(tmpdir(), 'chat-prefix-'));
	onTestFinished(() => rmSync(prefix, {recursive: true}));
	const npm = {npm_config_prefix: prefix, npm_config_cache: prefix, npm_config_offline: 'true'};
	const env = {PATH: process.env['PATH'], HOME: prefix, ...npm};
	execFileSync('sh', ['-c', installLine], {cwd: root, env, stdio: 'pipe'});
	const command = join(prefix, 'bin', 'chat');
	const answer = execFileSync(command, ['say hi'], {
		env,
		cwd: prefix,
		encoding: 'utf8',
		stdio: 'pipe',
	});
	expect(answer).toBe('hi\n');
	expect(readFileSync(join(prefix, 'share', 'man', 'man1', 'chat.1'), 'utf8')).toContain(
		'.TH CHAT 1',
	);
});

test.each([
	['bash', 'bash-completion/completions/chat'],
	['zsh', 'zsh/site-functions/_chat'],
	['fish', 'fish/vendor_completions.d/chat.fish'],
])('the package has the completion of %s where systems look for it', async (shell, path) => {
	const packed = readFileSync(join(root, 'build', 'package', 'share', path), 'utf8');
	expect((await runChat(['completion', shell])).stdout).toBe(packed);
});

test('links of the packed documents lead to packed files', () => {
	const folder = join(root, 'build', 'package');
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
