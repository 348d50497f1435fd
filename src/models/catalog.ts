/** Public data about models in a short form: <https://models.dev> (MIT). */
import type {ModelFacts} from '../chat/model.ts';
import type {Prices} from '../cost.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../json.ts';
import {hostedProviders} from '../providers.ts';

export type Catalog = {
	/** The day of the data: `2026-11-22`. */
	readonly date: string;
	/** The models of services, by `serviceKey`. Those with a name come first. */
	readonly services: Readonly<Record<string, Entries>>;
};

/** Entries by model name. */
type Entries = Readonly<Record<string, Entry>>;

/**
 * The context window and the longest answer, 0 if unknown; the abilities, a letter each; then US
 * dollars for a million tokens, if they are known.
 */
type Entry = readonly [context: number, output: number, abilities: string, ...Partial<EntryPrices>];

type EntryPrices = readonly [
	input: number,
	output: number,
	/** The price for cached input; 0 if unknown. */
	cached: number,
	/** Longer prompts have other prices. */
	maxInput: number,
];

const letters = {images: 'i', tools: 't', reasoning: 'r'} as const;

/** Returns what is known of a model at this service, or else of the model itself. */
export function findFacts(catalog: Catalog, service: URL, name: string): ModelFacts | undefined {
	const own = findEntry(catalog, service, name);
	const entry = own ?? findModel(catalog, name);
	if (entry === undefined) return undefined;
	const [context, output, abilities] = entry;
	return {
		context: context || undefined,
		output: output || undefined,
		images: abilities.includes(letters.images),
		tools: abilities.includes(letters.tools),
		reasoning: abilities.includes(letters.reasoning),
		inputPrice: own?.[3],
		outputPrice: own?.[4],
	};
}

/** Returns the prices of a model at this very service. */
export function findPrices(catalog: Catalog, service: URL, name: string): Prices | undefined {
	const [, , , input, output, cached, maxInput] = findEntry(catalog, service, name) ?? [];
	if (input === undefined || output === undefined) return undefined;
	return {input, output, cached: cached || undefined, maxInput, date: catalog.date};
}

export function listNames({services}: Catalog, service: URL): readonly string[] {
	return Object.keys(services[serviceKey(service)] ?? {});
}

function findEntry({services}: Catalog, service: URL, name: string): Entry | undefined {
	const entries = services[serviceKey(service)];
	return entries !== undefined && Object.hasOwn(entries, name) ? entries[name] : undefined;
}

/** Looks at the services that have a name: the makers of models, and those that run open ones. */
function findModel({services}: Catalog, name: string): Entry | undefined {
	const wanted = baseName(name);
	for (const {baseUrl} of hostedProviders) {
		const entries = Object.entries(services[serviceKey(new URL(baseUrl))] ?? {});
		const found = entries.find(([known]) => baseName(known) === wanted);
		if (found !== undefined) return found[1];
	}
	return undefined;
}

/** Returns the name of a model without its company, which not every service writes. */
function baseName(name: string): string {
	return name.slice(name.lastIndexOf('/') + 1).toLowerCase();
}

/** Returns the host and the path of a base URL, or of its operation, without the version. */
function serviceKey({host, pathname}: URL): string {
	return `${host}${pathname}`.replace(/\/chat\/completions$|\/+$/, '').replace(/\/v\d+$/, '');
}

/** Base URLs that models.dev leaves to its SDKs, of services that have no name here. */
const otherUrls: Readonly<Record<string, string>> = {
	cohere: 'https://api.cohere.ai/compatibility/v1',
	deepinfra: 'https://api.deepinfra.com/v1/openai',
	perplexity: 'https://api.perplexity.ai',
};

/**
 * Makes a catalog of the `api.json` of models.dev; undefined if it has another shape.
 *
 * @param date the day of its data
 */
export function readCatalog(api: JsonValue, date: string): Catalog | undefined {
	const named = new Map<string, Entries>();
	const others = new Map<string, Entries>();
	for (const [id, provider] of Object.entries(partOf(api))) {
		const {models, env, api: address} = partOf(provider);
		if (!isJsonObject(models)) continue;
		const hosted = hostedProviders.find(
			({name, keyVariable}) => name && Array.isArray(env) && env.includes(keyVariable),
		);
		const url = hosted?.baseUrl ?? otherUrls[id] ?? address;
		if (typeof url !== 'string' || !URL.canParse(url)) continue;
		const known = hosted === undefined ? others : named;
		const key = serviceKey(new URL(url));
		// A second provider at the same address is another plan, with prices of its own.
		if (!named.has(key) && !others.has(key)) known.set(key, readModels(models));
	}
	if (named.size + others.size === 0) return undefined;
	return {date, services: Object.fromEntries([...named, ...others])};
}

/** Leaves out models that do not write text. */
function readModels(models: JsonObject): Entries {
	const entries = Object.entries(models).flatMap(([name, value]) => {
		const {limit, modalities, cost, tool_call: tools, reasoning} = partOf(value);
		const {input: inputs, output: outputs} = partOf(modalities);
		if (!Array.isArray(outputs) || !outputs.includes('text')) return [];
		const abilities = [
			Array.isArray(inputs) && inputs.includes('image') ? letters.images : '',
			tools === true ? letters.tools : '',
			reasoning === true ? letters.reasoning : '',
		].join('');
		const {context, output} = partOf(limit);
		// Images are not charged as text.
		const prices = readPrices(outputs.length === 1 ? cost : undefined);
		const entry: Entry = [countOf(context), countOf(output), abilities, ...prices];
		return [[name, entry] as const];
	});
	return Object.fromEntries(entries);
}

function readPrices(cost: JsonValue | undefined): Partial<EntryPrices> {
	const {input, output, cache_read: cached, tiers} = partOf(cost);
	if (typeof input !== 'number' || typeof output !== 'number') return [];
	const sizes = Array.isArray(tiers)
		? tiers.map((tier) => countOf(partOf(partOf(tier)['tier'])['size'])).filter((size) => size > 0)
		: [];
	if (sizes.length > 0) return [input, output, countOf(cached), Math.min(...sizes)];
	return countOf(cached) === 0 ? [input, output] : [input, output, countOf(cached)];
}

function partOf(value: JsonValue | undefined): JsonObject {
	return isJsonObject(value) ? value : {};
}

function countOf(value: JsonValue | undefined): number {
	return typeof value === 'number' && value > 0 ? value : 0;
}
