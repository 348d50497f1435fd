/** Adds the models that a service offers to the refusal of a model. */
import {ChatError} from '../errors.ts';
import {parseJson} from '../json.ts';
import type {ErrorContext} from './errors/error-context.ts';
import {isAboutModel} from './errors/service-hint.ts';
import {readText} from './http/read-text.ts';
import {send} from './http/transport.ts';
import {createHeaders, type ServiceConnection} from './service-connection.ts';

/** Returns the failure itself if it has another reason, or if the service lists no models. */
export async function withModelSuggestions(
	failure: ChatError,
	context: ErrorContext,
	connection: ServiceConnection,
	signal: AbortSignal,
): Promise<ChatError> {
	const {status, code, hint, serviceMessage = ''} = failure.details;
	if (connection.isModelListWanted !== true || (status !== 400 && status !== 404)) return failure;
	if (hint?.code === 'refused-field') return failure;
	if (!isAboutModel(`${serviceMessage} ${code}`, context)) return failure;
	const models = await listModels(connection, signal);
	if (models.length === 0) return failure;
	const offer = {code: 'offered-models', models} as const;
	return new ChatError(failure.kind, failure.message, {
		...failure.details,
		hint: hint === undefined ? offer : {code: 'several', hints: [hint, offer]},
	});
}

const limitMs = 3000;

/** Returns no names if anything fails. */
async function listModels(
	connection: ServiceConnection,
	signal: AbortSignal,
): Promise<readonly string[]> {
	const {wire, route} = connection;
	const get = async (url: URL) => {
		const reply = await send({
			method: 'GET',
			url,
			headers: createHeaders(connection, 'application/json'),
			body: '',
			route,
			limits: {connectMs: limitMs, idleMs: limitMs, payloadMs: limitMs, finishGraceMs: limitMs},
			isStreaming: false,
			signal,
		});
		const text = await readText(reply);
		reply.close();
		return reply.head.status === 200 ? (parseJson(text) ?? null) : null;
	};
	return await wire.listModels(get).catch(() => []);
}
