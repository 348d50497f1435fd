/**
 * Asks the native APIs of local services, which know more about their models than the list of the
 * convention.
 */
import type {ModelFacts, OfferedModel} from '../../chat/model.ts';
import type {JsonObject, JsonValue} from '../../json.ts';
import {asArray, asInteger, asObject, asText} from '../json-values.ts';
import type {RequestJson} from '../wire.ts';
import {contextFields, findCount, readSwitch} from './read-models.ts';

type Describe = (
	models: readonly OfferedModel[],
	urlOf: (path: string) => URL,
	request: RequestJson,
) => Promise<readonly ModelFacts[]>;

/** By the owner that the service names in its list. */
const services: Readonly<Record<string, Describe>> = {
	library: (models, urlOf, request) =>
		Promise.all(
			models.map(async ({name}) =>
				readOllamaModel(await request(urlOf('/api/show'), {model: name})),
			),
		),
	async llamacpp(models, urlOf, request) {
		const facts = readLlamaServer(await request(urlOf('/props')));
		return models.map(() => facts);
	},
	async organization_owner(models, urlOf, request) {
		const facts = readLmStudioModels(await request(urlOf('/api/v1/models')));
		return models.map(({name}) => facts.get(name) ?? {});
	},
};

/** Ollama describes one model a request. */
const maxModels = 50;

/**
 * Adds what a native API says. A service of another kind gets no request.
 *
 * @param operationUrl the address of the chat-completions operation
 * @throws whatever `request` throws
 */
export async function askNativeApi(
	models: readonly OfferedModel[],
	operationUrl: URL,
	request: RequestJson,
): Promise<readonly OfferedModel[]> {
	const [describe] = models.flatMap(({owner = ''}) =>
		Object.hasOwn(services, owner) ? (services[owner] ?? []) : [],
	);
	const root = /^(.*)\/v1\/chat\/completions$/.exec(operationUrl.pathname)?.[1];
	if (describe === undefined || root === undefined) return models;
	const urlOf = (path: string) => new URL(`${root}${path}`, operationUrl);
	const found = await describe(models.slice(0, maxModels), urlOf, request);
	return models.map((model, index) => ({...model, facts: {...model.facts, ...found[index]}}));
}

/** It has one model loaded; one that loads several says nothing of them. */
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

function readLmStudioModels(reply: JsonValue): ReadonlyMap<string, ModelFacts> {
	const list = asArray(asObject(reply)?.['models']) ?? [];
	const facts = list.flatMap((item) => {
		const model = asObject(item) ?? {};
		const name = asText(model['key']);
		return name === undefined ? [] : [[name, readLmStudioModel(model)] as const];
	});
	return new Map(facts);
}

function readLmStudioModel(model: JsonObject): ModelFacts {
	const loaded = asObject(asArray(model['loaded_instances'])?.[0]) ?? {};
	return {
		// A loaded model may have a smaller window than it could.
		context: findCount(loaded, ['config.context_length']) ?? findCount(model, contextFields),
		images: readSwitch(model, 'capabilities.vision'),
		tools: readSwitch(model, 'capabilities.trained_for_tool_use'),
	};
}
