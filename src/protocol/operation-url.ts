/** Makes operation addresses from the base URL. */

/** `v1`, `v3`, `v1beta`: a path segment naming an API version. */
const versionSegment = /^v\d+(?:(?:alpha|beta)\d*)?$/;

/**
 * Returns `{base_url}/v1{operation}`. People paste other URLs too: a path already ending in the
 * operation is kept, and a path with a version segment (`/api/v3`, `/v1beta/openai`) does not get a
 * second one. A query stays, a fragment is dropped.
 *
 * @param operation `/chat/completions` by specification §4.1; `/responses`; `/messages`
 */
export function operationUrl(baseUrl: URL, operation: string): URL {
	const url = new URL(baseUrl);
	url.hash = '';
	const path = url.pathname.replace(/\/+$/, '');
	const version = hasVersion(path) ? '' : '/v1';
	url.pathname = path.endsWith(operation) ? path : `${path}${version}${operation}`;
	return url;
}

/** Returns the model list's address. */
export function modelsUrl(operationUrl: URL, operation: string): URL {
	const url = new URL(operationUrl);
	url.pathname = url.pathname.replace(operation, '/models');
	return url;
}

/** Whether some path segment names an API version. */
export function hasVersion(path: string): boolean {
	return path.split('/').some((segment) => versionSegment.test(segment));
}
