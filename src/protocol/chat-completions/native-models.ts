/** Asks local services' native APIs, which know more about their models than the standard list. */
import type {ModelFacts, OfferedModel} from '../../chat/model.ts';
import {asArray, asInteger, asObject, asText, type JsonObject, type JsonValue} from '../../json.ts';
import {contextFields, findCount, readSwitch} from '../read-models.ts';
import type {RequestJson} from '../wire.ts';

type UrlOf = (path: string) => URL;

type NativeApi = {
	readonly describe: (
		models: readonly OfferedModel[],
		urlOf: UrlOf,
		request: RequestJson,
	) => Promise<readonly ModelFacts[]>;
	/** Returns the names of loaded models. */
	readonly listLoaded?: (urlOf: UrlOf, request: RequestJson) => Promise<readonly string[]>;
};

/** Keyed by the owner in the service's list. */
const services: Readonly<Record<string, NativeApi>> = {
	library: {
		describe: (models, urlOf, request) =>
			Promise.all(
				models.map(async ({name}) =>
					readOllamaModel(await request(urlOf('/api/show'), {model: name})),
				),
			),
		async listLoaded(urlOf, request) {
			const list = asArray(asObject(await request(urlOf('/api/ps')))?.['models']) ?? [];
			return list.flatMap((item) => asText(asObject(item)?.['name']) ?? []);
		},
	},
	llamacpp: {
		async describe(models, urlOf, request) {
			const facts = readLlamaServer(await request(urlOf('/props')));
			return models.map(() => facts);
		},
	},
	organization_owner: {
		async describe(models, urlOf, request) {
			const facts = readLmStudioModels(await request(urlOf('/api/v1/models')));
			return models.map(({name}) => facts.get(name) ?? {});
		},
		async listLoaded(urlOf, request) {
			const list = listLmStudioModels(await request(urlOf('/api/v1/models')));
			const loaded = list.filter((model) => asArray(model['loaded_instances'])?.length);
			return loaded.flatMap((model) => asText(model['key']) ?? []);
		},
	},
};

/** Ollama describes one model a request. */
const maxModels = 50;

/**
 * Adds facts from a native API. Other services get no request.
 *
 * @param operationUrl the chat-completions address
 * @throws whatever `request` throws
 */
export async function askNativeApi(
	models: readonly OfferedModel[],
	operationUrl: URL,
	request: RequestJson,
): Promise<readonly OfferedModel[]> {
	const native = findApi(models, operationUrl);
	if (native === undefined) return models;
	const found = await native.api.describe(models.slice(0, maxModels), native.urlOf, request);
	return models.map((model, index) => ({...model, facts: {...model.facts, ...found[index]}}));
}

/**
 * Returns the loaded models; none for other services, which get no request.
 *
 * @throws whatever `request` throws
 */
export async function listLoadedModels(
	models: readonly OfferedModel[],
	operationUrl: URL,
	request: RequestJson,
): Promise<readonly OfferedModel[]> {
	const native = findApi(models, operationUrl);
	const names = (await native?.api.listLoaded?.(native.urlOf, request)) ?? [];
	return models.filter(({name}) => names.includes(name));
}

function findApi(models: readonly OfferedModel[], operationUrl: URL) {
	const [api] = models.flatMap(({owner = ''}) =>
		Object.hasOwn(services, owner) ? (services[owner] ?? []) : [],
	);
	const root = /^(.*)\/v1\/chat\/completions$/.exec(operationUrl.pathname)?.[1];
	if (api === undefined || root === undefined) return undefined;
	return {api, urlOf: (path: string) => new URL(`${root}${path}`, operationUrl)};
}

/** Reads facts about the loaded model; a multi-model server reports none. */
function readLlamaServer(reply: JsonValue): ModelFacts {
	const properties = asObject(reply) ?? {};
	const context = findCount(properties, ['default_generation_settings.n_ctx', 'n_ctx']);
	const images = readSwitch(properties, 'modalities.vision');
	return {...(context && {context}), ...(images !== undefined && {images})};
}

function readOllamaModel(reply: JsonValue): ModelFacts {
	const object = asObject(reply);
	const info = Object.entries(asObject(object?.['model_info']) ?? {});
	const [, context] = info.find(([key]) => key.endsWith('.context_length')) ?? [];
	const capabilities = asArray(object?.['capabilities']);
	return {
		context: asInteger(context),
		images: capabilities?.includes('vision'),
		tools: capabilities?.includes('tools'),
		reasoning: capabilities?.includes('thinking'),
	};
}

function listLmStudioModels(reply: JsonValue): readonly JsonObject[] {
	const list = asArray(asObject(reply)?.['models']) ?? [];
	return list.map(asObject).filter((model) => model !== undefined);
}

function readLmStudioModels(reply: JsonValue): ReadonlyMap<string, ModelFacts> {
	const facts = listLmStudioModels(reply).flatMap((model) => {
		const name = asText(model['key']);
		return name === undefined ? [] : [[name, readLmStudioModel(model)] as const];
	});
	return new Map(facts);
}

function readLmStudioModel(model: JsonObject): ModelFacts {
	const loaded = asObject(asArray(model['loaded_instances'])?.[0]) ?? {};
	return {
		// A model may be loaded with a smaller window than it supports.
		context: findCount(loaded, ['config.context_length']) ?? findCount(model, contextFields),
		images: readSwitch(model, 'capabilities.vision'),
		tools: readSwitch(model, 'capabilities.trained_for_tool_use'),
	};
}
