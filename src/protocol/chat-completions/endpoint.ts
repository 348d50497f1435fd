/** Makes operation addresses from the base URL. */
import {redactUrl} from '../../redact.ts';
import type {WireWords} from '../errors/error-context.ts';
import {hasVersion, operationUrl} from '../operation-url.ts';

export const operation = '/chat/completions';

/** Returns the chat-completions address (specification §4.1). */
export function chatCompletionsUrl(baseUrl: URL): URL {
	return operationUrl(baseUrl, operation);
}

/** Other operations' addresses, sometimes pasted as the base URL. */
const otherOperation =
	/(\/(?:responses|messages|completions|embeddings|models|api\/chat|api\/generate))(?:\/v1)?\/chat\/completions$/;

/** Returns what may be wrong with the base URL, for a service that does not know the address. */
export function checkAddress(baseUrl: URL): Pick<WireWords, 'addressHint' | 'isAddressWrong'> {
	const right = findRightUrl(baseUrl);
	if (right === undefined) return {addressHint: pathHint(baseUrl)};
	const addressHint = `This service needs another base URL: ${redactUrl(right)}`;
	return {addressHint, isAddressWrong: true};
}

function pathHint(baseUrl: URL): string {
	const {pathname} = chatCompletionsUrl(baseUrl);
	const [, other] = otherOperation.exec(pathname) ?? [];
	if (other !== undefined) return `Leave ${other} out of the base URL: it is another operation.`;
	return hasVersion(pathname) || unversioned.test(pathname)
		? 'Check the path of the base URL. To use it unchanged, end it in /chat/completions.'
		: 'The base URL has no version; perhaps it ends in /v1.';
}

/** Services without a version in the path: Azure deployments, GitHub Models, Databricks. */
const unversioned =
	/^(.*\/(?:openai\/deployments\/[^/]+|inference|serving-endpoints))(?:\/[^/]+\/invocations)?(?:\/chat\/completions)?$/;

const azureHost = /\.(?:openai|cognitiveservices|services\.ai)\.azure\.com$/;

/** Azure's last version for deployment addresses. */
const azureVersion = '2024-10-21';

/** Returns the base URL that a known service needs instead. */
function findRightUrl(baseUrl: URL): URL | undefined {
	const path = baseUrl.pathname.replace(/\/+$/, '');
	const url = new URL(baseUrl);
	const [, start = ''] = unversioned.exec(path) ?? [];
	if (start !== '') {
		url.pathname = `${start}${operation}`;
		const isVersioned = !start.includes('/deployments/') || url.searchParams.has('api-version');
		if (!isVersioned) url.searchParams.set('api-version', azureVersion);
	} else if (azureHost.test(url.hostname) && !/^\/openai(?:\/|$)/.test(path)) {
		url.pathname = '/openai/v1';
	}
	return chatCompletionsUrl(url).href === chatCompletionsUrl(baseUrl).href ? undefined : url;
}
