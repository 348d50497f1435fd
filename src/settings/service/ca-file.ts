/** Files of certificates, checked before anything is sent. */
import {X509Certificate} from 'node:crypto';
import * as tls from 'node:tls';
import {ChatError} from '../../errors.ts';
import {type ReadText, readNamedFile} from './named-file.ts';

const begin = '-----BEGIN CERTIFICATE-----';
const end = '-----END CERTIFICATE-----';

/**
 * The PEM text of the certificates in the file.
 *
 * @throws {ChatError} `input` when it cannot be read, `data` when it holds no certificate; what else
 * `readText` throws
 */
export async function loadCaFile(path: string, readText: ReadText): Promise<string> {
	const text = await readNamedFile(path, `the certificates in ${path}`, readText);
	const found = findCertificates(text);
	if (found.length > 0 && found.every(isCertificate)) return found.join('\n');
	throw new ChatError('data', `${path} holds no certificate that can be read`, {
		hint: 'It must be in PEM form: -----BEGIN CERTIFICATE----- and so on.',
	});
}

/** From each beginning to its end, or to the next beginning: then it is not valid. */
function findCertificates(text: string): readonly string[] {
	const [, ...pieces] = text.split(begin);
	return pieces.map((piece) => `${begin}${piece.split(end, 1)[0]}${end}`);
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * What `NODE_EXTRA_CA_CERTS` adds to the certificates that Node trusts, as PEM text, where Node
 * (before 22.15) cannot say that itself. Empty if there is none, or no file that can be read: Node
 * leaves such a file out too, and tells.
 *
 * @throws what `readText` throws, other than {ChatError} `input` or `data`
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

function isCertificate(text: string): boolean {
	try {
		return new X509Certificate(text).subject !== undefined;
	} catch {
		return false;
	}
}
