/**
 * The seam between the client and a request convention. Retries, sockets, time limits and event
 * order are the same for every convention.
 */
import type {OfferedModel} from '../chat/model.ts';
import type {StepRequest} from '../chat/stream-chat.ts';
import type {JsonObject, JsonValue} from '../json.ts';
import type {WireName} from '../wire-name.ts';
import type {ReplyDecoder} from './decode/decode-reply.ts';
import type {ErrorContext, PartRefusal, WireWords} from './errors/error-context.ts';

/** A service as reached through one convention. An immutable value. */
export type Wire = {
	readonly name: WireName;
	/** The answer operation's address. */
	readonly url: URL;
	/** The operation's path in a batch; undefined without batches in OpenAI's form. */
	readonly batchPath?: string | undefined;
	/** Words for this service's errors. */
	readonly words: WireWords;
	/** Returns this convention's extra headers. */
	headers(apiKey: string | undefined): Readonly<Record<string, string>>;
	encode(request: StepRequest): EncodedRequest;
	/** @param attempts number of requests made for this reply */
	createDecoder(context: ErrorContext, attempts: number): ReplyDecoder;
	/** Returns the same service, for which requests are made in another way from now on. */
	without(refusal: PartRefusal, model: string): Wire;
	/**
	 * Returns the service's models, with the facts in its list; undefined if the reply is not a
	 * model list. Throws what `request` throws.
	 */
	listModels(request: RequestJson): Promise<readonly OfferedModel[] | undefined>;
	/** Returns the loaded models among these. Throws what `request` throws. */
	listLoadedModels(
		models: readonly OfferedModel[],
		request: RequestJson,
	): Promise<readonly OfferedModel[]>;
	/**
	 * Adds facts about these models from elsewhere in the service. Throws what `request` throws.
	 */
	describeModels(
		models: readonly OfferedModel[],
		request: RequestJson,
	): Promise<readonly OfferedModel[]>;
};

/** Reads the JSON at an address. Sends a body by POST. */
export type RequestJson = (url: URL, body?: JsonObject) => Promise<JsonValue>;

export type EncodedRequest = {
	/** The request as sent. */
	readonly body: string;
	/** Names of fields that the user may leave out, for messages. */
	readonly chosenFields: readonly string[];
	/** Whether the reply will be streamed, if the service does as asked. */
	readonly isStreaming: boolean;
};
