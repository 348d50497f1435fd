/** A call that is given up when it takes too long, although nothing in it ever waits. */
import {createContext, Script} from 'node:vm';

export type Limited<Value> = {readonly value: Value} | {readonly failure: 'time' | 'depth'};

/**
 * What `run` returns, or why there is none: it took longer than `limitMs`, or called itself without
 * end. What else it throws is passed on.
 *
 * @param limitMs above 0
 */
export function runLimited<Value>(run: () => Value, limitMs: number): Limited<Value> {
	// Only a script that runs by itself can be stopped from outside.
	const context = createContext({run});
	try {
		return {value: new Script('run()').runInContext(context, {timeout: limitMs}) as Value};
	} catch (error) {
		const {name, code} = error as {readonly name?: unknown; readonly code?: unknown};
		if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return {failure: 'time'};
		if (name === 'RangeError') return {failure: 'depth'};
		throw error;
	}
}
