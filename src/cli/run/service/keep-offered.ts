/** Keeps the names of the models that a service offers, for shell completion. */
import type {OfferedModel} from '../../../chat/model.ts';
import type {Environment} from '../../../environment.ts';
import {keepModelNames} from '../../../models/offered-models.ts';
import {offeredModelsPath} from '../../../settings/files/config-path.ts';
import type {OpenService} from './open-service.ts';

export function keepOffered(
	models: readonly OfferedModel[],
	{name, redact}: Pick<OpenService, 'name' | 'redact'>,
	environment: Environment,
): void {
	if (name === 'built-in') return;
	const names = models.map((model) => redact(model.name));
	keepModelNames(offeredModelsPath(environment), name, names, environment.createId());
}
