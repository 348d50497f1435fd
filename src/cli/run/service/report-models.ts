/** Reports known facts about each offered model, for `chat models` and for `/model`. */
import type {Environment} from '../../../environment.ts';
import {loadKnownModels} from '../../../models/known-models.ts';
import {describeModels, type ModelsRequest} from '../../../protocol/list-models.ts';
import {modelsPath} from '../../../settings/files/config-path.ts';
import {listOffered} from './list-offered.ts';
import {describeModel, type ModelReport} from './model-report.ts';
import type {OpenService} from './open-service.ts';

/**
 * Lists the models in the service's order.
 *
 * @throws {ChatError} if the service has no list, or does not answer in time
 */
export async function reportModels(
	service: Pick<OpenService, 'name' | 'connection' | 'redact'>,
	request: ModelsRequest,
	environment: Environment,
): Promise<readonly ModelReport[]> {
	const {connection} = service;
	const listed = await listOffered(service, request, environment);
	const models = await describeModels(listed, connection, request);
	const known = await loadKnownModels(modelsPath(environment));
	return models.map((model) => describeModel(model.name, model, known, connection.wire.url));
}
