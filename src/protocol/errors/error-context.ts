/** The values that errors and hints are made from: the request, its reply, the words of the wire. */
import type {ErrorKind} from '../../errors.ts';
import type {Hint} from '../../hint.ts';
import type {JsonObject} from '../../json.ts';
import {type HttpHead, headerOf, requestIdOf} from '../http/http-head.ts';
import type {ParsedError} from './parse-error-body.ts';

/** The words of one convention, for the errors of its services. */
export type WireWords = {
	/** The name of a reply, with its article. */
	readonly replyName: string;
	/** The hint for something else that answers. */
	readonly serviceHint: string;
	/** The hint for a service that does not know the address. */
	readonly addressHint: string;
	/** Whether the service is known to need another address. */
	readonly isAddressWrong?: boolean;
	readonly refusals: readonly PartRefusal[];
};

/** One way in which services refuse requests. It fits if its statuses and its words do. */
export type Refusal = {
	/** Any by default. */
	readonly statuses?: readonly number[];
	/** Searched in the words of the service. */
	readonly pattern?: RegExp;
	/** Instead of the pattern: searched in the field that the error names as its cause. */
	readonly param?: RegExp;
	/** Words that only mention what the pattern finds, or refuse another value of it. */
	readonly unless?: RegExp;
	readonly kind?: ErrorKind;
	/** A function returns undefined to leave the hint to the next row that fits. */
	readonly hint?: Hint | ((refused: Refused) => Hint | undefined);
	/** The field of the user's that is refused. The default hint is to leave it out. */
	readonly field?: string;
	/** Whether the service may not know the model, if this row has the hint. */
	readonly isModelUnknown?: boolean;
};

/** A refusal of a part of a request. */
export type PartRefusal = Refusal & {
	/** The name by which the wire finds it. */
	readonly about: string;
	/** Tells the user that a request without it follows; none follows by default. */
	readonly notice?: string;
	/** Whether the words of the service follow the notice. */
	readonly isReasonShown?: boolean;
	/** Whether another model may accept it. */
	readonly isOfModel?: boolean;
};

/** A refused request, for the rows that may fit. */
export type Refused = ParsedError & {
	/** The words of the service in one text, with `m` for the name of the model. */
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
	/** The kinds of parts that the request has besides text: `image`, `document`, `audio`. */
	readonly parts?: ReadonlySet<string> | undefined;
	/** Where the key came from (`CHAT_API_KEY`); undefined if none was sent. */
	readonly keySource: string | undefined;
	/** The header that carries the key, if it is not the usual one; `none`: no key is sent. */
	readonly authHeader?: string | undefined;
	/** Whether the next request looks for another key. */
	readonly isKeyReadAgain?: boolean | undefined;
	/** The names of the fields that the user may leave out. */
	readonly chosenFields?: readonly string[] | undefined;
	/** Fields without an option of their own. */
	readonly extraFields?: Readonly<JsonObject> | undefined;
	/** Where the user set them, as far as it is known. */
	readonly fieldSources?: Readonly<Record<string, string>> | undefined;
	/** Whether the user chose the model; otherwise it is the default. */
	readonly isModelChosen: boolean;
	/** The reply's identifier. */
	readonly requestId?: string | undefined;
	/** The reply's `content-encoding`. */
	readonly encoding?: string | undefined;
};

/** Returns the part of the context that is in the headers of a reply. */
export function headerContext(head: HttpHead): Pick<ErrorContext, 'requestId' | 'encoding'> {
	return {requestId: requestIdOf(head), encoding: headerOf(head, 'content-encoding')};
}
