/**
 * A server, its offer and its calls as data, which texts and tables then show. All texts come from
 * the server or its entry: each view sanitizes them.
 */
import type {ApprovalLine} from '../chat/tool.ts';
import {isJsonObject, type JsonObject} from '../json.ts';
import {describeValues} from '../tools/describe-values.ts';
import {formatCount, shorten} from '../wording.ts';
import {compareItems} from './compare-offers.ts';
import {describeAccess, describeEntry} from './describe-entry.ts';
import type {Manifest} from './manifest.ts';
import type {Offer, ServerPrompt, ServerTool} from './offer.ts';
import type {Server} from './server.ts';
import type {ServerEntry} from './server-entry.ts';

export type ServerDescription = {
	/** How it is reached, and how it introduces itself. */
	readonly lines: readonly ApprovalLine[];
	/** Empty if its offer is not known. */
	readonly groups: readonly OfferGroup[];
};

export type OfferGroup = {
	readonly title: string;
	readonly noun: 'tool' | 'prompt' | 'resource';
	readonly items: readonly OfferedItem[];
};

export type OfferedItem = {
	/** The server's name for the item, or the item's address. */
	readonly name: string;
	readonly parameters: readonly Parameter[];
	readonly description: string;
	/** Lines about its arguments, and the server's claims. */
	readonly details: readonly string[];
};

export function describeServer(
	entry: ServerEntry,
	manifest: Manifest | undefined,
	home: string | undefined,
): ServerDescription {
	const lines = describeEntry(entry, home, false);
	if (manifest === undefined) return {lines, groups: []};
	const {instructions, offer} = manifest;
	const says = instructions === undefined ? [] : [{label: 'says', text: instructions}];
	return {
		lines: [...lines, {label: 'server', text: nameServer(manifest)}, ...says],
		groups: describeOffer(offer),
	};
}

/** Returns the server's own name and version. */
export function nameServer({server: {name, version}}: Pick<Manifest, 'server'>): string {
	return shorten(`${name} ${version}`, 100);
}

export function describeOffer(offer: Offer): readonly OfferGroup[] {
	const {tools, prompts, resources, resourceTemplates} = offer;
	const templates = resourceTemplates.map(({uriTemplate, ...rest}) => ({
		...rest,
		uri: uriTemplate,
	}));
	return [
		{title: 'Tools', noun: 'tool', items: tools.map(describeTool)},
		{title: 'Prompts', noun: 'prompt', items: prompts.map(describePrompt)},
		{
			title: 'Resources',
			noun: 'resource',
			items: [...resources, ...templates].map(({uri, name, title = name, description = title}) => {
				return {name: uri, parameters: [], description, details: []};
			}),
		},
	];
}

export function describePrompt(prompt: ServerPrompt): OfferedItem {
	const {name, title = '', description = title, arguments: values} = prompt;
	const parameters = values.map((value) => ({
		name: value.name,
		description: value.description ?? '',
		isRequired: value.required === true,
	}));
	return {name, parameters, description, details: []};
}

function describeTool(tool: ServerTool): OfferedItem {
	const {name, title = '', description = title, inputSchema, annotations} = tool;
	const {properties, required} = inputSchema;
	const needed: readonly unknown[] = Array.isArray(required) ? required : [];
	const values = Object.entries(Object(properties));
	return {
		name,
		parameters: values.map(([key]) => {
			return {name: key, description: '', isRequired: needed.includes(key)};
		}),
		description,
		details: [...values.map(describeProperty), ...describeAnnotations(annotations)],
	};
}

/** Server schemas may be anything. */
function describeProperty([name, schema]: readonly [string, unknown]): string {
	const {type, enum: choices, description} = isJsonObject(schema) ? schema : {};
	const kinds = [choices ?? type ?? []]
		.flat()
		.map((kind) => (typeof kind === 'string' ? kind : JSON.stringify(kind)));
	const kind = kinds.length === 0 ? '' : ` (${kinds.join(', ')})`;
	return `- ${name}${kind}${typeof description === 'string' ? `: ${description}` : ''}`;
}

/** A prompt or tool argument. */
type Parameter = {
	readonly name: string;
	readonly description: string;
	readonly isRequired: boolean;
};

/** Returns `review pr [focus]`: what may be left out is in brackets. */
export function usageOf({name, parameters}: Pick<OfferedItem, 'name' | 'parameters'>): string {
	const names = parameters.map((value) => (value.isRequired ? value.name : `[${value.name}]`));
	return [name, ...names].join(' ');
}

/**
 * Describes a call, for the approval question.
 *
 * @param tool the server's current definition
 */
export function describeCall(
	server: Server,
	tool: ServerTool,
	values: JsonObject,
): readonly ApprovalLine[] {
	const saved = server.manifest();
	const approved = saved?.offer.tools.find(({name}) => name === tool.name);
	const version = (server.present() ?? saved)?.server.version;
	return [
		{label: 'server', text: identify(server.entry, version)},
		{label: 'tool', text: tool.name},
		...labelled('sends', orNothing(describeValues(values))),
		...labelled('changed', approved === undefined ? [] : compareItems(approved, tool).map(toLine)),
		...labelled('says', describeClaims(tool)),
	];
}

const toLine = (text: string): ApprovalLine => ({label: '', text});

function labelled(label: string, lines: readonly ApprovalLine[]): readonly ApprovalLine[] {
	return lines.map((line, index) => (index === 0 ? {...line, label} : line));
}

function orNothing(lines: readonly ApprovalLine[]): readonly ApprovalLine[] {
	return lines.length > 0 ? lines : [toLine('no arguments')];
}

/** Keeps name, access and version in one row of 80 columns. */
const maxAccessLength = 38;
const maxVersionLength = 20;

function identify(entry: ServerEntry, version: string | undefined): string {
	const shown = shorten(describeAccess(entry), maxAccessLength);
	const versionText =
		version === undefined ? '' : `, version ${shorten(version, maxVersionLength)}`;
	return `${entry.name} (${shown}${versionText})`;
}

/** Words for a true hint, and for a false one. */
const claims: ReadonlyArray<readonly [hint: string, yes: string, no: string | undefined]> = [
	['readOnlyHint', 'read-only', undefined],
	['destructiveHint', 'may delete or overwrite', 'only adds'],
	['idempotentHint', 'a repetition changes nothing', undefined],
	['openWorldHint', 'reaches other systems', 'reaches no other system'],
];

/** Meaningless for a read-only tool. */
const changeHints: readonly string[] = ['destructiveHint', 'idempotentHint'];

/** Two rows at 80 columns: the arguments must be visible without a key press. */
const maxDescriptionLength = 100;

/** Returns the server's words about its tool. */
function describeClaims({title, description, annotations}: ServerTool): readonly ApprovalLine[] {
	const text = (description ?? title ?? '').trim().replace(/\s+/g, ' ');
	const rest = text.length - maxDescriptionLength;
	const more = rest > 0 ? ` (${formatCount(rest)} more characters)` : '';
	return [
		...(text === '' ? [] : [`${shorten(text, maxDescriptionLength)}${more}`]),
		...describeAnnotations(annotations),
	].map(toLine);
}

/** Returns a line about the server's claims, if it makes any. */
function describeAnnotations(annotations: JsonObject = {}): readonly string[] {
	const claimed = claims.flatMap(([hint, yes, no]) => {
		const value = annotations[hint];
		if (annotations['readOnlyHint'] === true && changeHints.includes(hint)) return [];
		return value === true ? [yes] : value === false && no !== undefined ? [no] : [];
	});
	return claimed.length === 0 ? [] : [`${claimed.join(', ')}, by its own account`];
}
