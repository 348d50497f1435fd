/** Adds the models that a service offers to the refusal of a model. */
import {findClosest} from '../did-you-mean.ts';
import {ChatError} from '../errors.ts';
import {joinHints} from '../hint.ts';
import type {ErrorContext} from './errors/error-context.ts';
import type {ServiceConnection} from './service-connection.ts';

/** Returns the failure itself if it has another reason, or if the service lists no models. */
export async function withModelSuggestions(
	failure: ChatError,
	context: ErrorContext,
	connection: ServiceConnection,
	signal: AbortSignal,
): Promise<ChatError> {
	const {status, hint, isModelUnknown} = failure.details;
	if (connection.isModelListWanted !== true || (status !== 400 && status !== 404)) return failure;
	const offer =
		isModelUnknown === true ? await describeOffer(context, connection, signal) : undefined;
	if (offer === undefined) return failure;
	return new ChatError(failure.kind, failure.message, {
		...failure.details,
		hint: hint === undefined ? offer : joinHints(hint, offer),
	});
}

const limitMs = 3000;

/** Returns undefined if anything fails. */
async function describeOffer(
	{model, isModelChosen}: ErrorContext,
	connection: ServiceConnection,
	signal: AbortSignal,
): Promise<string | undefined> {
	try {
		const {listModels, offeredHint} = await import('./list-models.ts');
		const limits = {...connection.limits, connectMs: limitMs};
		const offered = await listModels({...connection, limits}, {limitMs, signal});
		const names = offered.map(({name}) => name);
		const closest = isModelChosen ? findClosest(model, names) : undefined;
		return names.length === 0 ? undefined : offeredHint(names, closest);
	} catch {
		return undefined;
	}
}
