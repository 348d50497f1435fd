/** Keeps secrets out of everything that is shown: keys by their text, URLs by their parts. */
import {basename} from 'node:path';
import type {Variables} from './environment.ts';
import {isJsonObject} from './json.ts';
import {hostedProviders} from './providers.ts';

/** Replaces every known secret in a text. Sanitise a text before: only then is a secret whole. */
export type Redact = (text: string) => string;

const mask = '[redacted]';

/** Shorter secrets would hide ordinary words. */
const minSecretLength = 4;

/**
 * Makes a redactor. It finds secrets in the forms in which services echo them: as they are,
 * URL-encoded, escaped for JSON, inside base64, or shortened with an ellipsis.
 */
export function createRedactor(secrets: ReadonlyArray<string | undefined>): Redact {
	const known = secrets
		.map((secret) => secret?.trim() ?? '')
		.filter(({length}) => length >= minSecretLength);
	const longestFirst = [...new Set(known.flatMap(formsOf))].sort((a, b) => b.length - a.length);
	return (text) => {
		const redacted = longestFirst.reduce((shown, form) => shown.replaceAll(form, mask), text);
		return known.reduce(hideCut, redacted);
	};
}

/** Threat: a shortened text that ends in the beginning of a secret. */
function hideCut(text: string, secret: string): string {
	if (!text.includes('…')) return text;
	const pieces = text.split('…');
	const last = pieces.length - 1;
	return pieces.map((piece, place) => (place === last ? piece : hideEnd(piece, secret))).join('…');
}

function hideEnd(text: string, secret: string): string {
	for (let length = secret.length - 1; length >= minSecretLength; length--) {
		if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}${mask}`;
	}
	return text;
}

/** Redacts the strings and names in a JSON value. */
export function redactJson<Value>(value: Value, redact: Redact): Value {
	return redactAny(value, redact) as Value;
}

function redactAny(value: unknown, redact: Redact): unknown {
	if (typeof value === 'string') return redact(value);
	if (Array.isArray(value)) return value.map((item) => redactAny(item, redact));
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value);
	return Object.fromEntries(entries.map(([name, item]) => [redact(name), redactAny(item, redact)]));
}

const providerKeys: ReadonlySet<string> = new Set(
	hostedProviders.map(({keyVariable}) => keyVariable),
);

/** Whether a variable has a key, also that of a service without a row. */
function isKeyVariable(name: string): boolean {
	return name.endsWith('_API_KEY') || providerKeys.has(name);
}

/** Threat: a tool or a server that sends the key of the service elsewhere. They get no such variable. */
export function isOwnKey(variable: string): boolean {
	return /^(?:CHAT|OPENAI)_API_KEY$/i.test(variable);
}

/** Makes a redactor for the keys in variables, before it is known which one is used. */
export function createKeyRedactor(variables: Variables): Redact {
	const names = Object.keys(variables).filter(isKeyVariable);
	return createRedactor(names.map((name) => variables[name]));
}

/** Returns the variables for a program that is not to know the keys of services. */
export function withoutKeys(variables: Variables): Readonly<Record<string, string>> {
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(variables)) {
		if (value !== undefined && !isKeyVariable(name)) kept[name] = value;
	}
	return kept;
}

function formsOf(secret: string): readonly string[] {
	const encoded = [
		encodeURIComponent(secret),
		new URLSearchParams([['', secret]]).toString().slice(1),
	];
	return [
		secret,
		...encoded,
		...encoded.map((text) => text.replace(/%../g, (code) => code.toLowerCase())),
		secret.replaceAll('/', '\\/'),
		...base64FormsOf(secret),
	];
}

/**
 * Returns what every base64 text with the secret in it contains, as that of `user:<key>`: the
 * characters that depend on the secret alone, for each offset in a group of three bytes.
 */
function base64FormsOf(secret: string): readonly string[] {
	return [0, 2, 3].flatMap((unsure, before) => {
		const bytes = Buffer.from(`${'\0'.repeat(before)}${secret}`);
		const whole = bytes.toString('base64').replace(/=+$/, '');
		const text = whole.slice(unsure, bytes.length % 3 === 0 ? undefined : -1);
		return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
	});
}

/** Threat: a key given instead of its file, and shown in a message about that file. */
export function looksLikeKey(path: string): boolean {
	const name = basename(path);
	const isRandom = name.length >= 16 && /\d/.test(name) && !/\.[a-z]{1,5}$/i.test(name);
	return isRandom || name.startsWith('sk-');
}

/** Describes a key by its last four characters, if it has many more. */
export function describeKey(key: string): string {
	return key.length < 12 ? 'too short to show' : `ends in ${key.slice(-4)}`;
}

const keyName = /^(?:[a-z]+-)*api-?key$|^(?:key|token|secret|password|authorization)$/;

/** Whether a setting or a field of a request with this name is a key: `max_tokens` is none. */
export function isKeyName(name: string): boolean {
	return keyName.test(name.toLowerCase().replaceAll('_', '-'));
}

/**
 * Masks keys in `JSON.stringify`: some services take one in a field. An object may be a schema with
 * a property of that name, so its own fields decide.
 */
export function maskKeys(name: string, value: unknown): unknown {
	const isMasked = isKeyName(name) && value !== null && !isJsonObject(value);
	return isMasked ? mask : value;
}

// Portkey names no key.
const secretName = /(?<!port)key|token|secret|password|signature|^sig$|auth|cookie/i;

/** Whether the value of a query field, a header or a variable with this name may be secret. */
export function mayHoldSecret(name: string): boolean {
	return secretName.test(name);
}

/** Names of query fields whose values are shown. */
const harmlessField = /^(?:(?:api[-_]?)?version|alt|model|deployment|region|stream)$/i;

/** Shorter values of query fields with any other name may be ordinary words. */
const minFieldLength = 8;

/** Returns the values of query fields that may be secret. */
export function secretsOfUrl(url: URL): readonly string[] {
	return [...url.searchParams].flatMap(([name, value]) => {
		if (harmlessField.test(name)) return [];
		return mayHoldSecret(name) || value.length >= minFieldLength ? [value] : [];
	});
}

/** Returns the parts of a header's value that may be secret: the value, and what follows a scheme. */
export function secretsOfHeader(name: string, value: string): readonly string[] {
	const isWord = /^[a-z]+$/i.test(value) || value.length < minFieldLength;
	return isWord && !mayHoldSecret(name) ? [] : [value, value.replace(/^[a-z]+ +/i, '')];
}

/** Returns a URL that can be shown: without user, password, fragment and values of query fields. */
export function redactUrl(url: URL): string {
	// A llama-server of the run has a socket, which means nothing to a person.
	if (url.protocol === 'llama:' && url.host !== '') {
		return `llama:${new URLSearchParams(`name=${url.host}`).get('name')}`;
	}
	const shown = new URL(url);
	shown.username = '';
	shown.password = '';
	shown.hash = '';
	for (const name of new Set(shown.searchParams.keys())) {
		if (!harmlessField.test(name)) shown.searchParams.set(name, mask);
	}
	return shown.href;
}

/** Redacts a text that is not a valid URL: everything before an `@`, and the query. */
export function redactUrlText(text: string): string {
	const at = text.lastIndexOf('@');
	const scheme = /^.*?:\/\//s.exec(text.slice(0, at + 1))?.[0] ?? '';
	const shown = at === -1 ? text : `${scheme}${mask}${text.slice(at)}`;
	return shown.replace(/[?#].*$/s, (end) => `${end[0]}…`);
}
