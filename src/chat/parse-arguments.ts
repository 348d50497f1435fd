import {isJsonObject, type JsonObject} from '../json.ts';

/** The arguments of a call as values; undefined when the text is no JSON object. */
export function parseArguments(text: string): JsonObject | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return isJsonObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
