/** The certificates that a run trusts, which are fixed when its process starts. */
import {readFileSync} from 'node:fs';
import {createServer} from 'node:https';
import {join} from 'node:path';
import * as tls from 'node:tls';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {listen} from '../helpers/listen.ts';
import {runProcess} from '../helpers/run-process.ts';
import {createDirectory} from '../input/input-helpers.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));

const reply =
	'data: {"choices":[{"index":0,"delta":{"content":"Hi."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

/** Starts a service with a certificate from a private authority. */
async function startService(): Promise<string> {
	const pair = {
		key: readFileSync(pathOf('server-key.pem')),
		cert: readFileSync(pathOf('server.pem')),
	};
	const server = createServer(pair, (request, response) => {
		request.resume().on('end', () => {
			response.writeHead(200, {'content-type': 'text/event-stream'}).end(reply);
		});
	});
	return `https://localhost:${await listen(server)}`;
}

/** Writes a file with the certificate of another authority. */
function otherAuthority(): string {
	return join(createDirectory({'other.pem': tls.rootCertificates[0] ?? ''}), 'other.pem');
}

const authority = pathOf('ca.pem');
const withKey = {NODE_EXTRA_CA_CERTS: pathOf('server-key.pem')};
const missing = {NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem'};
const system = {NODE_OPTIONS: '--use-system-ca', SSL_CERT_FILE: authority};
// Only newer versions of Node can list the certificates that they trust.
const isListed = 'getCACertificates' in tls && process.platform === 'linux';

test.each<readonly [name: string, variables: Record<string, string>, file: string, code: number]>([
	['the certificates of NODE_EXTRA_CA_CERTS', {NODE_EXTRA_CA_CERTS: authority}, 'other', 0],
	['nothing else', {}, 'other', 69],
	['its own certificates beside a file without any', withKey, 'own', 0],
	['its own certificates beside a missing file', missing, 'own', 0],
	...(isListed ? [['what the system trusts', system, 'other', 0] as const] : []),
])('a run with --ca-file trusts %s', async (_, variables, file, code) => {
	const flags = ['--ca-file', file === 'own' ? authority : otherAuthority(), '--max-retries', '0'];
	const run = await runProcess([...flags, '--base-url', await startService(), 'p'], {variables});
	expect(run).toMatchObject({stdout: code === 0 ? 'Hi.\n' : '', code});
});
