/** Gives a session the context window of its model, once there is something to compare with it. */
import type {Session} from '../../../repl/session.ts';
import {modelsPath, type PathSource} from '../../../settings/files/config-path.ts';

/** Looks in the tables on this machine; nothing is fetched. */
export function followModel(session: Session, service: URL, source: PathSource): void {
	let known: string | undefined;
	session.subscribe((_, {conversation, options: {model}}) => {
		if (model === known || conversation.turns.at(-1)?.usage === undefined) return;
		known = model;
		// Without a readable table, the tokens are shown alone.
		void findWindow(service, model, source)
			.then((tokens) => {
				if (tokens !== undefined) session.dispatch({type: 'window-known', model, tokens});
			})
			.catch(() => {});
	});
}

/** Returns the context window of a model, if it is known here. */
export async function findWindow(
	service: URL,
	model: string,
	source: PathSource,
): Promise<number | undefined> {
	const {loadKnownModels} = await import('../../../models/known-models.ts');
	return (await loadKnownModels(modelsPath(source))).find(service, model)?.context;
}
