/**
 * Makes the bundled table of models from a copy of <https://models.dev/api.json>:
 *
 * `node scripts/model-table.js <api.json> <day it was taken, as in 2026-11-22> [output]`
 */
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {loadSource} from './bundle-options.js';
import {root} from './project.js';

const table = join(root, 'src', 'models', 'model-table.json');

async function main([path, date = '', output = table]) {
	if (path === undefined || !/^\d{4}-\d\d-\d\d$/.test(date)) {
		throw new Error('usage: node scripts/model-table.js <api.json> <yyyy-mm-dd> [output]');
	}
	// The reader that `chat models update` uses.
	const {readCatalog} = await loadSource('src/models/catalog.ts');
	const catalog = readCatalog(JSON.parse(await readFile(path, 'utf8')), date);
	if (catalog === undefined) throw new Error(`${path} is not the data of models.dev`);
	const rows = Object.entries(catalog.models).map(
		([name, entry]) =>
			`\t\t${JSON.stringify(name)}: ${JSON.stringify(entry).replaceAll(',', ', ')}`,
	);
	// Prices change too often for a table that is not fetched.
	const text = `{\n\t"date": "${date}",\n\t"models": {\n${rows.join(',\n')}\n\t},\n\t"services": {}\n}\n`;
	await writeFile(output, text);
	console.log(`${rows.length} models, ${Math.ceil(text.length / 1000)} kB`);
}

await main(process.argv.slice(2));
