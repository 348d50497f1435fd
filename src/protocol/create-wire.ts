/** Makes wires: what all conventions share. */
import type {ChatOptions} from '../chat/message.ts';
import type {ModelFacts} from '../chat/model.ts';
import type {StepRequest} from '../chat/stream-chat.ts';
import {createReplyDecoder} from './decode/decode-reply.ts';
import type {PayloadDecoder} from './decode/payload-decoder.ts';
import type {ErrorContext} from './errors/error-context.ts';
import type {HeaderOptions} from './key-header.ts';
import type {Wire} from './wire.ts';

/** Whether the service, or the requested model, has refused this part, or is known to. */
export type IsRefused = (part: string) => boolean;

/** Returns public facts about a model, as far as known. */
export type FindFacts = (model: string) => ModelFacts;

export type WireOptions = HeaderOptions & {readonly findFacts?: FindFacts | undefined};

/** A request's JSON. Undefined fields are left out. */
export type RequestBody = {readonly stream: boolean; readonly [field: string]: unknown};

/** A request convention: the rest of a wire is the same for all. */
export type Convention = Pick<Wire, 'name' | 'url' | 'batchPath' | 'words' | 'headers'> &
	Partial<Pick<Wire, 'listLoadedModels' | 'describeModels'>> &
	Pick<WireOptions, 'findFacts'> & {
		/** The model list's address. */
		readonly modelsUrl: URL;
		/** @throws {ChatError} `usage` for a part without a counterpart */
		encodeRequest(request: StepRequest, isRefused: IsRefused): RequestBody;
		/** Returns the optional fields that were not refused, extra fields included. */
		encodeParameters(options: ChatOptions, isRefused: IsRefused): Readonly<Record<string, unknown>>;
		/** @param attempts number of requests made for this reply */
		createDecoder(context: ErrorContext, attempts: number): PayloadDecoder;
	};

/** A part of requests that the service refuses, or only one model. */
export type RefusedPart = {readonly about: string; readonly model?: string | undefined};

export function createWire(convention: Convention, refused: readonly RefusedPart[] = []): Wire {
	const {name, url, batchPath, words, headers, modelsUrl, findFacts} = convention;
	return {
		name,
		url,
		batchPath,
		words,
		headers,
		encode(request) {
			const requested = request.options.model;
			const isRefused = (part: string) =>
				(part === 'reasoning' && findFacts?.(requested).reasoning === false) ||
				refused.some(({about, model = requested}) => about === part && model === requested);
			const body = convention.encodeRequest(request, isRefused);
			const parameters = Object.entries(convention.encodeParameters(request.options, isRefused));
			return {
				body: JSON.stringify(body),
				isStreaming: body.stream,
				chosenFields: parameters.flatMap(([field, value]) => (value === undefined ? [] : [field])),
			};
		},
		createDecoder: (context, attempts) =>
			createReplyDecoder(convention.createDecoder(context, attempts), context),
		without: ({about, isOfModel = false}, model) =>
			createWire(convention, [...refused, {about, model: isOfModel ? model : undefined}]),
		// Few runs ask about models.
		async listModels(request) {
			const {readModels} = await import('./read-models.ts');
			return readModels(await request(modelsUrl));
		},
		listLoadedModels: convention.listLoadedModels ?? (async () => []),
		describeModels: convention.describeModels ?? (async (models) => models),
	};
}
