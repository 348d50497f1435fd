/** Limits tool calls per turn, to stop a model from looping. */
import {parseJson} from '../json.ts';
import type {ToolCall} from './message.ts';

const maxCalls = 25;
const maxIdentical = 3;

export interface CallBudget {
	/**
	 * Counts a step's calls; returns an error message once there are too many, otherwise undefined.
	 */
	take(calls: readonly ToolCall[]): string | undefined;
}

/** Creates the budget for one turn. */
export function createCallBudget(): CallBudget {
	const counts = new Map<string, number>();
	let total = 0;
	return {
		take(calls) {
			total += calls.length;
			for (const call of calls) {
				const key = JSON.stringify([call.name, normalize(call.arguments)]);
				const count = (counts.get(key) ?? 0) + 1;
				counts.set(key, count);
				if (count > maxIdentical) {
					return `the model made the same call of ${call.name} more than ${maxIdentical} times`;
				}
			}
			return total > maxCalls ? `the model made more than ${maxCalls} calls` : undefined;
		},
	};
}

/** White space makes no difference. */
function normalize(text: string): string {
	const value = parseJson(text);
	return value === undefined ? text : JSON.stringify(value);
}
