/**
 * A server's offer, as one schema: for received data, for saved data, and for types. Names, texts
 * and schemas are exactly as received. Untrusted.
 */
import * as v from 'valibot';
import {isJsonObject, type JsonObject} from '../json.ts';

/** UTF-16 units. */
const maxName = 1024;

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(maxName));
const jsonObject = v.custom<JsonObject>(isJsonObject);

/** A field that is dropped if it has another type: nothing depends on it. */
const lenient = <const Schema extends v.GenericSchema>(schema: Schema) =>
	v.fallback(v.optional(schema), undefined);

const listOf = <const Schema extends v.GenericSchema>(schema: Schema) =>
	v.pipe(v.array(schema), v.readonly());

const texts = {title: lenient(v.string()), description: lenient(v.string())};
const resourceEntries = {name, ...texts, mimeType: lenient(v.string())};

const tool = v.object({
	/** The server's name for the tool; a request uses another one. */
	name,
	...texts,
	/** JSON Schema for the arguments; its root is an object. */
	inputSchema: jsonObject,
	/** The server's claims, such as `readOnlyHint`. They are shown, and decide nothing. */
	annotations: lenient(jsonObject),
});

const prompt = v.object({
	name,
	...texts,
	arguments: v.optional(listOf(v.object({name, ...texts, required: lenient(v.boolean())})), []),
});

const resource = v.object({uri: name, ...resourceEntries});

/** `uriTemplate` is an RFC 6570 template: `repo://{owner}/{path}`. */
const resourceTemplate = v.object({uriTemplate: name, ...resourceEntries});

/** The lists in an offer, each sorted by its items' keys, without duplicates. */
export const offerSchema = v.object({
	tools: listOf(tool),
	prompts: listOf(prompt),
	resources: listOf(resource),
	resourceTemplates: listOf(resourceTemplate),
});

export type Offer = Readonly<v.InferOutput<typeof offerSchema>>;
export type ServerTool = Offer['tools'][number];
export type ServerPrompt = Offer['prompts'][number];

/** How a list is requested and named, and its items' unique field. */
export const offerLists = [
	{field: 'tools', method: 'tools/list', noun: 'tool', key: 'name', item: tool},
	{field: 'prompts', method: 'prompts/list', noun: 'prompt', key: 'name', item: prompt},
	{field: 'resources', method: 'resources/list', noun: 'resource', key: 'uri', item: resource},
	{
		field: 'resourceTemplates',
		method: 'resources/templates/list',
		noun: 'resource template',
		key: 'uriTemplate',
		item: resourceTemplate,
	},
] as const;
