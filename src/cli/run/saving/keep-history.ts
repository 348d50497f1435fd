/** Keeps the prompts of an interactive session for later ones, and gives it those of earlier ones. */
import type {Prompt} from '../../../chat/prompt.ts';
import type {Environment} from '../../../environment.ts';
import type {Repl} from '../../../repl/repl.ts';
import {
	appendHistory,
	compactHistory,
	historyPath,
	readHistory,
} from '../../../sessions/prompt-history.ts';
import type {SavingPlace} from './save-conversation.ts';

type HistoryKeeper = {
	/** Gives the session the prompts of earlier ones, if they can be read. */
	load(): Promise<void>;
	/** Waits until everything is written. */
	close(): Promise<void>;
};

export function keepHistory(
	repl: Repl,
	place: SavingPlace | undefined,
	environment: Environment,
): HistoryKeeper {
	if (place === undefined) return {load: async () => {}, close: async () => {}};
	const path = historyPath(place.directory);
	const {cwd} = environment;
	let isReported = false;
	const report = ({message}: Error) => {
		if (isReported) return;
		isReported = true;
		repl.dispatch({
			type: 'notice-given',
			text: `the prompt history cannot be saved: ${message}`,
		});
	};
	const add = async ({text, folds, signs}: Prompt, at: string) => {
		const masked = place.redact(text);
		const places = masked === text ? {folds, signs} : {};
		await appendHistory(path, {at, cwd, text: masked, ...places});
	};
	let written = Promise.resolve();
	let isPrivate = false;
	repl.subscribe((_action, _state, effects) => {
		for (const effect of effects) {
			if (effect.type === 'privacy-changed') isPrivate = effect.isPrivate;
			if (effect.type !== 'history-added' || isPrivate) continue;
			// Another session may have the lock for a while.
			const at = new Date(environment.date()).toISOString();
			for (const prompt of effect.prompts) {
				written = written.then(() => add(prompt, at)).catch(report);
			}
		}
	});
	return {
		async load() {
			// A file that cannot be read is reported when a prompt cannot be added to it.
			const prompts = await readHistory(path, cwd).catch(() => []);
			repl.dispatch({type: 'history-loaded', prompts});
		},
		async close() {
			await written;
			await compactHistory(path).catch(() => undefined);
		},
	};
}
