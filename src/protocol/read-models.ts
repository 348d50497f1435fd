/** Reads model lists. The list is the same everywhere; its facts have many names. */
import type {ModelFacts, OfferedModel} from '../chat/model.ts';
import {asArray, asInteger, asObject, asText, type JsonObject, type JsonValue} from '../json.ts';

/** Returns undefined if the reply is not a model list. */
export function readModels(reply: JsonValue): readonly OfferedModel[] | undefined {
	const object = asObject(reply);
	// Together sends the list alone.
	const list = asArray(object?.['data']) ?? asArray(object?.['models']) ?? asArray(reply);
	const multimodal = findMultimodal(object?.['models']);
	return list?.flatMap((item) => {
		const model = asObject(item);
		const name = asText(model?.['id']) ?? asText(model?.['name']);
		if (model === undefined || name === undefined) return [];
		const facts = readFacts(model);
		const images = facts.images ?? (multimodal.has(name) ? true : undefined);
		const owner = asText(model['owned_by']);
		const created = readTime(model);
		return {name, facts: {...facts, images}, created, owner, isForChat: readUse(model)};
	});
}

/** llama-server has a second list, with what its models can do. */
function findMultimodal(list: JsonValue | undefined): ReadonlySet<string> {
	const names = (asArray(list) ?? []).flatMap((item) => {
		const model = asObject(item);
		const isMultimodal = asArray(model?.['capabilities'])?.includes('multimodal') === true;
		return isMultimodal ? (asText(model?.['name']) ?? []) : [];
	});
	return new Set(names);
}

/** Field names for each fact, most reliable first. Dots descend. */
export const contextFields = [
	// LM Studio and llama-server: the window as loaded, smaller than the trained one.
	'loaded_context_length',
	'meta.n_ctx',
	// OpenRouter, Together.
	'context_length',
	// Groq.
	'context_window',
	// Mistral, LM Studio.
	'max_context_length',
	// vLLM.
	'max_model_len',
	'meta.n_ctx_train',
];

/** Capability words used by Together and LM Studio. */
const uses: Readonly<Record<string, boolean>> = {
	chat: true,
	llm: true,
	vlm: true,
	embedding: false,
	embeddings: false,
	image: false,
	audio: false,
	video: false,
	rerank: false,
	moderation: false,
	transcribe: false,
};

/** Mistral has a switch for each ability. */
function readUse(model: JsonObject): boolean | undefined {
	return uses[asText(model['type']) ?? ''] ?? readSwitch(model, 'capabilities.completion_chat');
}

/** Anthropic writes a date. */
function readTime(model: JsonObject): number | undefined {
	const date = Date.parse(asText(model['created_at']) ?? '') / 1000;
	return asInteger(model['created']) ?? (Number.isFinite(date) ? date : undefined);
}

const outputFields = ['top_provider.max_completion_tokens', 'max_completion_tokens'];

function readFacts(model: JsonObject): ModelFacts {
	const inputs = readWords(model, 'architecture.input_modalities');
	const parameters = readWords(model, 'supported_parameters');
	return {
		context: findCount(model, contextFields),
		output: findCount(model, outputFields),
		images: readSwitch(model, 'capabilities.vision') ?? inputs?.includes('image'),
		tools: readSwitch(model, 'capabilities.function_calling') ?? parameters?.includes('tools'),
		reasoning: readSwitch(model, 'capabilities.reasoning') ?? parameters?.includes('reasoning'),
		inputPrice: readPrice(model, 'pricing.prompt'),
		outputPrice: readPrice(model, 'pricing.completion'),
	};
}

function at(value: JsonObject, path: string): JsonValue | undefined {
	return path
		.split('.')
		.reduce<JsonValue | undefined>((found, key) => asObject(found)?.[key], value);
}

export function findCount(model: JsonObject, paths: readonly string[]): number | undefined {
	const counts = paths.map((path) => asInteger(at(model, path)));
	return counts.find((count) => count !== undefined && count > 0);
}

export function readSwitch(model: JsonObject, path: string): boolean | undefined {
	const value = at(model, path);
	return typeof value === 'boolean' ? value : undefined;
}

function readWords(model: JsonObject, path: string): readonly JsonValue[] | undefined {
	return asArray(at(model, path));
}

/** OpenRouter writes dollars per token, as text; a negative price varies. */
function readPrice(model: JsonObject, path: string): number | undefined {
	const price = Number(asText(at(model, path)) ?? Number.NaN);
	// Rounds what the multiplication adds: 0.0000001 * 1e6 is 0.09999999999999999.
	return price >= 0 ? Number((price * 1e6).toFixed(6)) : undefined;
}
