/** Finds facts about models, in the tables on this machine and in the service's list. */
import {recover} from '../../abort.ts';
import type {KnownModel} from '../../chat/model.ts';
import type {Prices} from '../../cost.ts';
import type {Environment} from '../../environment.ts';
import type {Repl} from '../../repl/repl.ts';
import {modelsPath, type PathSource} from '../../settings/files/config-path.ts';
import type {OpenService} from './service/open-service.ts';

export async function findModel(
	service: URL,
	name: string,
	source: PathSource,
): Promise<KnownModel> {
	const {loadKnownModels} = await import('../../models/known-models.ts');
	const known = await loadKnownModels(modelsPath(source));
	return {context: known.find(service, name)?.context, prices: known.findPrices(service, name)};
}

/** Waiting longer would delay the prompt too much. */
const listLimitMs = 2000;

/**
 * Returns the model's context window in tokens, if known: from the tables for a model they have at
 * this service, else from the service's list, else from the tables for the model elsewhere.
 *
 * @throws the signal's reason when aborted
 */
export async function findWindow(
	service: OpenService,
	model: string,
	signal: AbortSignal,
	environment: Environment,
): Promise<number | undefined> {
	if (service.name === 'built-in') return undefined;
	const {loadKnownModels} = await import('../../models/known-models.ts');
	const known = await loadKnownModels(modelsPath(environment));
	const {url} = service.connection.wire;
	const context = known.find(url, model)?.context;
	if (context !== undefined && known.list(url).includes(model)) return context;
	const ask = () => askWindow(service, model, signal, environment);
	return (await recover(ask, signal, () => undefined)) ?? context;
}

async function askWindow(
	service: OpenService,
	model: string,
	signal: AbortSignal,
	environment: Environment,
): Promise<number | undefined> {
	const [{createModelsRequest, listOffered}, {describeModels}, {isNamed}] = await Promise.all([
		import('./service/list-offered.ts'),
		import('../../protocol/list-models.ts'),
		import('./service/model-report.ts'),
	]);
	const request = createModelsRequest(listLimitMs, service, signal, environment);
	const listed = await listOffered(service, request, environment);
	const named = listed.filter((offered) => isNamed(offered, model));
	const [described] = await describeModels(named, service.connection, request);
	return described?.facts.context;
}

/** Returns undefined without a readable table, which must not fail an answer. */
export async function findPrices(
	service: URL,
	name: string,
	source: PathSource,
): Promise<Prices | undefined> {
	return await findModel(service, name, source).then(
		({prices}) => prices,
		() => undefined,
	);
}

/** Returns a model's prices from the tables, and its window from the service, too. */
export async function findWithWindow(
	service: OpenService,
	name: string,
	signal: AbortSignal,
	environment: Environment,
): Promise<KnownModel> {
	const {prices} = await findModel(service.connection.wire.url, name, environment);
	return {context: await findWindow(service, name, signal, environment), prices};
}

/**
 * Gives a session its models' facts, once there is something to compare.
 *
 * @param service returns the current service; another one has other models
 */
export function followModels(
	repl: Repl,
	service: () => unknown,
	find: (name: string) => Promise<KnownModel>,
): void {
	let asked = new Set<string>();
	let current = service();
	let seen: readonly unknown[] = [];
	repl.subscribe((_, {conversation: {turns}, options: {model}}) => {
		if (current !== service()) {
			current = service();
			asked = new Set();
		}
		if (turns.at(-1)?.usage === undefined || (turns === seen && asked.has(model))) return;
		seen = turns;
		for (const name of [...turns.map((turn) => turn.model), model]) {
			if (asked.has(name)) continue;
			asked.add(name);
			// Without a readable table, the tokens are shown alone.
			void find(name)
				.then((found) => repl.dispatch({type: 'model-known', name, model: found}))
				.catch(() => {});
		}
	});
}
