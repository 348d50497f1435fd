/**
 * Which service is meant, and the key it gets.
 *
 * Invariant: a key is only ever sent to the service it was given for, and over a network only in
 * encrypted form unless the user says otherwise.
 */
import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {ChatError} from '../errors.ts';
import {redactUrl} from '../redact.ts';
import {invalidValue} from './merge.ts';
import type {Settings} from './option-rows.ts';
import {parseBaseUrl} from './parsers.ts';

export type ServiceSettings = {
	/** Undefined: none is configured. */
	readonly baseUrl: URL | undefined;
	readonly apiKey: string | undefined;
	/** Whether `OPENAI_BASE_URL` named it. */
	readonly isPair: boolean;
	/** The variable or file the key came from. */
	readonly keySource: string | undefined;
	/** `OPENAI_API_KEY` is set, but nothing says for which service. */
	readonly hasUnusedKey: boolean;
};

type Variables = Readonly<Record<string, string | undefined>>;

type Key = {readonly apiKey: string; readonly keySource: string};

/**
 * @throws {ChatError} `config` when a key is set but no service, a URL is none, or the key would
 * go over plain http; `auth` when the source of the key is empty or holds no key; `input` when its file is not
 * readable
 */
export function resolveService(
	settings: Settings,
	variables: Variables,
	cwd: string,
): ServiceSettings {
	const {apiKeyFile} = settings;
	const key =
		(apiKeyFile === undefined ? undefined : readKeyFile(apiKeyFile, cwd)) ??
		readKeyVariable('CHAT_API_KEY', variables);
	const isPairAllowed = settings.baseUrl === undefined && key === undefined;
	const pair = isPairAllowed ? readOpenaiPair(variables) : undefined;
	const baseUrl = settings.baseUrl ?? pair?.baseUrl;
	const {apiKey, keySource} = key ?? pair?.key ?? {apiKey: undefined, keySource: undefined};
	if (baseUrl === undefined && key !== undefined) {
		throw new ChatError('config', `${key.keySource} holds a key, but no service is set`, {
			hint: 'Set CHAT_BASE_URL or use --base-url; the built-in service needs no key.',
		});
	}
	if (baseUrl !== undefined && apiKey !== undefined) {
		checkEncrypted(baseUrl, settings.insecureHttp);
	}
	const hasUnusedKey = baseUrl === undefined && isSet(variables['OPENAI_API_KEY']);
	return {baseUrl, isPair: pair !== undefined, apiKey, keySource, hasUnusedKey};
}

function isSet(text: string | undefined): text is string {
	return text !== undefined && text !== '';
}

/** The pair that other clients use; a key alone does not say whose it is. */
function readOpenaiPair(variables: Variables): {baseUrl: URL; key: Key | undefined} | undefined {
	const text = variables['OPENAI_BASE_URL'];
	if (!isSet(text)) return undefined;
	const isKeySet = isSet(variables['OPENAI_API_KEY']);
	return {
		baseUrl: readOpenaiUrl(text),
		key: isKeySet ? readKeyVariable('OPENAI_API_KEY', variables) : undefined,
	};
}

function readOpenaiUrl(text: string): URL {
	try {
		return parseBaseUrl(text);
	} catch (error) {
		throw invalidValue('config', 'OPENAI_BASE_URL', text, error);
	}
}

function readKeyVariable(name: string, variables: Variables): Key | undefined {
	const text = variables[name];
	return text === undefined ? undefined : {apiKey: checkKey(text, name), keySource: name};
}

/**
 * The key in a file, without the line end around it.
 *
 * @throws {ChatError} `auth` when it holds no key, `input` when it cannot be read
 */
export function readKeyFile(path: string, cwd: string): Key {
	const keySource = `the file ${path}`;
	let text: string;
	try {
		text = readFileSync(resolve(cwd, path), 'utf8');
	} catch (cause) {
		const {code} = cause as NodeJS.ErrnoException;
		throw new ChatError('input', `cannot read the key from ${keySource} (${code})`, {cause});
	}
	return {apiKey: checkKey(text, keySource), keySource};
}

/** A key must fit into a header; what it holds instead is never shown. */
function checkKey(text: string, source: string): string {
	const key = text.trim();
	if (key === '') {
		throw new ChatError('auth', `${source} is empty`, {
			hint: 'Put the API key there, or unset it.',
		});
	}
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new ChatError('auth', `${source} holds no valid API key`, {
			hint: 'A key is one line of printable ASCII characters without spaces.',
		});
	}
	return key;
}

function checkEncrypted(baseUrl: URL, isInsecureAllowed: boolean): void {
	if (baseUrl.protocol === 'https:' || isInsecureAllowed || isLoopback(baseUrl.hostname)) return;
	throw new ChatError(
		'config',
		`the API key would go unencrypted over the network to ${redactUrl(baseUrl)}`,
		{hint: 'Use https, or allow it with --insecure-http (CHAT_INSECURE_HTTP=true).'},
	);
}

/** Whether traffic to this host stays on this machine. */
export function isLoopback(hostname: string): boolean {
	const host = hostname.toLowerCase();
	return (
		host === 'localhost' ||
		host.endsWith('.localhost') ||
		host === '[::1]' ||
		/^127\.\d+\.\d+\.\d+$/.test(host)
	);
}
