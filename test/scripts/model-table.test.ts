import {execFile} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {expect, onTestFinished, test} from 'vitest';
import {modelsDev} from '../fixtures/model-lists.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('../../scripts/model-table.js', import.meta.url));

test('the table has the models and prices of services with a name', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'chat-table-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	const [api, table] = [join(folder, 'api.json'), join(folder, 'table.json')];
	const {openai, acme} = modelsDev('https://api.acme.example/v1');
	const openrouter = {env: ['OPENROUTER_API_KEY'], models: acme.models};
	writeFileSync(api, JSON.stringify({openrouter, openai, acme}));
	await run(process.execPath, [script, api, '2026-11-22', table]);
	expect(JSON.parse(readFileSync(table, 'utf8'))).toEqual({
		date: '2026-11-22',
		services: {'api.openai.com': {'gpt-4o': [128_001, 16_384, 'it', 2.5, 10, 1.25]}},
	});
	const line = '\t\t\t"gpt-4o": [128001, 16384, "it", 2.5, 10, 1.25]\n';
	expect(readFileSync(table, 'utf8')).toContain(line);
});

test('the table that comes with the program says what it knows of a model', () => {
	const path = fileURLToPath(new URL('../../src/models/model-table.json', import.meta.url));
	const {date, services} = JSON.parse(readFileSync(path, 'utf8'));
	expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
	for (const models of Object.values(services)) {
		for (const [context, output, abilities, ...prices] of Object.values(
			Object(models),
		) as unknown[][]) {
			expect([context, output]).toEqual([expect.any(Number), expect.any(Number)]);
			expect(abilities).toMatch(/^i?t?r?$/);
			expect([0, 2, 3, 4]).toContain(prices.length);
			expect(prices.every(Number.isFinite)).toBe(true);
		}
	}
});
