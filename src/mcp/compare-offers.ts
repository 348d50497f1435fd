/** The differences between two offers, and between two definitions, for a person. All texts in them are untrusted. */
import {isJsonObject, type JsonObject, type JsonValue} from '../json.ts';
import {plural, shorten} from '../wording.ts';
import {isSameJson} from './fingerprint.ts';
import type {Manifest} from './manifest.ts';
import {type Offer, offerLists} from './offer.ts';

/**
 * Returns lines about everything not yet approved: new, gone or different.
 *
 * @param before the approved manifest; undefined if there is none
 */
export function compareManifests(before: Manifest | undefined, after: Manifest): readonly string[] {
	const {instructions = ''} = after;
	const isSame = instructions === (before?.instructions ?? '');
	return [
		...(isSame ? [] : [`its instructions for the model: ${instructions}`]),
		...offerLists.flatMap(({field, noun, key}) => {
			const [known, now] = [indexOf(before?.offer[field], key), indexOf(after.offer[field], key)];
			const gone = [...known.keys()].filter((name) => !now.has(name));
			return [
				...gone.map((name) => `the ${noun} ${name} is gone`),
				...[...now].flatMap(([name, item]) => describeItem(noun, name, known.get(name), item)),
			];
		}),
	];
}

type Item = Offer[keyof Offer][number];

function indexOf(items: readonly Item[] = [], key: string): ReadonlyMap<string, Item> {
	return new Map(items.map((item) => [String((item as JsonObject)[key]), item]));
}

function describeItem(
	noun: string,
	name: string,
	before: Item | undefined,
	after: Item,
): readonly string[] {
	const {description, title = ''} = after;
	if (before === undefined) {
		const text = String(description ?? title);
		return [`new ${noun} ${name}`, ...(text === '' ? [] : [`    ${text}`])];
	}
	const changes = compareItems(before, after);
	return changes.length === 0 ? [] : [`the ${noun} ${name} has changed:`, ...changes];
}

const maxChanges = 20;
const maxPathLength = 120;
/** Maximum value length in UTF-16 units. */
const maxLength = 4_000;

/** Returns lines about the differences between two definitions. */
export function compareItems(before: Item, after: Item): readonly string[] {
	const changes = [...findChanges('', partsOf(before), partsOf(after))];
	const rest = changes.length - maxChanges;
	const lines = changes.slice(0, maxChanges).flatMap(describeChange);
	return rest > 0 ? [...lines, `… and ${plural(rest, 'more change')}`] : lines;
}

/** A tool's schema describes its arguments. */
function partsOf(item: Item): JsonObject {
	const {inputSchema, ...others} = item as JsonObject;
	return {...others, ...(inputSchema !== undefined && {arguments: inputSchema})};
}

type Change = {
	/** Names separated by dots: `arguments.properties.query.type`. */
	readonly path: string;
	readonly before: JsonValue | undefined;
	readonly after: JsonValue | undefined;
};

/** A part that is new or gone is one change, whatever it contains. */
function* findChanges(
	path: string,
	before: JsonObject,
	after: JsonObject,
): Generator<Change, void, undefined> {
	for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
		const place = path === '' ? key : `${path}.${key}`;
		const old = Object.hasOwn(before, key) ? before[key] : undefined;
		const now = Object.hasOwn(after, key) ? after[key] : undefined;
		if (isJsonObject(old) && isJsonObject(now)) yield* findChanges(place, old, now);
		else if (!isSameJson(old, now)) yield {path: place, before: old, after: now};
	}
}

function describeChange({path, before, after}: Change): readonly string[] {
	const name = shorten(path, maxPathLength);
	if (before === undefined) return [`new: ${name} ${show(after)}`];
	if (after === undefined) return [`gone: ${name} ${show(before)}`];
	const [old, now] = partThatDiffers(textOf(before), textOf(after));
	return [`${name}:`, `- ${shorten(old, maxLength)}`, `+ ${shorten(now, maxLength)}`];
}

function show(value: JsonValue | undefined): string {
	return shorten(textOf(value), maxLength);
}

function textOf(value: JsonValue | undefined): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Minimum context in characters before and after a difference. */
const context = 24;

/** Leaves out long equal starts and ends. */
function partThatDiffers(one: string, other: string): readonly [string, string] {
	const shorter = Math.min(one.length, other.length);
	let start = 0;
	while (start < shorter && one[start] === other[start]) start += 1;
	let end = 0;
	while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
	const from = start <= 2 * context ? 0 : one.lastIndexOf(' ', start - context) + 1;
	const cut = end <= 2 * context ? 0 : end - context;
	const part = (text: string) =>
		`${from > 0 ? '…' : ''}${text.slice(from, text.length - cut)}${cut > 0 ? '…' : ''}`;
	return [part(one), part(other)];
}
