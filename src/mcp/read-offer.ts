/** Asks a server for its offer, a page at a time, and checks what it sends. */
import * as v from 'valibot';
import {isJsonObject, type JsonObject, parseJson} from '../json.ts';
import {shorten} from '../wording.ts';
import {
	type Offer,
	promptSchema,
	resourceSchema,
	resourceTemplateSchema,
	toolSchema,
} from './offer.ts';

/** Asks for one page of a list. */
export type AskForPage = (method: ListMethod, cursor: string | undefined) => Promise<unknown>;

type ListMethod = 'tools/list' | 'prompts/list' | 'resources/list' | 'resources/templates/list';

/** The kinds of things that a server says it has; only those are asked for. */
type Capabilities = Readonly<Partial<Record<'tools' | 'prompts' | 'resources', unknown>>>;

/** Of each list. */
const maxPages = 100;
const maxItems = 1000;
/** UTF-16 units of JSON: of one definition, and of all of a list. */
const maxDefinition = 64 * 1024;
const maxList = 2 * 1024 * 1024;

/** @param report is called with a line for each thing that is left out */
export async function readOffer(
	{tools: hasTools, prompts: hasPrompts, resources: hasResources}: Capabilities,
	ask: AskForPage,
	report: (line: string) => void,
): Promise<Offer> {
	const list = async <Item extends object>(isOffered: boolean, kind: Kind<Item>) =>
		isOffered ? await readList(kind, ask, report) : [];
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
	readonly field: keyof Offer;
	readonly noun: string;
	/** The field of an item that only one has. */
	readonly key: keyof Item & string;
	readonly schema: v.GenericSchema<unknown, Item>;
};

const toolKind = {
	method: 'tools/list',
	field: 'tools',
	noun: 'tool',
	key: 'name',
	schema: toolSchema,
} as const;

const promptKind = {
	method: 'prompts/list',
	field: 'prompts',
	noun: 'prompt',
	key: 'name',
	schema: promptSchema,
} as const;

const resourceKind = {
	method: 'resources/list',
	field: 'resources',
	noun: 'resource',
	key: 'uri',
	schema: resourceSchema,
} as const;

const templateKind = {
	method: 'resources/templates/list',
	field: 'resourceTemplates',
	noun: 'resource template',
	key: 'uriTemplate',
	schema: resourceTemplateSchema,
} as const;

async function readList<Item extends object>(
	{method, field, noun, key, schema}: Kind<Item>,
	ask: AskForPage,
	report: (line: string) => void,
): Promise<readonly Item[]> {
	const items = new Map<string, Item>();
	let length = 0;
	const take = (value: unknown): string | undefined => {
		const given = isJsonObject(value) ? value[key] : undefined;
		const subject =
			typeof given === 'string' ? `the ${noun} ${shorten(given, maxShownName)}` : `a ${noun}`;
		const size = sizeOf(value);
		const {output: item, success} = v.safeParse(schema, value);
		if (size === undefined || !success) return `${subject}, whose definition is not valid`;
		const problem = findProblem(value as JsonObject);
		if (problem !== undefined) return `${subject}, ${problem}`;
		const name = String(item[key]);
		if (items.has(name)) return `a second ${noun} ${name}`;
		if (size > maxDefinition) return `${subject}, which is too long`;
		if (items.size === maxItems || length + size > maxList) {
			return `${subject}: there are too many`;
		}
		length += size;
		items.set(name, item);
		return undefined;
	};
	let cursor: string | undefined;
	for (let page = 0; page < maxPages; page++) {
		const result = await ask(method, cursor);
		const {[field]: values, nextCursor} = isJsonObject(result) ? result : {};
		if (!Array.isArray(values)) {
			report(`${method} was not answered with ${field}`);
			break;
		}
		for (const value of values) {
			const fault = take(value);
			if (fault !== undefined) report(`left out: ${fault}`);
		}
		if (typeof nextCursor !== 'string' || nextCursor === cursor) break;
		cursor = nextCursor;
		if (page === maxPages - 1) report(`left out: every ${noun} after ${maxPages} pages`);
	}
	return [...items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

const maxShownName = 100;

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

/** Returns why a valid definition cannot be used, as the end of a sentence. */
function findProblem({execution}: JsonObject): string | undefined {
	// A task may take hours, and an answer cannot wait for it.
	const isTaskOnly = isJsonObject(execution) && execution['taskSupport'] === 'required';
	return isTaskOnly ? 'which runs only as a task' : undefined;
}
