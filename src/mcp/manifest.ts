/**
 * The knowledge of a server that needs no connection: the offer that the user has seen, and how to
 * reach it. A run sends the tools of the manifest, and starts nothing.
 */
import type {JsonValue} from '../json.ts';
import type {Offer} from './offer.ts';

export type Manifest = {
	/** As the server calls itself. */
	readonly server: {readonly name: string; readonly version: string};
	readonly instructions: string | undefined;
	/** Spares the next connection the question for the protocol; only `connect.ts` reads it. */
	readonly protocol: JsonValue | undefined;
	readonly offer: Offer;
	/** When the offer was read: milliseconds since 1970. */
	readonly readAt: number;
};
