/** Checks an answer that must be JSON. Nothing is repaired. */
import {isJsonObject, parseJson} from '../json.ts';

/** Returns what is wrong with an answer, to follow "the answer "; undefined if nothing is. */
export type CheckAnswer = (text: string) => string | undefined;

/** Creates a check for JSON whose value passes another check. */
export function createJsonCheck(check: (value: unknown) => string | undefined): CheckAnswer {
	return (text) => {
		const value = parseJson(text);
		return value === undefined ? 'is not valid JSON' : check(value);
	};
}

/** Accepts any JSON object. */
export const checkJsonObject: CheckAnswer = createJsonCheck((value) => {
	return isJsonObject(value) ? undefined : 'is valid JSON, but not an object';
});
