/**
 * The knowledge of a server that needs no connection: the offer as the user has seen it, and how to
 * reach it. A run sends the tools of the manifest, and starts nothing.
 */
import type {JsonValue} from '../json.ts';
import type {Offer} from './offer.ts';

export type Manifest = {
	/** Whether a run has read it without showing it to anyone: then nothing in it is approved. */
	readonly isUnseen?: boolean | undefined;
	/** As the server calls itself. */
	readonly server: {readonly name: string; readonly version: string};
	readonly instructions: string | undefined;
	/** Spares the next connection the question for the protocol; only `connect.ts` reads it. */
	readonly protocol: JsonValue | undefined;
	readonly offer: Offer;
	/** When the offer was read: milliseconds since 1970. */
	readonly readAt: number;
};
