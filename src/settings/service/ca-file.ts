/** Reads files of certificates, and checks them before anything is sent. */
import {X509Certificate} from 'node:crypto';
import * as tls from 'node:tls';
import type {Variables} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import type {ReadText} from './api-key.ts';

const begin = '-----BEGIN CERTIFICATE-----';
const end = '-----END CERTIFICATE-----';

/**
 * Returns the PEM text of the certificates in a file.
 *
 * @throws {ChatError} `data` when it is not a list of certificates; whatever `readText` throws
 */
export async function loadCaFile(path: string, readText: ReadText): Promise<string> {
	const text = await readText(path, `the certificates in ${path}`);
	// Each certificate ends at its end mark, or at the next beginning: then it is not valid.
	const [, ...pieces] = text.split(begin);
	const found = pieces.map((piece) => `${begin}${piece.split(end, 1)[0]}${end}`);
	if (found.length > 0 && found.every(isCertificate)) return found.join('\n');
	throw new ChatError('data', `${path} does not contain valid certificates`, {
		hint: 'They must be in PEM form: -----BEGIN CERTIFICATE----- and so on.',
	});
}

function isCertificate(text: string): boolean {
	try {
		return new X509Certificate(text).subject !== undefined;
	} catch {
		return false;
	}
}

/**
 * Returns the PEM text of `NODE_EXTRA_CA_CERTS`, which Node trusts too, but cannot list before 22.15.
 * Empty without such a file, or if it is not valid: Node ignores it then, with a warning.
 */
export async function loadExtraCertificates(
	variables: Variables,
	readText: ReadText,
): Promise<string> {
	const path = variables['NODE_EXTRA_CA_CERTS'] ?? '';
	if (path === '' || 'getCACertificates' in tls) return '';
	try {
		return await loadCaFile(path, readText);
	} catch (error) {
		if (error instanceof ChatError && ['input', 'data'].includes(error.kind)) return '';
		throw error;
	}
}
