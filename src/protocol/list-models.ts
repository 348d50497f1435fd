/** Asks a service for its models. */
import {recover} from '../abort.ts';
import type {OfferedModel} from '../chat/model.ts';
import {ChatError} from '../errors.ts';
import {redactUrl} from '../redact.ts';
import {mebibyte, shorten} from '../wording.ts';
import {type JsonRequest, requestJson} from './request-json.ts';
import {createHeaders, type ServiceConnection} from './service-connection.ts';
import type {RequestJson, Wire} from './wire.ts';

export type ModelsRequest = Pick<JsonRequest, 'limitMs' | 'signal' | 'trace'> & {
	readonly maxBytes?: number;
};

/** A list describing each of a few hundred models has a megabyte. */
const usualMaxBytes = 16 * mebibyte;

/**
 * Returns the service's models, in its order.
 *
 * @throws {ChatError} as `requestJson` does; `protocol` if the reply is not a model list
 */
export async function listModels(
	connection: ServiceConnection,
	options: ModelsRequest,
): Promise<readonly OfferedModel[]> {
	const {wire} = connection;
	const models = await wire.listModels(createRequest(connection, options));
	if (models !== undefined) return models;
	const message = `${redactUrl(wire.url)} did not send a model list`;
	throw new ChatError('protocol', message, {hint: wire.words.serviceHint});
}

/**
 * Asks an address, quickly and without a key, for its model names; undefined if no service answers
 * within the limit.
 *
 * @throws the signal's reason when it is aborted
 */
export async function probeModels(
	wire: Wire,
	limitMs: number,
	signal: AbortSignal,
): Promise<readonly string[] | undefined> {
	const limits = {connectMs: limitMs, payloadMs: 0, maxRetries: 0};
	const limit = AbortSignal.any([AbortSignal.timeout(limitMs), signal]);
	const options = {limitMs, maxBytes: maxProbeBytes, signal: limit};
	const list = () => listModels({wire, limits}, options);
	const models = await recover(list, signal, () => undefined);
	return models?.map(({name}) => name);
}

const maxProbeBytes = 65_536;

/**
 * Adds facts from outside the service's list, if it has any.
 *
 * @throws the signal's reason when it is aborted
 */
export async function describeModels(
	models: readonly OfferedModel[],
	connection: ServiceConnection,
	options: ModelsRequest,
): Promise<readonly OfferedModel[]> {
	const request = createRequest(connection, options);
	const describe = () => connection.wire.describeModels(models, request);
	return await recover(describe, options.signal, () => models);
}

/**
 * Returns the loaded models among these, if the service tells.
 *
 * @throws the signal's reason when it is aborted
 */
export async function listLoadedModels(
	models: readonly OfferedModel[],
	connection: ServiceConnection,
	options: ModelsRequest,
): Promise<readonly OfferedModel[]> {
	const request = createRequest(connection, options);
	const list = () => connection.wire.listLoadedModels(models, request);
	return await recover(list, options.signal, () => []);
}

const noListHint =
	"The service may have no model list; a prompt may still work with -m NAME. If not, check the base URL's path.";

function createRequest(connection: ServiceConnection, options: ModelsRequest): RequestJson {
	const {wire, apiKey, keySource = 'the settings', authHeader, route, limits} = connection;
	const headers = createHeaders(connection, 'application/json');
	return (url, body) =>
		requestJson({
			maxBytes: usualMaxBytes,
			...options,
			context: {
				url,
				words: {...wire.words, addressHint: noListHint},
				model: '',
				keySource: apiKey === undefined ? undefined : keySource,
				authHeader,
				isModelChosen: false,
			},
			headers,
			body,
			route,
			connectMs: limits.connectMs,
		});
}

const shownModels = 20;

/** Threat: a name that fills the screen. */
const maxNameLength = 100;

/** @param closest the probably intended name */
export function offeredHint(models: readonly string[], closest?: string): string {
	const meant = closest === undefined ? '' : `Did you mean ${closest}? `;
	const rest =
		models.length > shownModels
			? `, and ${models.length - shownModels} more; chat models lists them`
			: '';
	const names = models.slice(0, shownModels).map((name) => shorten(name, maxNameLength));
	return `${meant}The service offers ${names.join(', ')}${rest}.`;
}
