/** The request and its reply, as error messages and hints describe them. */
import type {JsonObject} from '../../json.ts';
import {type HttpHead, headerOf} from '../http/http-head.ts';

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

export function requestIdOf(head: HttpHead): string | undefined {
	return headerOf(head, 'x-request-id') ?? headerOf(head, 'request-id');
}
