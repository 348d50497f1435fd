/** The output when the service does not know the model. */
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

it('lists the models of the service if none is set', async () => {
	const url = await startService(['small', 'large']);
	const {stderr, exitCode} = await runChat(['--base-url', url, 'Hello']);
	expect(exitCode).toBe(65);
	expect(stderr).toContain('No model is set');
	expect(stderr).toContain('The service offers small, large.');
});

it('shortens a long list of models', async () => {
	const url = await startService(Array.from({length: 23}, (_, index) => `m${index}`));
	const {stderr} = await runChat(['--base-url', url, 'Hello']);
	expect(stderr).toContain('m18, m19, and 3 more; chat models lists them.');
});

it('needs no list of models', async () => {
	const url = await startService(undefined);
	const {stderr, exitCode} = await runChat(['--base-url', url, 'Hello']);
	expect(exitCode).toBe(65);
	expect(stderr).toContain('No model is set');
	expect(stderr).not.toContain('offers');
});

it('lists the models of the service if it does not know the chosen one', async () => {
	const url = await startService(['small']);
	const {stderr} = await runChat(['--base-url', url, '-m', 'mine', 'Hello']);
	expect(stderr).toContain('Choose another model with -m');
	expect(stderr).toContain('The service offers small.');
	expect(stderr).not.toContain('Did you mean');
});

it('suggests the model that a mistyped name is close to', async () => {
	const url = await startService(['small', 'large']);
	const {stderr} = await runChat(['--base-url', url, '-m', 'smal', 'Hello']);
	expect(stderr).toContain('Did you mean small? The service offers small, large.');
});
