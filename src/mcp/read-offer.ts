/** Asks a server for its offer, a page at a time, and checks what it sends. */
import {isJsonObject, type JsonObject, type JsonValue, parseJson} from '../json.ts';
import {shorten} from '../wording.ts';
import type {
	Offer,
	ServerPrompt,
	ServerResource,
	ServerResourceTemplate,
	ServerTool,
} from './offer.ts';

/** Asks for one page of a list. */
export type AskForPage = (method: ListMethod, cursor: string | undefined) => Promise<unknown>;

export type ListMethod =
	| 'tools/list'
	| 'prompts/list'
	| 'resources/list'
	| 'resources/templates/list';

/** The kinds of things that a server says it has; only those are asked for. */
export type Capabilities = {
	readonly tools?: unknown;
	readonly prompts?: unknown;
	readonly resources?: unknown;
};

/** Of each list. */
const maxPages = 100;
const maxItems = 1000;
/** UTF-16 units of JSON: of one definition, and of all of a list. */
const maxDefinition = 64 * 1024;
const maxList = 2 * 1024 * 1024;
const maxName = 1024;

/** @param report is called with a line for each thing that is left out */
export async function readOffer(
	capabilities: Capabilities,
	ask: AskForPage,
	report: (line: string) => void,
): Promise<Offer> {
	const list = async <Item extends object>(
		isOffered: boolean,
		kind: Kind<Item>,
	): Promise<readonly Item[]> => (isOffered ? await readList(kind, ask, report) : []);
	const {tools: hasTools, prompts: hasPrompts, resources: hasResources} = capabilities;
	const [tools, prompts, resources, resourceTemplates] = await Promise.all([
		list(hasTools !== undefined, toolKind),
		list(hasPrompts !== undefined, promptKind),
		list(hasResources !== undefined, resourceKind),
		list(hasResources !== undefined, templateKind),
	]);
	return {tools, prompts, resources, resourceTemplates};
}

type Kind<Item extends object> = {
	readonly method: ListMethod;
	/** The field of the result with the items. */
	readonly field: string;
	readonly noun: string;
	/** The field of an item that only one has. */
	readonly key: keyof Item & string;
	/** Returns undefined for what does not have the types of one. */
	read(value: JsonObject): Item | undefined;
};

async function readList<Item extends object>(
	{method, field, noun, key, read}: Kind<Item>,
	ask: AskForPage,
	report: (line: string) => void,
): Promise<readonly Item[]> {
	const items = new Map<string, Item>();
	let length = 0;
	const take = (value: unknown) => {
		const size = sizeOf(value);
		const item = isJsonObject(value) && size !== undefined ? read(value) : undefined;
		if (item === undefined || size === undefined) {
			return report(`left out: ${describeUnusable(value, noun, key)}`);
		}
		const name = String(item[key]);
		if (items.has(name)) return report(`left out: a second ${noun} ${name}`);
		if (size > maxDefinition) return report(`left out: the ${noun} ${name}, which is too long`);
		if (items.size === maxItems || length + size > maxList) {
			return report(`left out: the ${noun} ${name}: there are too many`);
		}
		length += size;
		items.set(name, item);
	};
	let cursor: string | undefined;
	for (let page = 0; page < maxPages; page++) {
		const result = await ask(method, cursor);
		const values = isJsonObject(result) ? result[field] : undefined;
		if (!Array.isArray(values)) {
			report(`${method} was not answered with ${field}`);
			break;
		}
		for (const value of values) take(value);
		const next = isJsonObject(result) ? result['nextCursor'] : undefined;
		if (typeof next !== 'string' || next === cursor) break;
		cursor = next;
		if (page === maxPages - 1) report(`left out: every ${noun} after ${maxPages} pages`);
	}
	return [...items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

function describeUnusable(value: unknown, noun: string, key: string): string {
	const {[key]: name, ...rest} = isJsonObject(value) ? value : {};
	const subject = typeof name === 'string' ? `the ${noun} ${shorten(name, 100)}` : `a ${noun}`;
	const reason = isTaskOnly(rest) ? 'which runs only as a task' : 'whose definition is not valid';
	return `${subject}, ${reason}`;
}

/** Returns undefined for a value that is nested too deep. */
function sizeOf(value: unknown): number | undefined {
	try {
		const text = JSON.stringify(value);
		const isUsable = text.length > maxDefinition || parseJson(text) !== undefined;
		return isUsable ? text.length : undefined;
	} catch {
		return undefined;
	}
}

/** Whether a tool can only be called as a task, which an answer cannot wait for. */
function isTaskOnly({execution}: JsonObject): boolean {
	return isJsonObject(execution) && execution['taskSupport'] === 'required';
}

const toolKind: Kind<ServerTool> = {
	method: 'tools/list',
	field: 'tools',
	noun: 'tool',
	key: 'name',
	read(value) {
		const {inputSchema, annotations} = value;
		const named = readNamed(value);
		if (named === undefined || !isJsonObject(inputSchema)) return undefined;
		if (isTaskOnly(value)) return undefined;
		return {...named, inputSchema, ...(isJsonObject(annotations) && {annotations})};
	},
};

const promptKind: Kind<ServerPrompt> = {
	method: 'prompts/list',
	field: 'prompts',
	noun: 'prompt',
	key: 'name',
	read(value) {
		const named = readNamed(value);
		const {arguments: fields = []} = value;
		if (named === undefined || !Array.isArray(fields)) return undefined;
		const read = fields.flatMap((field: JsonValue) => {
			const argument = isJsonObject(field) ? readNamed(field) : undefined;
			if (argument === undefined || !isJsonObject(field)) return [];
			const {name, description} = argument;
			return [{name, description, isRequired: field['required'] === true}];
		});
		return read.length === fields.length ? {...named, arguments: read} : undefined;
	},
};

const resourceKind: Kind<ServerResource> = {
	method: 'resources/list',
	field: 'resources',
	noun: 'resource',
	key: 'uri',
	read(value) {
		const named = readNamed(value);
		const uri = readName(value['uri']);
		return named && uri ? {uri, ...named, ...readType(value)} : undefined;
	},
};

const templateKind: Kind<ServerResourceTemplate> = {
	method: 'resources/templates/list',
	field: 'resourceTemplates',
	noun: 'resource template',
	key: 'uriTemplate',
	read(value) {
		const named = readNamed(value);
		const uriTemplate = readName(value['uriTemplate']);
		return named && uriTemplate ? {uriTemplate, ...named, ...readType(value)} : undefined;
	},
};

/** Absent fields are left out, so that what is saved and read again is the same. */
function readNamed(value: JsonObject) {
	const name = readName(value['name']);
	if (name === undefined) return undefined;
	const title = readText(value['title']);
	const description = readText(value['description']);
	return {
		name,
		...(title !== undefined && {title}),
		...(description !== undefined && {description}),
	};
}

function readType({mimeType}: JsonObject) {
	const mediaType = readText(mimeType);
	return mediaType === undefined ? {} : {mediaType};
}

function readName(value: JsonValue | undefined): string | undefined {
	return typeof value === 'string' && value !== '' && value.length <= maxName ? value : undefined;
}

function readText(value: JsonValue | undefined): string | undefined {
	return typeof value === 'string' ? value : undefined;
}
