/** The output when the service does not know the model. */
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, it, onTestFinished} from 'vitest';
import {runChat} from '../helpers/run-chat.ts';

async function startService(
	models: readonly string[] | undefined,
	message = 'model not found',
): Promise<string> {
	const server = createServer((request, response) => {
		request.resume();
		if (request.url === '/v1/models' && models !== undefined) {
			response.end(JSON.stringify({object: 'list', data: models.map((id) => ({id}))}));
			return;
		}
		response.writeHead(404, {'content-type': 'application/json'});
		response.end(JSON.stringify({error: {message}}));
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
	expect(exitCode).toBe(64);
	expect(stderr).toMatch(/no model is set, and 127\.0\.0\.1:\d+ offers 2 models\n/);
	expect(stderr).toContain('The service offers small, large. Choose one with -m NAME');
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

it('lists the models of Gemini, whose list has a prefix', async () => {
	const words =
		'models/nope is not found for API version v1main, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.';
	const url = await startService(['models/gemini-2.5-flash', 'models/gemini-2.5-pro'], words);
	const {stderr, exitCode} = await runChat(['--base-url', url, '-m', 'nope', 'Hello']);
	expect(exitCode).toBe(65);
	expect(stderr).toContain('The service offers models/gemini-2.5-flash, models/gemini-2.5-pro.');
	expect(stderr).not.toContain('base URL');
});
