/** The models this service answers for: any family with one of three tiers, case-sensitive. */
import {ServiceError} from './service-error.ts';

/** `sol` reasons and sees images, the others do neither. */
export type Tier = 'sol' | 'terra' | 'luna';

const modelPattern = /^[^\s\p{Cc}]+-5\.6-(sol|terra|luna)$/u;

const listedModels = ['MODEL-5.6-sol', 'MODEL-5.6-terra', 'MODEL-5.6-luna'] as const;

/** Unix seconds; the models do not change, so neither does this. */
const createdSeconds = 1_780_000_000;

/**
 * The tier that a model name ends in.
 *
 * @throws {ServiceError} 404 when the name is not one of `<family>-5.6-sol|terra|luna`.
 */
export function tierOf(model: string): Tier {
	const tier = modelPattern.exec(model)?.[1];
	if (tier === 'sol' || tier === 'terra' || tier === 'luna') return tier;
	const names = listedModels.join(', ');
	throw new ServiceError(
		404,
		`the model ${JSON.stringify(model.slice(0, 100))} does not exist; there are ${names} (names are case-sensitive)`,
		{param: 'model', code: 'model_not_found'},
	);
}

/** The reply to `GET /v1/models`. */
export function listModels() {
	return {object: 'list', data: listedModels.map(describeModel)};
}

/**
 * The reply to `GET /v1/models/{id}`.
 *
 * @throws {ServiceError} 404 as `tierOf` does.
 */
export function findModel(model: string) {
	tierOf(model);
	return describeModel(model);
}

function describeModel(id: string) {
	return {id, object: 'model', created: createdSeconds, owned_by: 'chat'};
}
