/** One request and its response, on the way through the handlers. */
import type {IncomingMessage, ServerResponse} from 'node:http';
import type {RequestRecord} from './record-requests.ts';

export type Exchange = {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	/** The path without its query. */
	readonly path: string;
	/** Tells a client that waits for it to send the body. */
	readonly beforeReading: () => void;
	/** Where to note what it holds; undefined: it is not kept. */
	readonly record: RequestRecord | undefined;
};
