/** Adds the offered models to a refused model's error. */
import {findClosest} from '../did-you-mean.ts';
import {ChatError} from '../errors.ts';
import {joinHints} from '../hint.ts';
import type {ErrorContext} from './errors/error-context.ts';
import type {ServiceConnection} from './service-connection.ts';

const limitMs = 3000;

/** Returns the failure itself if it has another reason, or if the service lists no models. */
export async function withModelSuggestions(
	failure: ChatError,
	{model, isModelChosen}: ErrorContext,
	connection: ServiceConnection,
	signal: AbortSignal,
): Promise<ChatError> {
	const {hint, isModelUnknown} = failure.details;
	if (connection.isModelListWanted !== true || isModelUnknown !== true) return failure;
	try {
		const {listModels, offeredHint} = await import('./list-models.ts');
		const limits = {...connection.limits, connectMs: limitMs};
		const offered = await listModels({...connection, limits}, {limitMs, signal});
		const names = offered.map(({name}) => name);
		if (names.length === 0) return failure;
		const offer = offeredHint(names, isModelChosen ? findClosest(model, names) : undefined);
		return new ChatError(failure.kind, failure.message, {
			...failure.details,
			hint: hint === undefined ? offer : joinHints(hint, offer),
		});
	} catch {
		return failure;
	}
}
