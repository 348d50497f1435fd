import {readFileSync} from 'node:fs';
import {expect, it} from 'vitest';
import {loadCaFile} from '../../../src/settings/service/ca-file.ts';

const authority = readFileSync(new URL('../../fixtures/tls/ca.pem', import.meta.url), 'utf8');

it('reads the certificates of a file without the text around them', async () => {
	const text = await loadCaFile('ca.pem', async () => `Mine:\n${authority}\n${authority}`);
	expect(text).toBe(`${authority.trim()}\n${authority.trim()}`);
});

it.each([
	['no certificate', 'hello'],
	['many that never end', '-----BEGIN CERTIFICATE-----\n'.repeat(200_000)],
	['a broken one', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
])('refuses a file with %s', async (_, text) => {
	const failing = loadCaFile('ca.pem', async () => text);
	await expect(failing).rejects.toThrow(/ca\.pem does not contain valid certificates/);
});
