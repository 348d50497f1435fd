/** The certificates that a run trusts, which are fixed when its process starts. */
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:https';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import * as tls from 'node:tls';
import {fileURLToPath} from 'node:url';
import {describe, expect, onTestFinished, test} from 'vitest';
import {runProcess} from '../helpers/run-process.ts';

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
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.close();
	});
	return `https://localhost:${(server.address() as AddressInfo).port}`;
}

/** Writes a file with the certificate of another authority. */
function otherAuthority(): string {
	const folder = mkdtempSync(join(tmpdir(), 'chat-ca-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	const path = join(folder, 'other.pem');
	writeFileSync(path, tls.rootCertificates[0] ?? '');
	return path;
}

describe('with --ca-file', () => {
	const authority = pathOf('ca.pem');

	test('certificates from NODE_EXTRA_CA_CERTS stay trusted', async () => {
		const url = await startService();
		const argv = ['--ca-file', otherAuthority(), '--base-url', url, '--max-retries', '0', 'p'];
		const run = await runProcess(argv, {variables: {NODE_EXTRA_CA_CERTS: authority}});
		expect(run).toMatchObject({stdout: 'Hi.\n', stderr: '', code: 0});
		const alone = await runProcess(argv);
		expect(alone).toMatchObject({stdout: '', code: 69});
	});

	// Only newer versions of Node can list the certificates that they trust.
	test.runIf('getCACertificates' in tls && process.platform === 'linux')(
		'what the system trusts stays trusted, if Node uses it',
		async () => {
			const url = await startService();
			const argv = ['--ca-file', otherAuthority(), '--base-url', url, 'p'];
			const variables = {NODE_OPTIONS: '--use-system-ca', SSL_CERT_FILE: authority};
			const run = await runProcess(argv, {variables});
			expect(run).toMatchObject({stdout: 'Hi.\n', stderr: '', code: 0});
		},
	);

	test('the file of NODE_EXTRA_CA_CERTS may be missing', async () => {
		const url = await startService();
		const argv = ['--ca-file', authority, '--base-url', url, 'p'];
		for (const NODE_EXTRA_CA_CERTS of ['', '/nowhere/ca.pem', pathOf('server-key.pem')]) {
			const run = await runProcess(argv, {variables: {NODE_EXTRA_CA_CERTS}});
			expect(run).toMatchObject({stdout: 'Hi.\n', code: 0});
		}
	});
});
