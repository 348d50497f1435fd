/** Input for errors and hints: the request, its reply, the wire's words. */
import type {ErrorKind} from '../../errors.ts';
import type {Hint} from '../../hint.ts';
import type {JsonObject} from '../../json.ts';
import {type HttpHead, headerOf, requestIdOf} from '../http/http-head.ts';
import type {ParsedError} from './parse-error-body.ts';

/** A convention's words, for errors from its services. */
export type WireWords = {
	/** Noun for a reply, with its article. */
	readonly replyName: string;
	/** Hint for anything else that answers. */
	readonly serviceHint: string;
	/** Hint for a service that does not know the address. */
	readonly addressHint: string;
	/** Whether the service is known to need another address. */
	readonly isAddressWrong?: boolean;
	readonly refusals: readonly PartRefusal[];
};

/** A service's way of refusing requests, matched by status and words. */
export type Refusal = {
	/** Any by default. */
	readonly statuses?: readonly number[];
	/** Searched in the service's words. */
	readonly pattern?: RegExp;
	/** Alternative to the pattern: searched in the field named as the cause. */
	readonly param?: RegExp;
	/** Words that only mention the pattern, or refuse another value. */
	readonly unless?: RegExp;
	readonly kind?: ErrorKind;
	/** A function returns undefined to leave the hint to the next matching row. */
	readonly hint?: Hint | ((refused: Refused) => Hint | undefined);
	/** The refused user-set field. The default hint is to leave it out. */
	readonly field?: string;
	/** Whether the request exceeds the model's context window. */
	readonly isTooLong?: boolean;
	/** Whether the service may not know the model, if this row has the hint. */
	readonly isModelUnknown?: boolean;
};

/** A refused request part. */
export type PartRefusal = Refusal & {
	/** Name by which the wire finds it. */
	readonly about: string;
	/** Tells the user about the repeated request; without it, nothing is repeated. */
	readonly notice?: string;
	/** Whether to append the service's words to the notice. */
	readonly isReasonShown?: boolean;
	/** Whether another model may accept it. */
	readonly isOfModel?: boolean;
};

/** A refused request, for matching rows. */
export type Refused = ParsedError & {
	/** The service's words in one text, with `m` for the model name. */
	readonly words: string;
	/** How long the service asks to wait, in milliseconds. */
	readonly waitMs: number | undefined;
	readonly context: ErrorContext;
};

export type ErrorContext = {
	readonly url: URL;
	readonly words: WireWords;
	/** Empty if the request is not about a model. */
	readonly model: string;
	/** The answer's limit, if one was requested. */
	readonly maxTokens?: number | undefined;
	/** Non-text parts in the request: `image`, `document`, `audio`. */
	readonly parts?: ReadonlySet<string> | undefined;
	/** Where the key came from (`CHAT_API_KEY`); undefined if none was sent. */
	readonly keySource: string | undefined;
	/** The key header, if it is not the usual one; `none`: no key is sent. */
	readonly authHeader?: string | undefined;
	/** Whether the next request looks for another key. */
	readonly isKeyReadAgain?: boolean | undefined;
	/** Names of fields that the user may leave out. */
	readonly chosenFields?: readonly string[] | undefined;
	/** Fields without a dedicated option. */
	readonly extraFields?: Readonly<JsonObject> | undefined;
	/** Where the user set them, if known. */
	readonly fieldSources?: Readonly<Record<string, string>> | undefined;
	/** Whether the user chose the model; otherwise it is the default. */
	readonly isModelChosen: boolean;
	/** The reply's identifier. */
	readonly requestId?: string | undefined;
	/** The reply's `content-encoding`. */
	readonly encoding?: string | undefined;
};

/** Returns the context found in a reply's headers. */
export function headerContext(head: HttpHead): Pick<ErrorContext, 'requestId' | 'encoding'> {
	return {requestId: requestIdOf(head), encoding: headerOf(head, 'content-encoding')};
}
