import {describe, expect, it} from 'vitest';
import {chatCompletionsUrl, checkAddress} from '../../src/protocol/chat-completions/endpoint.ts';

const rows: ReadonlyArray<readonly [baseUrl: string, address: string]> = [
	['http://localhost:8080', 'http://localhost:8080/v1/chat/completions'],
	['https://api.test/v1///', 'https://api.test/v1/chat/completions'],
	['https://api.test/api/paas/v4', 'https://api.test/api/paas/v4/chat/completions'],
	['https://api.test/v1beta/openai/', 'https://api.test/v1beta/openai/chat/completions'],
	['https://api.test/v2alpha1/x', 'https://api.test/v2alpha1/x/chat/completions'],
	['https://api.test/v1x', 'https://api.test/v1x/v1/chat/completions'],
	['https://api.test/dev1', 'https://api.test/dev1/v1/chat/completions'],
	[
		'https://api.test/openai/deployments/d/chat/completions?api-version=2026-01-01',
		'https://api.test/openai/deployments/d/chat/completions?api-version=2026-01-01',
	],
	['https://api.test?a=1&b=/v1/', 'https://api.test/v1/chat/completions?a=1&b=/v1/'],
	['https://api.test/v1#part', 'https://api.test/v1/chat/completions'],
];

describe('the address of the operation', () => {
	it.each(rows)('for %s is %s, and does not change when it is made again', (baseUrl, address) => {
		expect(chatCompletionsUrl(new URL(baseUrl)).href).toBe(address);
		expect(chatCompletionsUrl(new URL(address)).href).toBe(address);
	});
});

describe('the hint for an unknown address', () => {
	it.each([
		['/v1/responses', '/responses'],
		['/v1/messages', '/messages'],
		['/api/chat', '/api/chat'],
	])('with the path %s names the operation that does not belong there', (path, operation) => {
		const baseUrl = new URL(path, 'https://api.test');
		expect(checkAddress(baseUrl).addressHint).toContain(`Leave ${operation} out`);
	});

	const azure = 'https://r.openai.azure.com';
	const version = 'api-version=2024-10-21';
	const deployment = `${azure}/openai/deployments/d/chat/completions`;

	it.each([
		[`${azure}/openai/deployments/d`, `${deployment}?${version}`],
		[`${azure}/openai/deployments/d/?api-version=1`, `${deployment}?api-version=1`],
		[deployment, `${deployment}?${version}`],
		[azure, `${azure}/openai/v1`],
		['https://r.services.ai.azure.com/models', 'https://r.services.ai.azure.com/openai/v1'],
		['https://db.test/serving-endpoints', 'https://db.test/serving-endpoints/chat/completions'],
		[
			'https://db.test/serving-endpoints/m/invocations',
			'https://db.test/serving-endpoints/chat/completions',
		],
	])('of %s names the base URL that the service needs', (baseUrl, right) => {
		expect(checkAddress(new URL(baseUrl))).toEqual({
			addressHint: `This service needs another base URL: ${right}`,
			isAddressWrong: true,
		});
	});

	it.each([
		`${azure}/openai/v1`,
		`${deployment}?${version}`,
		'https://gateway.test/inference/v1',
		'https://gateway.test/inference/chat/completions',
	])('of %s does not: it may be right', (baseUrl) => {
		expect(checkAddress(new URL(baseUrl)).addressHint).toContain('Check the path');
	});

	it('depends on whether one segment of its path is a version', () => {
		const hintOf = (path: string) => checkAddress(new URL(path, 'https://api.test')).addressHint;
		for (const path of ['/v1', '/a/v3/b', '/v1beta/openai'])
			expect(hintOf(path)).toContain('Check the path');
		for (const path of ['', '/v', '/v1.', '/version1', '/V1']) {
			expect(hintOf(`${path}/chat/completions`)).toContain('has no version');
			// It gets a version of ours.
			expect(hintOf(path)).toContain('Check the path');
		}
	});
});
