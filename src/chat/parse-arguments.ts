import {isJsonObject, type JsonObject, parseJson} from '../json.ts';

/** The arguments of a call as values; undefined when the text is no JSON object, or one too deep. */
export function parseArguments(text: string): JsonObject | undefined {
	const value = parseJson(text);
	return isJsonObject(value) ? value : undefined;
}
