/** One request and its response, on the way through the handlers. */
import type {IncomingMessage, ServerResponse} from 'node:http';

export type Exchange = {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	/** The path without its query. */
	readonly path: string;
	/** Tells a client that waits for it to send the body. */
	readonly beforeReading: () => void;
};
