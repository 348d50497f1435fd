/** Describes how a server is reached, for a person deciding about it. */
import type {ApprovalLine} from '../chat/tool.ts';
import {mayHoldSecret, redactUrl} from '../redact.ts';
import {findHosts, findVariables, type VariableSource} from './fill-variables.ts';
import type {HttpAccess, ServerEntry} from './server-entry.ts';

/**
 * Describes an entry. The user's secrets are named, not shown.
 *
 * @param isForeign whether others may have written the entry. Threat: code in a variable or an
 * address, hidden because its name looks like a secret's. So every text is shown as written; only
 * obvious keys are cut.
 */
export function describeEntry(
	entry: ServerEntry,
	home: string | undefined,
	isForeign: boolean,
): readonly ApprovalLine[] {
	const {access, includeTools = [], excludeTools} = entry;
	const isProgram = access.type === 'program';
	const {clientId, clientSecret, scopes = []} = (isProgram ? undefined : access.auth) ?? {};
	const {address, variable, header, secret} = isForeign ? foreignTexts : ownTexts;
	const given = Object.entries(isProgram ? access.variables : access.headers);
	const lines: ReadonlyArray<readonly [label: string, texts: readonly string[]]> = [
		isProgram ? ['program', [describeAccess(entry)]] : ['address', [address(access.url)]],
		['in', isProgram ? [access.cwd ?? home ?? '/'] : []],
		['with', given.map(([name, value]) => (isProgram ? variable : header)(name, value))],
		['client', clientId === undefined ? [] : [clientId]],
		['client', clientSecret === undefined ? [] : [secret('secret', clientSecret)]],
		['scopes', scopes],
		['only', includeTools],
		['without', excludeTools],
	];
	return lines
		.filter(([, texts]) => texts.length > 0)
		.map(([label, texts]) => ({label, text: texts.join(', ')}));
}

type Describe = (name: string, value: string) => string;

/** How to show entry parts that may hold secrets. */
type Texts = {
	readonly address: (url: string) => string;
	readonly variable: Describe;
	readonly header: Describe;
	/** A client's secret. */
	readonly secret: Describe;
};

const ownTexts: Texts = {
	address: describeUrl,
	variable: describeVariable,
	header: nameSources,
	secret: nameSources,
};

const foreignTexts: Texts = {
	address: (url) =>
		url.replace(
			/([?&]([^=&#]*)=)([^&#]*)/g,
			(_, start: string, name: string, value: string) => start + cutKey(name, value),
		),
	variable: (name, value) => `${name}=${quoteElement(cutKey(name, value))}`,
	header: (name, value) => `${name}: ${cutKey(name, value)}`,
	secret: (name, value) => `${name} ${cutKey(name, value)}`,
};

/** Returns where requests go, and which user variables go with them. */
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

/** Returns the program with its arguments, or the address. */
export function describeAccess({access}: ServerEntry): string {
	return access.type === 'program'
		? access.argv.map(quoteElement).join(' ')
		: describeUrl(access.url);
}

function describeUrl(url: string): string {
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
 * Threat: a file with `NODE_OPTIONS` or the like, running more than the program shown. So values
 * are shown as written, unless their name suggests a secret.
 */
function describeVariable(name: string, value: string): string {
	return mayHoldSecret(name) || isReference(value)
		? nameSources(name, value)
		: `${name}=${quoteElement(value)}`;
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

/** Returns the name, with the variables behind its value. */
function nameSources(name: string, value: string): string {
	const others = findVariables([value]).filter((source) => source !== name);
	return others.length === 0 ? name : `${name} (from ${others.join(', ')})`;
}
