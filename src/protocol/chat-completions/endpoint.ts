/** Makes the addresses of operations from the base URL. */
import type {Hint} from '../../hint.ts';

const operation = '/chat/completions';

/** `v1`, `v3`, `v1beta`: a path segment that names a version of the API. */
const versionSegment = /^v\d+(?:(?:alpha|beta)\d*)?$/;

/**
 * Returns the address of the chat-completions operation.
 *
 * By the specification (§4.1) it is `{base_url}/v1/chat/completions`. People paste other URLs too: a path
 * that ends in the operation is not changed, and one with a version segment (`/api/v3`, `/v1beta/openai`)
 * does not get a second one. A query stays, a fragment is dropped.
 */
export function chatCompletionsUrl(baseUrl: URL): URL {
	const url = new URL(baseUrl);
	url.hash = '';
	const path = url.pathname.replace(/\/+$/, '');
	url.pathname = path.endsWith(operation) ? path : `${withVersion(path)}${operation}`;
	return url;
}

/** Returns the address of the list of models. */
export function modelsUrl(operationUrl: URL): URL {
	const url = new URL(operationUrl);
	url.pathname = url.pathname.replace(operation, '/models');
	return url;
}

function withVersion(path: string): string {
	return hasVersion(path) ? path : `${path}/v1`;
}

/** Whether some segment of the path names an API version. */
function hasVersion(path: string): boolean {
	return path.split('/').some((segment) => versionSegment.test(segment));
}

/** The addresses of other operations, which people paste as the base URL. */
const otherOperation =
	/(\/(?:responses|messages|completions|embeddings|models|api\/chat|api\/generate))(?:\/v1)?\/chat\/completions$/;

/** Returns what may be wrong with an address that the service does not know. */
export function addressHint({pathname}: URL): Hint {
	const [, operation] = otherOperation.exec(pathname) ?? [];
	if (operation !== undefined) return {code: 'other-operation', operation};
	return {code: hasVersion(pathname) ? 'check-path' : 'missing-version'};
}
