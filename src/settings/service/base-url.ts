/** Finds the address of the service of a run, and guards what is sent to it. */
import type {Variables} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import {isLoopback} from '../../loopback.ts';
import {redactUrl} from '../../redact.ts';
import type {LoadedSettings} from '../options/load-settings.ts';
import {isBuiltIn} from '../options/parse-service.ts';
import {parseBaseUrl, parseSetting} from '../options/parsers.ts';

/** Returns the base URL of a run; undefined for the built-in service. Reads no key. */
export function findBaseUrl(loaded: LoadedSettings, variables: Variables): URL | undefined {
	const {baseUrl = findOpenaiUrl(loaded, variables)} = loaded.settings;
	return baseUrl === undefined || isBuiltIn(baseUrl) ? undefined : baseUrl;
}

/**
 * Returns the URL of `OPENAI_BASE_URL` if the run uses it: nothing else names a service or a key.
 *
 * @throws {ChatError} `config` when it is not a URL
 */
export function findOpenaiUrl(
	{settings, config}: LoadedSettings,
	variables: Variables,
): URL | undefined {
	const hasOwnKey = settings.apiKeyFile !== undefined || variables['CHAT_API_KEY'] !== undefined;
	if (settings.baseUrl !== undefined || hasOwnKey || config.problem !== undefined) return undefined;
	const text = variables['OPENAI_BASE_URL'];
	return text ? parseSetting('config', 'OPENAI_BASE_URL', text, parseBaseUrl) : undefined;
}

/** @throws {ChatError} `config` when a secret would be sent unencrypted to another machine */
export function checkEncrypted(name: string, baseUrl: URL, isInsecureAllowed: boolean): void {
	if (baseUrl.protocol !== 'http:' || isInsecureAllowed || isLoopback(baseUrl.hostname)) return;
	const message = `${name} would go unencrypted over the network to ${redactUrl(baseUrl)}`;
	throw new ChatError('config', message, {
		hint: 'Use https, or allow it with --insecure-http (CHAT_INSECURE_HTTP=true).',
	});
}
