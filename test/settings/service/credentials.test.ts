import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {
	readStoredKey,
	removeStoredKey,
	storeKey,
} from '../../../src/settings/service/credentials.ts';
import {createHome, modeOf} from '../../helpers/settings-home.ts';

const origin = 'https://api.example.com';
const key = 'sk-0123456789abcdef';

describe('the stored keys', () => {
	test('are in a file that only the user can read, each for its origin', async () => {
		const {credentialsPath: path, directory} = createHome();
		await storeKey(path, origin, 'sk-old');
		await storeKey(path, 'http://localhost:8080', 'sk-local');
		await storeKey(path, origin, key);
		expect(readStoredKey(path, origin, 'linux')).toEqual({key, warning: undefined});
		expect(readStoredKey(path, 'http://localhost:8080', 'linux').key).toBe('sk-local');
		expect([modeOf(path), modeOf(directory)]).toEqual(['600', '700']);
	});

	test.each(['https://api.example.com.', 'http://api.example.com', 'toString', '__proto__'])(
		'are not for another origin: %s',
		async (other) => {
			const {credentialsPath: path} = createHome({credentials: {[origin]: key}});
			expect(readStoredKey(path, other, 'linux').key).toBeUndefined();
		},
	);

	test('are removed one by one', async () => {
		const {credentialsPath: path, credentials} = createHome({
			credentials: {[origin]: key, 'http://localhost': 'sk-local'},
		});
		expect(await removeStoredKey(path, origin)).toBe(true);
		expect(await removeStoredKey(path, origin)).toBe(false);
		expect(credentials()).toEqual({'http://localhost': 'sk-local'});
	});

	test('are not created by removing one', async () => {
		const {credentialsPath: path, credentials} = createHome();
		expect(await removeStoredKey(path, origin)).toBe(false);
		expect(credentials()).toBeUndefined();
	});

	test('stay as they are in a file with a mistake, and are not quoted', async () => {
		const text = `{"${origin}": "${key}",\n}`;
		const {credentialsPath: path} = createHome({credentials: text});
		const failure = {
			kind: 'config',
			message: `${path} is not valid JSON: line 2, column 1: expected a key in double quotes (no comma before })`,
		};
		await expect(storeKey(path, origin, 'sk-new')).rejects.toMatchObject(failure);
		await expect(removeStoredKey(path, origin)).rejects.toMatchObject(failure);
		expect(readFileSync(path, 'utf8')).toBe(text);
	});

	test('are all stored at the same time', async () => {
		const {credentialsPath: path, credentials} = createHome();
		const origins = Array.from({length: 8}, (_, index) => `http://localhost:${index}`);
		await Promise.all(origins.map((each) => storeKey(path, each, `key-${each}`)));
		expect(credentials()).toEqual(Object.fromEntries(origins.map((each) => [each, `key-${each}`])));
	});
});
