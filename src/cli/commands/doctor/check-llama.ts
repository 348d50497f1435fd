/** Checks what a llama-server of a run needs. Starts none. */
import type {LlamaModel} from '../../../settings/options/parse-service.ts';
import {findLlamaServer, findModel} from '../../run/service/open-llama.ts';
import type {Checkup} from './checkup.ts';
import {type Finding, fail, ok} from './finding.ts';

export async function checkLlama(
	model: LlamaModel,
	{environment}: Checkup,
): Promise<readonly Finding[]> {
	const rows: ReadonlyArray<readonly [string, () => string]> = [
		['llama-server', () => `${findLlamaServer(nameOf(model), environment)}, started for each run`],
		['model', () => nameOf(findModel(model, environment))],
	];
	return await Promise.all(
		rows.map(async ([title, find]) => {
			try {
				return ok(title, find());
			} catch (error) {
				return await fail(title, error);
			}
		}),
	);
}

function nameOf(model: LlamaModel): string {
	return model.type === 'file' ? model.path : model.name;
}
