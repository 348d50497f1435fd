/** Asks a server for its offer, page by page, and checks it. */
import * as v from 'valibot';
import {isJsonObject, type JsonObject, parseJson} from '../json.ts';
import {shorten} from '../wording.ts';
import {type Offer, offerLists, offerSchema} from './offer.ts';
import {hasInvalidHeader} from './tool-headers.ts';

/** Asks for one page of a list. */
export type AskForPage = (
	method: OfferList['method'],
	cursor: string | undefined,
) => Promise<unknown>;

type OfferList = (typeof offerLists)[number];

/** The server's declared capabilities; only those are requested. */
type Capabilities = Readonly<Partial<Record<'tools' | 'prompts' | 'resources', unknown>>>;

/** Maximum items in each list. */
const maxPages = 100;
const maxItems = 1000;
/** UTF-16 units of JSON: for one definition, and for a whole list. */
const maxDefinition = 64 * 1024;
const maxList = 2 * 1024 * 1024;

/**
 * @param report receives a line for each item left out
 * @param isHttp whether arguments may have to go into headers
 */
export async function readOffer(
	capabilities: Capabilities,
	ask: AskForPage,
	report: (line: string) => void,
	isHttp: boolean,
): Promise<Offer> {
	const lists = offerLists.map(async (list) => {
		const [capability] = list.method.split('/');
		const isOffered = capabilities[capability as keyof Capabilities] !== undefined;
		return [list.field, isOffered ? await readList(list, {ask, report, isHttp}) : []];
	});
	return v.parse(offerSchema, Object.fromEntries(await Promise.all(lists)));
}

type Reading = {
	readonly ask: AskForPage;
	readonly report: (line: string) => void;
	readonly isHttp: boolean;
};

async function readList(
	{method, field, noun, key, item: schema}: OfferList,
	{ask, report, isHttp}: Reading,
): Promise<readonly object[]> {
	const items = new Map<string, object>();
	let length = 0;
	const take = (value: unknown): string | undefined => {
		const given = isJsonObject(value) ? value[key] : undefined;
		const subject =
			typeof given === 'string' ? `the ${noun} ${shorten(given, maxShownName)}` : `a ${noun}`;
		const size = sizeOf(value);
		if (size === undefined || !isJsonObject(value) || !v.is(schema, value)) {
			return `${subject}, whose definition is not valid`;
		}
		const name = String(given);
		if (items.has(name)) return `a second ${noun} ${name}`;
		if (size > maxDefinition) return `${subject}, which is too long`;
		const problem = findProblem(value, isHttp);
		if (problem !== undefined) return `${subject}, ${problem}`;
		if (items.size === maxItems || length + size > maxList) {
			return `${subject}: there are too many`;
		}
		length += size;
		items.set(name, value);
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

/** Returns why a valid definition is unusable, as the end of a sentence. */
function findProblem({execution, inputSchema}: JsonObject, isHttp: boolean): string | undefined {
	// A task may take hours, and an answer cannot wait for it.
	const isTaskOnly = isJsonObject(execution) && execution['taskSupport'] === 'required';
	if (isTaskOnly) return 'which runs only as a task';
	const hasFault = isHttp && inputSchema !== undefined && hasInvalidHeader(inputSchema);
	return hasFault ? 'which asks for a header that is not valid (x-mcp-header)' : undefined;
}
