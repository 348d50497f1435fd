import {readFileSync} from 'node:fs';
import {expect, it} from 'vitest';
import {ChatError} from '../../../src/errors.ts';
import {loadCaFile} from '../../../src/settings/service/ca-file.ts';

const authority = readFileSync(new URL('../../fixtures/tls/ca.pem', import.meta.url), 'utf8');

it('the certificates of a file are read, without what stands around them', async () => {
	const text = await loadCaFile('ca.pem', async () => `Mine:\n${authority}\n${authority}`);
	expect(text).toBe(`${authority.trim()}\n${authority.trim()}`);
});

it('a missing file is told with its name', async () => {
	const cause = Object.assign(new Error('open'), {code: 'ENOENT'});
	const failing = loadCaFile('missing.pem', async () => {
		throw new ChatError('input', 'no such file', {cause});
	});
	await expect(failing).rejects.toMatchObject({
		kind: 'input',
		message: 'cannot read the certificates in missing.pem (ENOENT)',
	});
});

it('what ends the reading for another reason is told as it is', async () => {
	const interrupted = new ChatError('interrupted', 'interrupted (SIGINT)');
	const failing = loadCaFile('ca.pem', async () => {
		throw interrupted;
	});
	await expect(failing).rejects.toBe(interrupted);
});

it.each([
	['no certificate', 'hello'],
	['many that never end', '-----BEGIN CERTIFICATE-----\n'.repeat(200_000)],
	['a broken one', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
])('a file with %s is refused', async (_, text) => {
	const failing = loadCaFile('ca.pem', async () => text);
	await expect(failing).rejects.toThrow(/ca\.pem does not contain valid certificates/);
});
