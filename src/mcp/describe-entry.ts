/** Describes how a server is reached, for a person who decides about it. */
import type {ApprovalLine} from '../chat/tool.ts';
import {mayHoldSecret, redactUrl} from '../redact.ts';
import {findHosts, findVariables, type VariableSource} from './fill-variables.ts';
import type {HttpAccess, ServerEntry} from './server-entry.ts';

/** Describes an entry of the user: no value with the name of a secret is shown. */
export function describeEntry(
	entry: ServerEntry,
	home: string | undefined,
): readonly ApprovalLine[] {
	const {access} = entry;
	const values =
		access.type === 'program'
			? describeVariables(access.variables)
			: Object.entries(access.headers).map(([name, value]) => nameSources(name, value));
	return describe(entry, {
		home,
		access: describeAccess(entry),
		values,
		describeSecret: nameSources,
	});
}

/**
 * Describes an entry that others have written. Threat: code in a variable or an address that is hidden
 * because its name looks like that of a secret. So every text is shown as it is written; only what can
 * be nothing but a key is cut.
 */
export function describeForeignEntry(
	entry: ServerEntry,
	home: string | undefined,
): readonly ApprovalLine[] {
	const {access} = entry;
	const describeSecret = (name: string, value: string) => `${name} ${cutKey(name, value)}`;
	if (access.type === 'program') {
		const values = Object.entries(access.variables).map(
			([name, value]) => `${name}=${quoteElement(cutKey(name, value))}`,
		);
		return describe(entry, {home, access: describeAccess(entry), values, describeSecret});
	}
	const values = Object.entries(access.headers).map(
		([name, value]) => `${name}: ${cutKey(name, value)}`,
	);
	const url = access.url.replace(
		/([?&]([^=&#]*)=)([^&#]*)/g,
		(_, start: string, name: string, value: string) => start + cutKey(name, value),
	);
	return describe(entry, {home, access: url, values, describeSecret});
}

/** Returns where requests go, and the variables of the user that go with them. */
export function describeDestination(
	access: HttpAccess,
	source: VariableSource,
): readonly ApprovalLine[] {
	const host = findHosts(access.url, source).join(' or ');
	const {clientId = '', clientSecret = '', scopes = []} = access.auth ?? {};
	const sent = [
		[[access.url, ...Object.values(access.headers)], host],
		[[clientId, clientSecret, ...scopes], 'where that server has its login'],
	] as const;
	return [
		{label: 'host', text: host},
		...sent.flatMap(([texts, place]) => {
			const names = findVariables(texts);
			return names.length > 0 ? [{label: 'sends', text: `${names.join(', ')} to ${place}`}] : [];
		}),
	];
}

type Described = {
	/** Stands for a folder that the entry does not name. */
	readonly home: string | undefined;
	readonly access: string;
	/** The variables or headers. */
	readonly values: readonly string[];
	/** Describes the secret of a client. */
	readonly describeSecret: (name: string, value: string) => string;
};

function describe(
	entry: ServerEntry,
	{home, describeSecret, ...texts}: Described,
): readonly ApprovalLine[] {
	const {access, includeTools = [], excludeTools} = entry;
	const isProgram = access.type === 'program';
	const {clientId, clientSecret, scopes = []} = (isProgram ? undefined : access.auth) ?? {};
	const lines: ReadonlyArray<readonly [label: string, texts: readonly string[]]> = [
		[isProgram ? 'program' : 'address', [texts.access]],
		['in', isProgram ? [access.cwd ?? home ?? '/'] : []],
		['with', texts.values],
		['client', clientId === undefined ? [] : [clientId]],
		['client', clientSecret === undefined ? [] : [describeSecret('secret', clientSecret)]],
		['scopes', scopes],
		['only', includeTools],
		['without', excludeTools],
	];
	return lines
		.filter(([, texts]) => texts.length > 0)
		.map(([label, texts]) => ({label, text: texts.join(', ')}));
}

/** Returns the program with its arguments, or the address. */
export function describeAccess({access}: ServerEntry): string {
	if (access.type === 'program') return access.argv.map(quoteElement).join(' ');
	const {url} = access;
	return url.includes('${')
		? url.replace(/[?#].*$/s, (end) => `${end[0]}…`)
		: redactUrl(new URL(url));
}

/** Returns what a server is known by: arguments may be secret. */
export function shortAccess(entry: ServerEntry): string {
	const {access} = entry;
	if (access.type === 'http') return describeAccess(entry);
	const [program = '', ...rest] = access.argv;
	return [program, rest.find((text) => !text.startsWith('-')) ?? ''].join(' ').trim();
}

/** An element with blanks would look like several. */
function quoteElement(text: string): string {
	return /^[^\s"'\\]+$/.test(text) ? text : JSON.stringify(text);
}

/**
 * Threat: a file with `NODE_OPTIONS` or the like, which runs more than the program that is shown. So
 * values are shown as they are written, unless their name is that of a secret.
 */
function describeVariables(values: Readonly<Record<string, string>>): readonly string[] {
	return Object.entries(values).map(([name, value]) => {
		return mayHoldSecret(name) || isReference(value)
			? nameSources(name, value)
			: `${name}=${quoteElement(value)}`;
	});
}

/** A default, or text around the variable, would be more than its name says. */
function isReference(value: string): boolean {
	return /^\$\{(?:env:)?\w+\}$/.test(value);
}

/** A word of letters and digits, which cannot be a command, a path or an address. */
const key = /^((?:Bearer |Basic )?[\w-]{4})(?=[\w-]*\d)[\w-]{12,}$/i;

function cutKey(name: string, value: string): string {
	if (!mayHoldSecret(name)) return value;
	return value.replace(key, (_, start: string) => `${start}… (${value.length} characters)`);
}

/** Returns the name, with the variables that its value comes from. */
function nameSources(name: string, value: string): string {
	const others = findVariables([value]).filter((source) => source !== name);
	return others.length === 0 ? name : `${name} (from ${others.join(', ')})`;
}
