/** Lists an open service's models. */
import {recover} from '../../../abort.ts';
import type {OfferedModel} from '../../../chat/model.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError, toChatError} from '../../../errors.ts';
import {keepModelNames} from '../../../models/offered-models.ts';
import {printTrace} from '../../../output/print.ts';
import {listModels, type ModelsRequest} from '../../../protocol/list-models.ts';
import {offeredModelsPath} from '../../../settings/files/config-path.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import type {OpenService} from './open-service.ts';

/** Keeps the names too, for shell completion. A service may quote its key, which no error shows. */
export async function listOffered(
	{name, connection, redact}: Pick<OpenService, 'name' | 'connection' | 'redact'>,
	request: ModelsRequest,
	environment: Environment,
): Promise<readonly OfferedModel[]> {
	const list = () => listModels(connection, request);
	const models = await recover(list, request.signal, (error) => {
		const {kind, message, details} = toChatError(error);
		throw new ChatError(kind, redact(stripToLine(message)), details);
	});
	if (name !== 'built-in') {
		const names = models.map((model) => redact(model.name));
		keepModelNames(offeredModelsPath(environment), name, names, environment.createId());
	}
	return models;
}

export type TracedRequest = ModelsRequest & {readonly trace: (line: string) => void};

/** Traces requests about models with `-v`. */
export function createModelsRequest(
	limitMs: number,
	{settings, redact}: Pick<OpenService, 'settings' | 'redact'>,
	signal: AbortSignal,
	environment: Environment,
): TracedRequest {
	const trace = (line: string) => {
		if (settings.verbose) printTrace(redact(line), environment);
	};
	return {limitMs, signal, trace};
}
