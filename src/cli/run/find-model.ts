/** Finds public facts about models in the tables on this machine, fetching nothing. */
import type {KnownModel} from '../../chat/model.ts';
import type {Repl} from '../../repl/repl.ts';
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

/** Gives a session its models' facts, once there is something to compare. */
export function followModels(repl: Repl, serviceUrl: () => URL, source: PathSource): void {
	let asked = new Set<string>();
	let service = serviceUrl();
	let seen: readonly unknown[] = [];
	repl.subscribe((_, {conversation: {turns}, options: {model}}) => {
		if (service !== serviceUrl()) {
			service = serviceUrl();
			asked = new Set();
		}
		if (turns.at(-1)?.usage === undefined || (turns === seen && asked.has(model))) return;
		seen = turns;
		for (const name of [...turns.map((turn) => turn.model), model]) {
			if (asked.has(name)) continue;
			asked.add(name);
			// Without a readable table, the tokens are shown alone.
			void findModel(service, name, source)
				.then((found) => repl.dispatch({type: 'model-known', name, model: found}))
				.catch(() => {});
		}
	});
}
