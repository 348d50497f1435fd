import {describe, expect, test} from 'vitest';
import {hostedProviders} from '../src/providers.ts';
import {
	createKeyRedactor,
	createRedactor,
	isKeyName,
	looksLikeKey,
	maskKeys,
	mayHoldSecret,
	redactUrl,
	redactUrlText,
	secretsOfUrl,
	withoutKeys,
} from '../src/redact.ts';
import {findSecrets} from './helpers/secrets.ts';

describe('a redactor', () => {
	const secrets = ['sk-0123456789', 'a+b/c=d~e&f?g', 'ends with !*()', '~~~~~~~', 'three'];

	test.each(secrets)('hides %j in every form that services echo', (secret) => {
		const bytes = Buffer.from(secret);
		const forms = [
			secret,
			encodeURIComponent(secret),
			encodeURIComponent(secret).toLowerCase(),
			String(new URLSearchParams({key: secret})),
			secret.replaceAll('/', '\\/'),
			...['Bearer ', 'user:', 'a'].map((before) =>
				Buffer.from(`${before}${secret}, and so on`).toString('base64'),
			),
			bytes.toString('base64'),
			bytes.toString('base64').replace(/=+$/, ''),
			bytes.toString('base64url'),
		];
		const text = createRedactor([secret])(`you sent ${forms.join(' and ')}.`);
		expect(findSecrets(text, [secret])).toEqual([]);
		expect(text).toMatch(/^you sent \[redacted\].*\.$/);
	});

	test.each([
		[['alpha', undefined, 'beta'], 'alpha beta alphabeta', '# # ##'],
		// The longer of two with the same beginning.
		[['secret', 'secret-2'], 'it is secret-2', 'it is #'],
		[['\nsk-12345\r\n'], 'key sk-12345!', 'key #!'],
		// Words as short as a secret cannot be.
		[['', ' ', 'the', undefined], 'the end', 'the end'],
		[['.*$&'], 'all .*$& of it', 'all # of it'],
		// The beginning of a secret at the end of a shortened text.
		[['sk-0123456789'], 'wrong key sk-012345678… sk-0… sk…', 'wrong key #… #… sk…'],
		[['abcabcabd'], 'ab abcabcabcab… abcabc… ababca…', 'ab abc#… #… ab#…'],
	])('of %j shows %j as %j', (secrets, text, shown) => {
		expect(createRedactor(secrets)(text).replaceAll('[redacted]', '#')).toBe(shown);
	});

	test('hides the key of every provider, and withholds it from other programs', () => {
		const names = hostedProviders.map(({keyVariable}) => keyVariable);
		const variables = Object.fromEntries(names.map((name) => [name, `key of ${name}`]));
		const shown = createKeyRedactor(variables)(Object.values(variables).join());
		expect(shown.replaceAll('[redacted]', '')).toMatch(/^,*$/);
		expect(withoutKeys({...variables, PATH: '/bin'})).toEqual({PATH: '/bin'});
	});
});

describe('a URL', () => {
	test('is shown without user, password, fragment and query values', () => {
		const url = new URL(
			'https://user:pass@host/v1?api-key=s1&x=s5&sig=s2&code=s3&api-version=1#s4',
		);
		const shown = redactUrl(url);
		expect(shown).not.toMatch(/user|pass|s[1-5]/);
		expect(shown).toMatch(/^https:\/\/host\/v1\?.*x=.*&api-version=1$/);
		expect(url.password).toBe('pass');
	});

	test('is shown as it is without secrets', () => {
		const href = 'http://localhost:8080/v1/chat/completions?version=2024-01';
		expect(redactUrl(new URL(href))).toBe(href);
	});

	test('lists its secret query values', () => {
		const query =
			'api-key=one%20two&x=true&access_token=three&api-key=four&code=sk-12345&version=2024-01-01';
		const url = new URL(`https://host/?${query}`);
		expect(secretsOfUrl(url)).toEqual(['one two', 'three', 'four', 'sk-12345']);
	});

	test.each([
		['https://user:p@ss@host/path', 'https://[redacted]@host/path'],
		['https://user:pass@@@ host:port', 'https://[redacted]@ host:port'],
		['user:pass@host', '[redacted]@host'],
		['https://host/?key=secret', 'https://host/?…'],
		['https://host/#secret', 'https://host/#…'],
		['https://a:b@host?x=https://c:d@e', 'https://[redacted]@e'],
		['plain text', 'plain text'],
	])('is shown in part if it is not valid: %s', (text, shown) => {
		expect(redactUrlText(text)).toBe(shown);
	});

	test('is redacted in linear time', () => {
		const text = 'http://a'.repeat(100_000);
		expect(redactUrlText(text)).toBe(text);
	});
});

describe('a name', () => {
	test.each([
		['api_key', true, true],
		['openai-api-key', true, true],
		['token', true, true],
		['max_tokens', false, true],
		['prompt_cache_key', false, true],
		['x-signature', false, true],
		['cookie', false, true],
		['x-portkey-virtual-key', false, true],
		['x-portkey-provider', false, false],
		['temperature', false, false],
	])('%s is that of a key: %s; may hold a secret: %s', (name, isKey, isSecret) => {
		expect(isKeyName(name)).toBe(isKey);
		expect(mayHoldSecret(name)).toBe(isSecret);
	});

	test.each([
		['/home/ada/key.txt', false],
		['sk-0123', true],
		['/tmp/0123456789abcdef', true],
		['/tmp/0123456789abcdef.txt', false],
	])('of a file, %s, is a key itself: %s', (path, isKey) => {
		expect(looksLikeKey(path)).toBe(isKey);
	});
});

test('masks keys in fields, but not in a schema with properties of such names', () => {
	const schema = {properties: {key: {type: 'string'}, token: {type: 'number'}}};
	const fields = {model: 'x', max_tokens: 5, api_key: 's1', token: 42, password: ['s2'], schema};
	expect(JSON.parse(JSON.stringify({...fields, nested: {secret: 's3'}}, maskKeys))).toEqual({
		...fields,
		api_key: '[redacted]',
		token: '[redacted]',
		password: '[redacted]',
		nested: {secret: '[redacted]'},
	});
});
