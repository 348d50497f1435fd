/**
 * The seam between the client and a convention of requests and replies. Retries, sockets, time limits
 * and the order of events are the same for every convention.
 */
import type {OfferedModel} from '../chat/model.ts';
import type {StepRequest} from '../chat/stream-chat.ts';
import type {JsonObject, JsonValue} from '../json.ts';
import type {ReplyDecoder} from './decode/decode-reply.ts';
import type {ErrorContext, PartRefusal, WireWords} from './errors/error-context.ts';

/** One service, as one convention speaks to it. An immutable value. */
export type Wire = {
	/** The address of the operation that answers. */
	readonly url: URL;
	/** For the errors of this service. */
	readonly words: WireWords;
	/** Returns the headers that this convention adds to every request. */
	headers(apiKey: string | undefined): Readonly<Record<string, string>>;
	encode(request: StepRequest): EncodedRequest;
	/** @param attempts the number of requests it took to get this reply */
	createDecoder(context: ErrorContext, attempts: number): ReplyDecoder;
	/** Returns the same service, for which requests are made in another way from now on. */
	without(refusal: PartRefusal, model: string): Wire;
	/**
	 * Returns the models that the service offers, with what its list says of them; undefined if the
	 * reply is not a list of models. Throws what `request` throws.
	 */
	listModels(request: RequestJson): Promise<readonly OfferedModel[] | undefined>;
	/** Returns those of these models that the service has in memory. Throws what `request` throws. */
	listLoadedModels(
		models: readonly OfferedModel[],
		request: RequestJson,
	): Promise<readonly OfferedModel[]>;
	/** Adds what the service says of these models elsewhere. Throws what `request` throws. */
	describeModels(
		models: readonly OfferedModel[],
		request: RequestJson,
	): Promise<readonly OfferedModel[]>;
};

/** Reads the JSON at an address. Sends a body by POST. */
export type RequestJson = (url: URL, body?: JsonObject) => Promise<JsonValue>;

export type EncodedRequest = {
	/** The request as it goes over the wire. */
	readonly body: string;
	/** The names of the fields that the user may leave out, for messages. */
	readonly chosenFields: readonly string[];
	/** Whether the reply will be streamed, if the service does as asked. */
	readonly isStreaming: boolean;
};
