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

/** Hundreds of models each, at prices that depend on who answers. */
const routers = ['openrouter', 'huggingface'];

async function main([path, date = '', output = table]) {
	if (path === undefined || !/^\d{4}-\d\d-\d\d$/.test(date)) {
		throw new Error('usage: node scripts/model-table.js <api.json> <yyyy-mm-dd> [output]');
	}
	// The reader that `chat models update` uses.
	const {readCatalog} = await loadSource('src/models/catalog.ts');
	const {hostedProviders} = await loadSource('src/providers.ts');
	const catalog = readCatalog(JSON.parse(await readFile(path, 'utf8')), date);
	if (catalog === undefined) throw new Error(`${path} is not the data of models.dev`);
	const hosts = hostedProviders
		.filter(({name}) => name !== undefined && !routers.includes(name))
		.map(({baseUrl}) => new URL(baseUrl).host);
	const services = Object.entries(catalog.services).filter(([key]) =>
		hosts.includes(key.replace(/\/.*/, '')),
	);
	// A line for each model, so that changes can be read.
	const text = JSON.stringify(
		{date, services: Object.fromEntries(services)},
		undefined,
		'\t',
	).replaceAll(/\[[^\]]*\]/g, (entry) =>
		entry.replaceAll(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'),
	);
	await writeFile(output, `${text}\n`);
	console.log(`${services.length} services, ${Math.ceil(text.length / 1000)} kB`);
}

await main(process.argv.slice(2));
