/** Finds what is publicly known of a model: in the data that was fetched last, or in the bundled table. */
import {readFileSync} from 'node:fs';
import type {ModelFacts} from '../chat/model.ts';
import type {Prices} from '../cost.ts';
import {isJsonObject, type JsonValue, parseJson} from '../json.ts';
import {type Catalog, findFacts, findPrices, listNames} from './catalog.ts';

export type KnownModels = {
	/** Whether this is the data of an update. */
	readonly isFetched: boolean;
	/** Where the facts come from. */
	readonly source: string;
	/** Returns the names of the models at this service. */
	list(service: URL): readonly string[];
	/** @param service the base URL, or the address of its operation */
	find(service: URL, name: string): ModelFacts | undefined;
	/** Returns the prices of a model at this very service. */
	findPrices(service: URL, name: string): Prices | undefined;
};

/** @param path of the fetched data; undefined if there is no folder for it */
export async function loadKnownModels(path: string | undefined): Promise<KnownModels> {
	const fetched = path === undefined ? undefined : readCatalogFile(path);
	const catalog = fetched ?? (await loadTable());
	return {
		isFetched: fetched !== undefined,
		source:
			fetched === undefined
				? `table of ${catalog.date} (models.dev)`
				: `models.dev, ${catalog.date}`,
		list: (service) => listNames(catalog, service),
		find: (service, name) => findFacts(catalog, service, name),
		findPrices: (service, name) => findPrices(catalog, service, name),
	};
}

async function loadTable(): Promise<Catalog> {
	const {default: table} = await import('./model-table.json', {with: {type: 'json'}});
	return table as unknown as Catalog;
}

/** Returns undefined for a damaged file too; the next update replaces it. */
function readCatalogFile(path: string): Catalog | undefined {
	try {
		const value: JsonValue | undefined = parseJson(readFileSync(path, 'utf8'));
		const isCatalog =
			isJsonObject(value) && typeof value['date'] === 'string' && isJsonObject(value['services']);
		return isCatalog ? (value as unknown as Catalog) : undefined;
	} catch {
		return undefined;
	}
}
