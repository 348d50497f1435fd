/** The models this service answers for: any family with one of three tiers, case-sensitive. */
import {ServiceError} from './service-error.ts';

/** `sol` reasons and sees images, the others do neither. */
export type Tier = 'sol' | 'terra' | 'luna';

const modelPattern = /^[^\s\p{Cc}]+-5\.6-(sol|terra|luna)$/u;

const listedModels = ['MODEL-5.6-sol', 'MODEL-5.6-terra', 'MODEL-5.6-luna'] as const;

/**
 * The tier at the end of a model name.
 *
 * @throws {ServiceError} 404 unless the name is `<family>-5.6-sol|terra|luna`
 */
export function tierOf(model: string): Tier {
	const tier = modelPattern.exec(model)?.[1];
	if (tier !== undefined) return tier as Tier;
	const given = JSON.stringify(model.slice(0, 100));
	const names = `there are ${listedModels.join(', ')} (names are case-sensitive)`;
	const message = `the model ${given} does not exist; ${names}`;
	throw new ServiceError(404, message, {param: 'model', code: 'model_not_found'});
}

/**
 * The reply to `GET /v1/models`.
 *
 * @param window the context window, in tokens, if there is one
 */
export function listModels(window: number | undefined) {
	return {object: 'list', data: listedModels.map((id) => findModel(id, window))};
}

/**
 * The reply to `GET /v1/models/{id}`. The models do not change, so neither does their time.
 *
 * @throws {ServiceError} 404 as `tierOf` does.
 */
export function findModel(id: string, window: number | undefined) {
	tierOf(id);
	const model = {id, object: 'model', created: 1_780_000_000, owned_by: 'chat'};
	return window === undefined ? model : {...model, context_length: window};
}
