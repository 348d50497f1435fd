import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {errorReply, streamReply} from '../helpers/replies.ts';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';
import {createHome, modeOf} from '../helpers/settings-home.ts';
import {startRecording} from '../helpers/start-service.ts';

const key = 'sk-0123456789abcdef';
const origin = 'https://api.example.com';
const forOrigin = ['--base-url', `${origin}/v1`];

/** Fails if the run shows the key. */
const terminals = ['stderr'] as const;

async function runAuth(words: readonly string[], options: RunOptions) {
	return await runChat(['auth', ...words], {secrets: [key], ...options});
}

test('chat auth list prints the services with a stored key, and no key', async () => {
	const other = 'https://other.example:8443';
	const credentials = {[origin]: key, [other]: 'sk-other-key-1234', mcp: {}};
	const {source} = createHome({credentials});
	const options = {...source, secrets: ['sk-other-key-1234', 'cdef']};
	expect(await runAuth(['list'], options)).toEqual({
		stdout: `${origin}\n${other}\n`,
		stderr: '',
		exitCode: 0,
	});
	const {stdout} = await runAuth(['list', '-o', 'json'], options);
	expect(JSON.parse(stdout)).toEqual([{service: origin}, {service: other}]);
	const none = await runAuth(['list'], createHome().source);
	expect(none).toEqual({stdout: '', stderr: 'chat: no keys are stored\n', exitCode: 0});
	expect((await runAuth(['status', '-o', 'json', ...forOrigin], options)).exitCode).toBe(64);
});

describe('chat auth set', () => {
	test('stores a piped key for the origin of the base URL', async () => {
		const {source, credentials, credentialsPath, directory} = createHome();
		const run = await runAuth(['set', ...forOrigin], {...source, stdin: ` ${key}\r\n`});
		expect(run).toEqual({
			stdout: '',
			stderr: `chat: the key for ${origin} (ends in cdef) is stored in ${credentialsPath}\n`,
			exitCode: 0,
		});
		expect(credentials()).toEqual({[origin]: key});
		expect([modeOf(credentialsPath), modeOf(directory)]).toEqual(['600', '700']);
	});

	test.each([
		['api-key-file', {'api-key-file': 'old.txt'}, {}, 'chat config unset api-key-file'],
		[
			'api-key-command of a profile',
			{profiles: {work: {'api-key-command': ['printf', 'sk-old-0123456789']}}},
			{CHAT_PROFILE: 'work'},
			'chat config unset api-key-command --profile work',
		],
		['CHAT_API_KEY', {}, {CHAT_API_KEY: 'sk-old-0123456789'}, 'unset CHAT_API_KEY'],
	])(
		'says first which key is used in place of the stored one: %s',
		async (_, more, variables, remedy) => {
			const {source, directory, credentials} = createHome({config: {'base-url': origin, ...more}});
			writeFileSync(join(directory, 'old.txt'), 'sk-old-0123456789');
			const run = await runAuth(['set'], {...source, variables, stdin: key});
			expect(run.stderr).toMatch(
				/^chat: .* is set.*: its key is used, not a stored one\nchat: To use/,
			);
			expect(run.stderr).toContain(`: ${remedy}\nchat: the key for ${origin}`);
			expect(credentials()).toEqual({[origin]: key});
			const status = await runAuth(['status'], {...source, variables});
			expect(status.stdout).toContain('ends in 6789');
		},
	);

	test('asks on a terminal without an echo, and restores the terminal', async () => {
		const {source, credentials} = createHome();
		const events: string[] = [];
		const run = await runAuth(['set', ...forOrigin], {
			...source,
			stdin: {typed: `${key}X\u007f\rrm -rf\n`},
			terminals: ['stdout', 'stderr'],
			onRawMode: (isRaw) => events.push(`raw ${isRaw}`),
			onStderr: (text) => events.push(text.slice(0, 31)),
		});
		expect(run.exitCode).toBe(0);
		expect(run.stdout).toBe('');
		expect(run.stderr).toMatch(
			/^API key for https:\/\/api\.example\.com \(hidden\): [\s\S]*\nchat: the key/,
		);
		expect(events.slice(0, 3)).toEqual([
			'raw true',
			`API key for ${origin}`.slice(0, 31),
			'raw false',
		]);
		expect(credentials()).toEqual({[origin]: key});
	});

	test('accepts a pasted key', async () => {
		const {source, credentials} = createHome();
		const stdin = {typed: `\u001b[200~${key}\n\u001b[201~\r`};
		await runAuth(['set', ...forOrigin], {...source, stdin, terminals});
		expect(credentials()).toEqual({[origin]: key});
	});

	test.each([
		['corrections', 'x\u0015sk-0123\u007f4\r'],
		['a word deleted', 'wrong\u0017sk-0124\r'],
		['keys that mean nothing here', 'sk-\u001b[A01\u001b[3~2\u001d4\r'],
		['the cursor at its start', '-0124\u0001sk\r'],
		['the end of input', 'sk-0124\u0004'],
		['a line feed', 'sk-0124\nmore'],
	])('takes what was typed with %s', async (_, typed) => {
		const {source, credentials} = createHome();
		await runAuth(['set', ...forOrigin], {...source, stdin: {typed}, terminals});
		expect(credentials()).toEqual({[origin]: 'sk-0124'});
	});

	test('stores nothing after Ctrl-C', async () => {
		const {source, credentials} = createHome();
		const modes: boolean[] = [];
		const run = await runAuth(['set', ...forOrigin], {
			...source,
			stdin: {typed: `${key}\u0003\r`},
			terminals,
			onRawMode: (isRaw) => modes.push(isRaw),
		});
		expect(run).toMatchObject({stdout: '', exitCode: 130});
		expect(modes).toEqual([true, false]);
		expect(credentials()).toBeUndefined();
	});

	test.each(['', '\n', 'two words', `${key}\nx-evil: 1`, 'schlüssel-0123456789'])(
		'stores no such key, and does not show it: %j',
		async (text) => {
			const {source, credentials} = createHome();
			for (const stdin of [text, {typed: `\u001b[200~${text}\u001b[201~\r`}]) {
				const secrets = text.trim() === '' ? [] : [text];
				const options = {...source, stdin, secrets, terminals};
				const run = await runAuth(['set', ...forOrigin], options);
				expect(run).toMatchObject({stdout: '', exitCode: 77});
			}
			expect(credentials()).toBeUndefined();
		},
	);

	test('refuses a key on the command line without repeating it', async () => {
		const {source, credentials} = createHome();
		for (const words of [
			['set', key],
			['set', `--key=${key}`],
			['set', ...forOrigin, key],
		]) {
			const run = await runAuth(words, {...source, stdin: key});
			expect(run).toMatchObject({stdout: '', exitCode: 64});
		}
		expect(credentials()).toBeUndefined();
	});

	test('needs a service and a key', async () => {
		const {source} = createHome();
		const nameless = await runAuth(['set'], {...source, stdin: key});
		expect(nameless).toMatchObject({exitCode: 78});
		expect(nameless.stderr).toContain('--base-url');
		const keyless = await runAuth(['set', ...forOrigin], source);
		expect(keyless).toMatchObject({exitCode: 64});
		expect(keyless.stderr).toContain('chat auth set < key.txt');
	});

	test('stores the key for the service that a run would use', async () => {
		const config = {'base-url': origin, profiles: {work: {'base-url': 'https://work.example/x'}}};
		const {source, credentials} = createHome({config});
		await runAuth(['set'], {...source, stdin: 'sk-of-the-file'});
		await runAuth(['set', '--profile', 'work'], {...source, stdin: 'sk-of-the-profile'});
		const variables = {CHAT_BASE_URL: 'http://localhost:1'};
		await runAuth(['set'], {...source, variables, stdin: 'sk-of-the-variable'});
		expect(credentials()).toEqual({
			[origin]: 'sk-of-the-file',
			'https://work.example': 'sk-of-the-profile',
			'http://localhost:1': 'sk-of-the-variable',
		});
	});

	test('refuses a key that would be sent unencrypted, unless that is allowed', async () => {
		const {source, credentials} = createHome();
		const argv = ['set', '--base-url', 'http://192.0.2.1'];
		const refused = await runAuth(argv, {...source, stdin: key});
		expect(refused).toMatchObject({exitCode: 78});
		expect(refused.stderr).toContain('--insecure-http');
		expect(credentials()).toBeUndefined();
		expect(await runAuth([...argv, '--insecure-http'], {...source, stdin: key})).toMatchObject({
			exitCode: 0,
		});
	});

	test.each([['set'], ['status'], ['remove']])(
		'leaves a broken file as it is: %s',
		async (verb) => {
			const text = `{"${origin}": "${key}"`;
			const {source, credentialsPath} = createHome({credentials: text});
			const run = await runAuth([verb, ...forOrigin], {...source, stdin: 'sk-another-one'});
			expect(run).toMatchObject({stdout: '', exitCode: 78});
			expect(run.stderr).toContain(`${credentialsPath} is not valid JSON: line 1, column 50`);
			expect(readFileSync(credentialsPath, 'utf8')).toBe(text);
		},
	);
});

describe('chat auth status', () => {
	const status = async (options: RunOptions, ...words: readonly string[]) =>
		(await runAuth(['status', ...words], options)).stdout;

	test('prints the source of the key and its last four characters', async () => {
		const home = createHome({credentials: {[origin]: key}});
		const {source} = home;
		const variables = {CHAT_BASE_URL: origin};
		expect(await status({...source, variables})).toBe(
			`service  ${origin}/\nkey      from ${home.credentialsPath} (chat auth), ends in cdef\n`,
		);
		const run = {...variables, CHAT_API_KEY: 'sk-zyxwvutsrqpo'};
		expect(await status({...source, variables: run})).toMatch(/from CHAT_API_KEY, ends in rqpo\n$/);
		expect(await status(source, '--base-url', 'http://localhost:1')).toMatch(/^key {6}none$/m);
	});

	test('does not show a short key', async () => {
		const variables = {CHAT_BASE_URL: origin, CHAT_API_KEY: 'sk-12345678'};
		const shown = await status({variables, secrets: ['5678']});
		expect(shown).toMatch(/from CHAT_API_KEY, too short to show\n$/);
	});

	test.skipIf(process.platform === 'win32')('does not read an endless key file', async () => {
		const variables = {CHAT_BASE_URL: origin, CHAT_API_KEY_FILE: '/dev/zero'};
		const run = await runAuth(['status'], {variables});
		expect(run).toMatchObject({stdout: '', exitCode: 65});
		expect(run.stderr).toMatch(/^chat: the key from the file \/dev\/zero is larger than/);
	});

	test('says that the built-in service would answer', async () => {
		const stdout = 'service  built-in (no base URL is set)\nkey      none\n';
		expect(await runAuth(['status'], {})).toEqual({stdout, stderr: '', exitCode: 1});
	});

	test.skipIf(process.platform === 'win32')('warns if others can read the keys', async () => {
		const {source, credentialsPath} = createHome({credentials: {[origin]: key}});
		chmodSync(credentialsPath, 0o644);
		const run = await runAuth(['status', ...forOrigin], source);
		expect(run.stderr).toContain(`${credentialsPath} contains API keys, and its mode 644 opens it`);
		await runAuth(['set', ...forOrigin], {...source, stdin: key});
		expect((await runAuth(['status', ...forOrigin], source)).stderr).toBe('');
	});
});

describe('chat auth remove', () => {
	test('deletes the key of one service', async () => {
		const {source, credentials} = createHome({
			credentials: {[origin]: key, 'http://localhost:1': 'sk-local'},
		});
		const run = await runAuth(['remove', ...forOrigin], source);
		expect(run).toMatchObject({stdout: '', exitCode: 0});
		expect(credentials()).toEqual({'http://localhost:1': 'sk-local'});
		const again = await runAuth(['remove', ...forOrigin], source);
		expect(again).toMatchObject({stderr: `chat: no key is stored for ${origin}\n`, exitCode: 0});
	});
});

describe('a stored key', () => {
	test('is sent to its own service, and to no other', async () => {
		const mine = await startRecording(streamReply(['Mine.']));
		const other = await startRecording(streamReply(['Other.']));
		const {source} = createHome({
			config: {profiles: {other: {'base-url': other.variables.CHAT_BASE_URL}}},
		});
		const options = {...source, secrets: [key]};
		const argv = ['set', '--base-url', mine.variables.CHAT_BASE_URL];
		await runAuth(argv, {...options, stdin: key});
		await runChat(['-v', 'p'], {...options, variables: mine.variables});
		await runChat(['-v', 'p'], {...options, variables: other.variables});
		await runChat(['-v', '--profile', 'other', 'p'], options);
		await runChat(['-v', '--base-url', other.variables.CHAT_BASE_URL, 'p'], {
			...options,
			variables: mine.variables,
		});
		const keysOf = (service: typeof mine) =>
			service.requests.map(({headers}) => headers['authorization']);
		expect(keysOf(mine)).toEqual([`Bearer ${key}`]);
		expect(keysOf(other)).toEqual([undefined, undefined, undefined]);
	});

	test('is not shown if the service sends it back', async () => {
		const service = await startRecording(errorReply(401, `Wrong key: ${key}`));
		const url = service.variables.CHAT_BASE_URL;
		const {source, credentialsPath} = createHome({credentials: {[new URL(url).origin]: key}});
		for (const format of ['text', 'json', 'jsonl']) {
			const argv = ['-v', '-o', format, '--base-url', url, 'p'];
			const run = await runChat(argv, {...source, secrets: [key]});
			expect(run.exitCode).toBe(77);
			expect(run.stderr).toContain(`the key from ${credentialsPath} (chat auth)`);
		}
	});
});
