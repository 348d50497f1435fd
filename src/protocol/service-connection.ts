/** How a service is reached. */
import type {ServiceRoute} from './http/route.ts';
import type {TimeLimits} from './http/transport.ts';
import type {EncodedRequest, Wire} from './wire.ts';

export type ServiceConnection = {
	readonly wire: Wire;
	/** Printable ASCII. */
	readonly apiKey?: string | undefined;
	/** Where the key came from, for messages. */
	readonly keySource?: string | undefined;
	/** The header that carries the key, if it is not the usual one; `none`: no key is sent. */
	readonly authHeader?: string | undefined;
	/** With `maxRetries` 0 there is no second request, not even without a refused field. */
	readonly limits: TimeLimits & {readonly maxRetries: number};
	/** Reads the key again, before the request that follows its refusal. */
	readonly readKey?:
		| ((signal: AbortSignal) => Promise<Pick<ServiceConnection, 'apiKey' | 'keySource'>>)
		| undefined;
	/** Direct by default. */
	readonly route?: ServiceRoute | undefined;
	/** The requested model if the user chose none. */
	readonly defaultModel?: string | undefined;
	/** Whether a second request may explain a refusal that is about the model. */
	readonly isModelListWanted?: boolean | undefined;
	/** Whether to yield `trace` events about the request and its reply. */
	readonly isVerbose?: boolean | undefined;
};

/** Returns the headers that every request needs. */
export function createHeaders(
	{wire, apiKey}: Pick<ServiceConnection, 'wire' | 'apiKey'>,
	accept: 'application/json' | 'text/event-stream',
): Readonly<Record<string, string>> {
	return {accept, ...wire.headers(apiKey)};
}

/** Returns the headers of a request for an answer. */
export function createRequestHeaders(
	connection: Pick<ServiceConnection, 'wire' | 'apiKey'>,
	{isStreaming}: EncodedRequest,
): Readonly<Record<string, string>> {
	return {
		'content-type': 'application/json',
		...createHeaders(connection, isStreaming ? 'text/event-stream' : 'application/json'),
	};
}
