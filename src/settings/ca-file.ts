/** A file of certificates, checked before anything is sent. */
import {X509Certificate} from 'node:crypto';
import {ChatError} from '../errors.ts';
import {type ReadText, readNamedFile} from './named-file.ts';

const certificate = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/**
 * The PEM text of the certificates in the file.
 *
 * @throws {ChatError} `input` when it cannot be read, `data` when it holds no certificate; what else
 * `readText` throws
 */
export async function loadCaFile(path: string, readText: ReadText): Promise<string> {
	const text = await readNamedFile(path, `the certificates in ${path}`, readText);
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
