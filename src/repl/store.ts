/** Keeps a state, applies actions one after the other, and notifies listeners. */
import type {Effect, Update} from './action.ts';

/** Receives an action, the state right after it, and its effects. */
type StoreListener<State, AnyAction, AnyEffect> = (
	action: AnyAction,
	state: State,
	effects: readonly AnyEffect[],
) => void;

export interface Store<State, AnyAction, AnyEffect = Effect> {
	getState(): State;
	/** Actions dispatched by listeners wait until all listeners have heard of the previous one. */
	dispatch(action: AnyAction): void;
	/** Listeners hear in subscription order. Returns an unsubscribe function. */
	subscribe(listener: StoreListener<State, AnyAction, AnyEffect>): () => void;
}

/** @param reduce returns undefined for an outdated action */
export function createStore<State, AnyAction, AnyEffect = Effect>(
	initial: State,
	reduce: (state: State, action: AnyAction) => Update<State, AnyEffect> | undefined,
): Store<State, AnyAction, AnyEffect> {
	let state = initial;
	let isApplying = false;
	const waiting: AnyAction[] = [];
	const listeners = new Set<StoreListener<State, AnyAction, AnyEffect>>();
	const apply = (action: AnyAction) => {
		const next = reduce(state, action);
		if (next === undefined) return;
		state = next.state;
		for (const listener of listeners) listener(action, state, next.effects);
	};
	return {
		getState: () => state,
		dispatch(action) {
			waiting.push(action);
			if (isApplying) return;
			isApplying = true;
			try {
				for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) apply(next);
			} finally {
				isApplying = false;
			}
		},
		subscribe(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
	};
}
