/** A file of certificates, checked before anything is sent. */
import {X509Certificate} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {ChatError} from '../errors.ts';

const certificate = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/**
 * The PEM text of the certificates in the file.
 *
 * @throws {ChatError} `input` when it cannot be read, `data` when it holds no certificate
 */
export function readCaFile(path: string, cwd: string): string {
	let text: string;
	try {
		text = readFileSync(resolve(cwd, path), 'utf8');
	} catch (cause) {
		const {code} = cause as NodeJS.ErrnoException;
		throw new ChatError('input', `cannot read the certificates in ${path} (${code})`, {cause});
	}
	const found = text.match(certificate) ?? [];
	if (found.length > 0 && found.every(isCertificate)) return found.join('\n');
	throw new ChatError('data', `${path} holds no certificate that can be read`, {
		hint: 'It must be in PEM form: -----BEGIN CERTIFICATE----- and so on.',
	});
}

function isCertificate(text: string): boolean {
	try {
		return new X509Certificate(text).subject !== undefined;
	} catch {
		return false;
	}
}
