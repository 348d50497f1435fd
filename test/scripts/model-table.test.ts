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

test('the table has the models of their own makers, without prices', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'chat-table-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	const [api, table] = [join(folder, 'api.json'), join(folder, 'table.json')];
	const {openai, acme} = modelsDev('https://api.acme.example/v1');
	const [offer] = Object.values(acme.models).slice(-1);
	const openrouter = {
		models: {
			'x/open': {...offer, open_weights: true},
			'x/open:free': {...offer, open_weights: true, limit: {context: 1, output: 1}},
			'openai/gpt-4o': {...offer, open_weights: true},
			'x/closed': offer,
		},
	};
	writeFileSync(api, JSON.stringify({openrouter, openai, acme}));
	await run(process.execPath, [script, api, '2026-11-22', table]);
	expect(JSON.parse(readFileSync(table, 'utf8'))).toEqual({
		date: '2026-11-22',
		models: {'gpt-4o': [128_001, 16_384, 'it'], open: [64_000, 16_384, 'it']},
		services: {},
	});
	expect(readFileSync(table, 'utf8')).toContain('\t\t"gpt-4o": [128001, 16384, "it"],\n');
});

test('the table that comes with the program says what it knows of a model', () => {
	const path = fileURLToPath(new URL('../../src/models/model-table.json', import.meta.url));
	const {date, models} = JSON.parse(readFileSync(path, 'utf8'));
	expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
	for (const entry of Object.values(models)) {
		expect(entry).toEqual([
			expect.any(Number),
			expect.any(Number),
			expect.stringMatching(/^i?t?r?$/),
		]);
	}
});
