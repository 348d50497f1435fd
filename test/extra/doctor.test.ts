import {existsSync, lstatSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {noLocalServices, startLocalService} from '../helpers/local-service.ts';
import {runProcess} from '../helpers/run-process.ts';
import {createHome} from '../helpers/settings-home.ts';

/** Returns everything in a folder, with sizes, modes and times of change. */
function listTree(folder: string): readonly string[] {
	return readdirSync(folder, {recursive: true, encoding: 'utf8'}).map((name) => {
		const {size, mode, mtimeMs, ctimeMs} = lstatSync(join(folder, name));
		return `${name} ${size} ${mode} ${mtimeMs} ${ctimeMs}`;
	});
}

it('the doctor leaves the home folder as it is, and its report has no secrets', async () => {
	const {host} = await startLocalService(['m1']);
	const {home, directory} = createHome({
		config: {
			'base-url': `http://${host}/v1`,
			'api-key-file': 'key.txt',
			headers: {'X-Team': 'h3ader-value'},
		},
		credentials: {[`http://${host}`]: 'sk-another-0123456789'},
	});
	writeFileSync(join(directory, 'key.txt'), 'sk-0123456789abcdef', {mode: 0o600});
	const variables = {
		...noLocalServices,
		HOME: home,
		XDG_CACHE_HOME: '',
		CHAT_SAVE: 'true',
		HTTPS_PROXY: 'http://ada:pr0xy-word@127.0.0.1:1',
	};
	const before = listTree(home);
	const argv = ['doctor', '--online', '-v'];
	const {code, stdout, stderr} = await runProcess(argv, {variables});
	expect(code).toBe(0);
	expect(stdout).toContain('1 model');
	expect(stdout).toContain('ends in cdef');
	expect(stdout + stderr).not.toMatch(/0123456789|h3ader-value|pr0xy-word/);
	expect(listTree(home)).toEqual(before);
});

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isKept = major > 22 || (major === 22 && minor >= 8);

it.runIf(isKept)('the doctor finds the compiled code where a run keeps it', async () => {
	const {home} = createHome();
	const variables = {...noLocalServices, HOME: home, XDG_CACHE_HOME: ''};
	// A prompt about a doctor is a run like any other.
	await runProcess(['-q', 'is', 'there', 'a', 'doctor', '--dry-run'], {variables});
	expect(existsSync(join(home, '.cache', 'chat', 'compiled'))).toBe(true);
	const {stdout} = await runProcess(['doctor', '-v'], {variables});
	expect(stdout).toMatch(/compiled code +kept in ~\/\.cache\/chat\/compiled$/m);
});
