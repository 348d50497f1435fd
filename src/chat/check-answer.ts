/** What an answer must be when JSON was asked for. Nothing is repaired: it counts as it stands. */
import {isJsonObject, parseJson} from '../json.ts';

/** What is wrong with an answer, to follow "the answer "; undefined if nothing is. */
export type CheckAnswer = (text: string) => string | undefined;

/** A check for JSON whose value passes another one. */
export function createJsonCheck(check: (value: unknown) => string | undefined): CheckAnswer {
	return (text) => {
		const value = parseJson(text);
		return value === undefined ? 'is not valid JSON' : check(value);
	};
}

/** A check for one JSON object, whatever is in it. */
export const checkJsonObject: CheckAnswer = createJsonCheck((value) => {
	return isJsonObject(value) ? undefined : 'is valid JSON, but not an object';
});
