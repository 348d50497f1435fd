/** How a service is reached. */
import type {ServiceRoute} from './http/route.ts';
import type {TimeLimits} from './http/transport.ts';
import type {Pace} from './pace.ts';
import type {EncodedRequest, Wire} from './wire.ts';

export type ServiceConnection = {
	readonly wire: Wire;
	/** Printable ASCII. */
	readonly apiKey?: string | undefined;
	/** Where the key came from, for messages. */
	readonly keySource?: string | undefined;
	/** The key header, if it is not the usual one; `none`: no key is sent. */
	readonly authHeader?: string | undefined;
	/** `maxRetries` 0 forbids every second request, including one without a refused field. */
	readonly limits: TimeLimits & {readonly maxRetries: number};
	/** Rereads the key after a refusal, before the next request. */
	readonly readKey?:
		| ((signal: AbortSignal) => Promise<Pick<ServiceConnection, 'apiKey' | 'keySource'>>)
		| undefined;
	/** Direct by default. */
	readonly route?: ServiceRoute | undefined;
	/** The requested model if the user chose none. */
	readonly defaultModel?: string | undefined;
	/** Whether a second request may explain a refused model. */
	readonly isModelListWanted?: boolean | undefined;
	/** The rate limit shared with other conversations of the run. */
	readonly pace?: Pace | undefined;
	/** Whether to yield `trace` events about the request and its reply. */
	readonly isVerbose?: boolean | undefined;
};

/** Returns the headers for every request. */
export function createHeaders(
	{wire, apiKey}: Pick<ServiceConnection, 'wire' | 'apiKey'>,
	accept: 'application/json' | 'text/event-stream',
): Readonly<Record<string, string>> {
	return {accept, ...wire.headers(apiKey)};
}

/** Returns the headers for an answer request. */
export function createRequestHeaders(
	connection: Pick<ServiceConnection, 'wire' | 'apiKey'>,
	{isStreaming}: EncodedRequest,
): Readonly<Record<string, string>> {
	return {
		'content-type': 'application/json',
		...createHeaders(connection, isStreaming ? 'text/event-stream' : 'application/json'),
	};
}
