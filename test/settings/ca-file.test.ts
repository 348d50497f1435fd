import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, it, onTestFinished} from 'vitest';
import {readCaFile} from '../../src/settings/ca-file.ts';

const authority = fileURLToPath(new URL('../fixtures/tls/ca.pem', import.meta.url));

it('the certificates of a file are read', () => {
	expect(readCaFile(authority, '/')).toMatch(/^-----BEGIN CERTIFICATE-----[\s\S]+-----$/);
});

it('a missing file is told with its name', () => {
	expect(() => readCaFile('missing.pem', '/')).toThrow(/missing\.pem \(ENOENT\)/);
});

it.each([
	['no certificate', 'hello'],
	['a broken one', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
])('a file with %s is refused', (_, text) => {
	const folder = mkdtempSync(join(tmpdir(), 'chat-ca-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	writeFileSync(join(folder, 'ca.pem'), text);
	expect(() => readCaFile('ca.pem', folder)).toThrow(/ca\.pem holds no certificate/);
});
