/** From the base URL a user configures to the address that is called. */

const operation = '/chat/completions';

/** `v1`, `v3`, `v1beta`: a path segment that names a version of the API. */
const versionSegment = /^v\d+(?:(?:alpha|beta)\d*)?$/;

/**
 * The address of the chat-completions operation.
 *
 * By the specification (§4.1) it is `{base_url}/v1/chat/completions`. People paste other URLs too:
 * a path that ends in the operation is used as it is, and one with a version segment already
 * (`/api/v3`, `/v1beta/openai`) gets no second one. A query stays, a fragment goes.
 */
export function chatCompletionsUrl(baseUrl: URL): URL {
	const url = new URL(baseUrl);
	url.hash = '';
	const path = url.pathname.replace(/\/+$/, '');
	url.pathname = path.endsWith(operation) ? path : `${withVersion(path)}${operation}`;
	return url;
}

/** Where the same service lists its models. */
export function modelsUrl(operationUrl: URL): URL {
	const url = new URL(operationUrl);
	url.pathname = url.pathname.replace(operation, '/models');
	return url;
}

function withVersion(path: string): string {
	return hasVersion(path) ? path : `${path}/v1`;
}

/** Whether some segment of the path names an API version. */
export function hasVersion(path: string): boolean {
	return path.split('/').some((segment) => versionSegment.test(segment));
}
