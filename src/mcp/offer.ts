/**
 * The offer of a server, as one schema: for what a server sends, for what is saved, and for types. Names,
 * texts and schemas are as the server sent them. Untrusted.
 */
import * as v from 'valibot';
import {isJsonObject, type JsonObject} from '../json.ts';

/** UTF-16 units. */
const maxName = 1024;

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(maxName));
const jsonObject = v.custom<JsonObject>(isJsonObject);

/** A field that is left out if it has another type: nobody depends on it. */
const lenient = <const Schema extends v.GenericSchema>(schema: Schema) =>
	v.fallback(v.optional(schema), undefined);

const listOf = <const Schema extends v.GenericSchema>(schema: Schema) =>
	v.pipe(v.array(schema), v.readonly());

const texts = {title: lenient(v.string()), description: lenient(v.string())};
const resourceEntries = {name, ...texts, mimeType: lenient(v.string())};

export const toolSchema = v.object({
	/** Its name for the server; a request uses another one. */
	name,
	...texts,
	/** JSON Schema of the arguments; its root is an object. */
	inputSchema: jsonObject,
	/** Claims of the server, such as `readOnlyHint`. They are shown, and decide nothing. */
	annotations: lenient(jsonObject),
});

export const promptSchema = v.object({
	name,
	...texts,
	arguments: v.optional(listOf(v.object({name, ...texts, required: lenient(v.boolean())})), []),
});

export const resourceSchema = v.object({uri: name, ...resourceEntries});

/** `uriTemplate` is an RFC 6570 template: `repo://{owner}/{path}`. */
export const resourceTemplateSchema = v.object({uriTemplate: name, ...resourceEntries});

/** Each list is sorted by the names of its items, each name once. */
export const offerSchema = v.object({
	tools: listOf(toolSchema),
	prompts: listOf(promptSchema),
	resources: listOf(resourceSchema),
	resourceTemplates: listOf(resourceTemplateSchema),
});

export type Offer = Readonly<v.InferOutput<typeof offerSchema>>;
export type ServerTool = Readonly<v.InferOutput<typeof toolSchema>>;
export type ServerPrompt = Readonly<v.InferOutput<typeof promptSchema>>;
