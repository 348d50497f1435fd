/** The header carrying the key, and the user's own headers, in every wire. */

export type HeaderOptions = {
	/** The header that carries the key: after `Bearer` in `Authorization`, alone in any other. */
	readonly authHeader: string;
	/** More headers, by name in lower case. */
	readonly headers: Readonly<Record<string, string>>;
};

export const defaultHeaders: HeaderOptions = {authHeader: 'Authorization', headers: {}};

export function keyedHeaders(
	{authHeader, headers}: HeaderOptions,
	apiKey: string | undefined,
): HeaderOptions['headers'] {
	if (apiKey === undefined) return headers;
	const name = authHeader.toLowerCase();
	return {...headers, [name]: name === 'authorization' ? `Bearer ${apiKey}` : apiKey};
}
