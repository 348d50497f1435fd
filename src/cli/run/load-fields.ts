/** Loads the files of `--option key=@file.json`. */
import {ChatError} from '../../errors.ts';
import {loadTextFile} from '../../input/load-text.ts';
import type {FileSource} from '../../input/read-bytes.ts';
import type {JsonObject, JsonValue} from '../../json.ts';
import {parseUserJson} from '../../json-error.ts';
import {ValueError} from '../../settings/options/parsers.ts';
import {
	changeFields,
	checkNumbers,
	type FieldChange,
	type FieldValue,
} from '../../settings/options/request-fields.ts';

/** @throws {ChatError} `input` or `data` for a file; `usage` for a value that does not fit */
export async function loadFields(
	changes: readonly FieldChange[],
	source: FileSource,
): Promise<JsonObject> {
	const loaded: FieldValue[] = [];
	for (const change of changes) {
		const value = 'file' in change ? await loadJson(change.file, source) : change.value;
		loaded.push({path: change.path, value});
	}
	try {
		const fields = changeFields({}, loaded);
		checkNumbers(fields);
		return fields;
	} catch (error) {
		if (!(error instanceof ValueError)) throw error;
		throw new ChatError('usage', `--option ${error.message}`);
	}
}

async function loadJson(path: string, source: FileSource): Promise<JsonValue> {
	const {text} = await loadTextFile(path, source);
	const parsed = parseUserJson(text);
	if ('value' in parsed) return parsed.value;
	throw new ChatError('data', `${path} ${parsed.problem}`);
}
