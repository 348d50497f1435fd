/** Public data about models in a short form: <https://models.dev> (MIT). */
import type {ModelFacts} from '../chat/model.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../json.ts';

export type Catalog = {
	/** The day the data was taken: `2026-11-22`. */
	readonly date: string;
	/** The models themselves, at any service. */
	readonly models: Entries;
	/** The models of services with their prices there, by `serviceKey`. */
	readonly services: Readonly<Record<string, Entries>>;
};

/** By the name of the model. */
type Entries = Readonly<Record<string, Entry>>;

/**
 * The context window and the longest answer, 0 if unknown; the abilities, a letter each; then the
 * prices, if they are known.
 */
type Entry = readonly [
	context: number,
	output: number,
	abilities: string,
	inputPrice?: number,
	outputPrice?: number,
];

const letters = {images: 'i', tools: 't', reasoning: 'r'} as const;

/** Returns what is known of a model at this service, or else of the model itself. */
export function findFacts(
	{models, services}: Catalog,
	service: URL,
	name: string,
): ModelFacts | undefined {
	const own = services[serviceKey(service)] ?? {};
	const entry = entryOf(own, name) ?? entryOf(models, name.slice(name.lastIndexOf('/') + 1));
	if (entry === undefined) return undefined;
	const [context, output, abilities, inputPrice, outputPrice] = entry;
	return {
		context: context || undefined,
		output: output || undefined,
		images: abilities.includes(letters.images),
		tools: abilities.includes(letters.tools),
		reasoning: abilities.includes(letters.reasoning),
		inputPrice,
		outputPrice,
	};
}

export function listNames({services}: Catalog, service: URL): readonly string[] {
	return Object.keys(services[serviceKey(service)] ?? {});
}

function entryOf(entries: Entries, name: string): Entry | undefined {
	return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

/** Returns the host and the path of a base URL, or of its operation, without the version. */
function serviceKey({host, pathname}: URL): string {
	return `${host}${pathname}`.replace(/\/chat\/completions$|\/+$/, '').replace(/\/v\d+$/, '');
}

/** Base URLs that models.dev leaves to its SDKs. */
const baseUrls: Readonly<Record<string, string>> = {
	anthropic: 'https://api.anthropic.com/v1',
	cerebras: 'https://api.cerebras.ai/v1',
	cohere: 'https://api.cohere.ai/compatibility/v1',
	deepinfra: 'https://api.deepinfra.com/v1/openai',
	google: 'https://generativelanguage.googleapis.com/v1beta/openai',
	groq: 'https://api.groq.com/openai/v1',
	mistral: 'https://api.mistral.ai/v1',
	openai: 'https://api.openai.com/v1',
	openrouter: 'https://openrouter.ai/api/v1',
	perplexity: 'https://api.perplexity.ai',
	togetherai: 'https://api.together.xyz/v1',
	xai: 'https://api.x.ai/v1',
};

/**
 * Providers that serve their own models, whose figures stand for the models themselves. Openly
 * licensed models of others are taken from the last one.
 */
const makers = [
	'openai',
	'anthropic',
	'google',
	'mistral',
	'deepseek',
	'xai',
	'moonshotai',
	'alibaba',
	'zai',
	'minimax',
	'cohere',
	'llama',
	'openrouter',
];

/**
 * Makes a catalog of the `api.json` of models.dev; undefined if it has another shape.
 *
 * @param date the day of its data
 */
export function readCatalog(api: JsonValue, date: string): Catalog | undefined {
	if (!isJsonObject(api)) return undefined;
	const services = new Map<string, Entries>();
	const byProvider = new Map<string, Entries>();
	for (const [id, provider] of Object.entries(api)) {
		const listed = isJsonObject(provider) ? provider['models'] : undefined;
		if (!isJsonObject(provider) || !isJsonObject(listed)) continue;
		const models = Object.entries(listed).flatMap(([name, model]) => readModel(name, model));
		byProvider.set(id, entriesOf(models.filter(({isOpen}) => id !== 'openrouter' || isOpen)));
		const url = baseUrls[id] ?? provider['api'];
		if (typeof url !== 'string' || !URL.canParse(url)) continue;
		const key = serviceKey(new URL(url));
		// A second provider at the same address is another plan, with prices of its own.
		if (!services.has(key)) services.set(key, entriesOf(models));
	}
	if (byProvider.size === 0) return undefined;
	const models = makers
		.toReversed()
		.flatMap((id) => Object.entries(byProvider.get(id) ?? {}))
		// `:free` and the like are offers of a service.
		.filter(([name]) => !name.includes(':'))
		.map(([name, [context, output, abilities]]): [string, Entry] => [
			name.slice(name.lastIndexOf('/') + 1),
			[context, output, abilities],
		]);
	const sorted = models.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
	return {date, models: Object.fromEntries(sorted), services: Object.fromEntries(services)};
}

type NamedEntry = {readonly name: string; readonly entry: Entry; readonly isOpen: boolean};

function entriesOf(models: readonly NamedEntry[]): Entries {
	return Object.fromEntries(models.map(({name, entry}) => [name, entry]));
}

/** Leaves out models that do not write text. */
function readModel(name: string, model: JsonValue): readonly NamedEntry[] {
	if (!isJsonObject(model)) return [];
	const {limit, modalities, cost, tool_call: tools, reasoning, open_weights: isOpen} = model;
	const words = (key: string) => partOf(modalities)[key];
	const output = words('output');
	if (!Array.isArray(output) || !output.includes('text')) return [];
	const inputs = words('input');
	const abilities = [
		Array.isArray(inputs) && inputs.includes('image') ? letters.images : '',
		tools === true ? letters.tools : '',
		reasoning === true ? letters.reasoning : '',
	].join('');
	const limits = [countOf(partOf(limit)['context']), countOf(partOf(limit)['output'])] as const;
	const {input: inputPrice, output: outputPrice} = partOf(cost);
	const hasPrices = typeof inputPrice === 'number' && typeof outputPrice === 'number';
	const entry: Entry = hasPrices
		? [...limits, abilities, inputPrice, outputPrice]
		: [...limits, abilities];
	return [{name, entry, isOpen: isOpen === true}];
}

function partOf(value: JsonValue | undefined): JsonObject {
	return isJsonObject(value) ? value : {};
}

function countOf(value: JsonValue | undefined): number {
	return typeof value === 'number' && value > 0 ? value : 0;
}
