/** The package that `npm run package` creates. */
import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, onTestFinished, test} from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const installLine = /^npm install -g .*\.tgz$/m.exec(readme)?.[0] ?? 'the README installs nothing';

execFileSync(process.execPath, ['scripts/package.js'], {cwd: root, stdio: 'pipe'});

test('the install command of the README installs a working program', () => {
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
});

test.each(['README.md', 'CHANGELOG.md'])(
	'links of the packed %s lead to packed files',
	(document) => {
		const packed = join(root, 'build', 'package', document);
		const links = [...readFileSync(packed, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]*)/g)];
		const targets = links.map(([, link = '']) => resolve(dirname(packed), link));
		expect(targets.filter((target) => !existsSync(target))).toEqual([]);
	},
);
