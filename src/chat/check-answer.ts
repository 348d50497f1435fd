/**
 * Checks an answer in JSON mode. Nothing is repaired, except that a surrounding code fence is
 * removed.
 */
import {isJsonObject, parseJson} from '../json.ts';

export type Verdict =
	| {readonly type: 'fits'}
	/** The JSON in a code fence fits. */
	| {readonly type: 'fenced'; readonly json: string}
	/** `problem` follows "the answer ". */
	| {readonly type: 'wrong'; readonly problem: string};

export type CheckAnswer = (text: string) => Verdict;

/**
 * Creates a check for JSON text, followed by another check on its value.
 *
 * @param check returns an error message, or undefined for a valid value
 */
export function createJsonCheck(check: (value: unknown) => string | undefined): CheckAnswer {
	return (text) => {
		const fenced = parseJson(text) === undefined ? contentOfFence(text) : undefined;
		const value = parseJson(fenced ?? text);
		const problem = value === undefined ? 'is not valid JSON' : check(value);
		if (problem !== undefined) return {type: 'wrong', problem};
		return fenced === undefined ? {type: 'fits'} : {type: 'fenced', json: fenced};
	};
}

/** Accepts any JSON object. */
export const checkJsonObject: CheckAnswer = createJsonCheck((value) => {
	return isJsonObject(value) ? undefined : 'is valid JSON, but not an object';
});

/** Returns the code inside, if the whole answer is one code block. */
function contentOfFence(text: string): string | undefined {
	const [head = '', fence = ''] = /^\s*(`{3,}|~{3,})[\w+-]*[ \t]*\r?\n/.exec(text) ?? [];
	const rest = text.slice(head.length).trimEnd();
	if (fence === '' || !rest.endsWith(fence)) return undefined;
	return rest.slice(0, -fence.length).trim();
}
