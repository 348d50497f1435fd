/**
 * The knowledge of a server that needs no connection: the offer as the user has seen it. A run sends the tools of the manifest, and starts nothing.
 */
import * as v from 'valibot';
import {offerSchema} from './offer.ts';

export const manifestSchema = v.object({
	/** Whether a run has read it without showing it to anyone: then nothing in it is approved. */
	isUnseen: v.optional(v.boolean()),
	/** As the server calls itself. */
	server: v.object({name: v.string(), version: v.string()}),
	instructions: v.optional(v.string()),
	offer: offerSchema,
	/** When the offer was read: milliseconds since 1970. */
	readAt: v.number(),
});

export type Manifest = Readonly<v.InferOutput<typeof manifestSchema>>;
