/** Adds the models that a service offers to the refusal of a model. */
import {findClosest} from '../did-you-mean.ts';
import {ChatError} from '../errors.ts';
import {codeOf, type HintCode} from '../hint.ts';
import type {ErrorContext} from './errors/error-context.ts';
import {isAboutModel} from './errors/service-hint.ts';
import type {ServiceConnection} from './service-connection.ts';

/** Returns the failure itself if it has another reason, or if the service lists no models. */
export async function withModelSuggestions(
	failure: ChatError,
	context: ErrorContext,
	connection: ServiceConnection,
	signal: AbortSignal,
): Promise<ChatError> {
	const {status, code, hint, serviceMessage = ''} = failure.details;
	if (connection.isModelListWanted !== true || (status !== 400 && status !== 404)) return failure;
	if (hintsForKnownModels.has(codeOf(hint))) return failure;
	if (!isAboutModel(`${serviceMessage} ${code}`, context)) return failure;
	const models = await findNames(connection, signal);
	if (models.length === 0) return failure;
	const closest = context.isModelChosen ? findClosest(context.model, models) : undefined;
	const offer = {code: 'offered-models', models, closest} as const;
	return new ChatError(failure.kind, failure.message, {
		...failure.details,
		hint: hint === undefined ? offer : {code: 'several', hints: [hint, offer]},
	});
}

/** Hints for models that exist. */
const hintsForKnownModels: ReadonlySet<HintCode | undefined> = new Set([
	...(['refused-field', 'no-reasoning-with-tools', 'no-chat-model'] as const),
]);

const limitMs = 3000;

/** Returns no names if anything fails. */
async function findNames(
	connection: ServiceConnection,
	signal: AbortSignal,
): Promise<readonly string[]> {
	try {
		const {listModels} = await import('./list-models.ts');
		const limits = {...connection.limits, connectMs: limitMs};
		const models = await listModels({...connection, limits}, {limitMs, signal});
		return models.map(({name}) => name);
	} catch {
		return [];
	}
}
