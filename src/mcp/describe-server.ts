/**
 * A server and its offer as data for people, of which texts and tables are views. All texts come from
 * the server or its entry: each view makes them safe.
 */
import type {ApprovalLine} from '../chat/tool.ts';
import {isJsonObject} from '../json.ts';
import {shorten} from '../wording.ts';
import {describeAnnotations} from './describe-call.ts';
import {describeEntry} from './describe-entry.ts';
import type {Manifest} from './manifest.ts';
import type {Offer, ServerTool} from './offer.ts';
import type {ServerEntry} from './server-entry.ts';

export type ServerDescription = {
	/** How it is reached, and as what it introduces itself. */
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
	/** Its name for the server, or its address. */
	readonly name: string;
	/** The name with those of its arguments. */
	readonly usage: string;
	readonly description: string;
	/** Lines about its arguments, and claims of the server. */
	readonly details: readonly string[];
};

export function describeServer(
	entry: ServerEntry,
	manifest: Manifest | undefined,
	home: string | undefined,
): ServerDescription {
	const lines = describeEntry(entry, home);
	if (manifest === undefined) return {lines, groups: []};
	const {instructions, offer} = manifest;
	const says = instructions === undefined ? [] : [{label: 'says', text: instructions}];
	return {
		lines: [...lines, {label: 'server', text: nameServer(manifest)}, ...says],
		groups: describeOffer(offer),
	};
}

/** Returns its name and version, as it calls itself. */
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
		{
			title: 'Prompts',
			noun: 'prompt',
			items: prompts.map(({name, title, description = title ?? '', arguments: values}) => {
				const parameters = values.map((value) => {
					return {name: value.name, isRequired: value.required === true};
				});
				return {name, usage: usageOf(name, parameters), description, details: []};
			}),
		},
		{
			title: 'Resources',
			noun: 'resource',
			items: [...resources, ...templates].map(({uri, name, title = name, description = title}) => {
				return {name: uri, usage: uri, description, details: []};
			}),
		},
	];
}

function describeTool({
	name,
	title,
	description,
	inputSchema,
	annotations,
}: ServerTool): OfferedItem {
	const {properties, required} = inputSchema;
	const needed: readonly unknown[] = Array.isArray(required) ? required : [];
	const values = Object.entries(Object(properties));
	const parameters = values.map(([key]) => ({name: key, isRequired: needed.includes(key)}));
	return {
		name,
		usage: usageOf(name, parameters),
		description: description ?? title ?? '',
		details: [...values.map(describeProperty), ...describeAnnotations(annotations ?? {})],
	};
}

/** Schemas of servers may be anything. */
function describeProperty([name, schema]: readonly [string, unknown]): string {
	const {type, enum: choices, description} = isJsonObject(schema) ? schema : {};
	const kinds = [choices ?? type ?? []]
		.flat()
		.map((kind) => (typeof kind === 'string' ? kind : JSON.stringify(kind)));
	const kind = kinds.length === 0 ? '' : ` (${kinds.join(', ')})`;
	return `- ${name}${kind}${typeof description === 'string' ? `: ${description}` : ''}`;
}

type Parameter = {readonly name: string; readonly isRequired: boolean};

/** Returns `review pr [focus]`: what may be left out is in brackets. */
export function usageOf(called: string, parameters: readonly Parameter[]): string {
	const names = parameters.map(({name, isRequired}) => (isRequired ? name : `[${name}]`));
	return [called, ...names].join(' ');
}
