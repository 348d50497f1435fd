/** Finds what is publicly known of a model at a service. Nothing is fetched. */
import type {KnownModel} from '../../chat/model.ts';
import {modelsPath, type PathSource} from '../../settings/files/config-path.ts';

export async function findModel(
	service: URL,
	name: string,
	source: PathSource,
): Promise<KnownModel> {
	const {loadKnownModels} = await import('../../models/known-models.ts');
	const known = await loadKnownModels(modelsPath(source));
	return {context: known.find(service, name)?.context, prices: known.findPrices(service, name)};
}
