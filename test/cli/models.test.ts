/** What is said when the service does not know the model that nobody has chosen. */
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, it, onTestFinished} from 'vitest';
import {runChat} from '../helpers/run-chat.ts';

async function startService(models: readonly string[] | undefined): Promise<string> {
	const server = createServer((request, response) => {
		request.resume();
		if (request.url === '/v1/models' && models !== undefined) {
			response.end(JSON.stringify({object: 'list', data: models.map((id) => ({id}))}));
			return;
		}
		response.writeHead(404, {'content-type': 'application/json'});
		response.end('{"error":{"message":"model not found","code":"model_not_found"}}');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('the models of the service are listed to whoever set none', async () => {
	const url = await startService(['small', 'large']);
	const {stderr, exitCode} = await runChat(['--base-url', url, 'Hello']);
	expect(exitCode).toBe(69);
	expect(stderr).toContain('No model is set');
	expect(stderr).toContain('The service offers small, large.');
});

it('a long list of models is cut short', async () => {
	const url = await startService(Array.from({length: 23}, (_, index) => `m${index}`));
	const {stderr} = await runChat(['--base-url', url, 'Hello']);
	expect(stderr).toContain('m18, m19, and 3 more.');
});

it('a service that lists no models is no further failure', async () => {
	const url = await startService(undefined);
	const {stderr, exitCode} = await runChat(['--base-url', url, 'Hello']);
	expect(exitCode).toBe(69);
	expect(stderr).toContain('No model is set');
	expect(stderr).not.toContain('offers');
});

it('whoever set a model gets no list', async () => {
	const url = await startService(['small']);
	const {stderr} = await runChat(['--base-url', url, '-m', 'mine', 'Hello']);
	expect(stderr).not.toContain('offers');
});
