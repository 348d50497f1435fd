/** Loads the schema of `--json-schema`, and makes the check of answers from it. */
import {type CheckAnswer, createJsonCheck} from '../chat/check-answer.ts';
import type {JsonSchemaFormat} from '../chat/message.ts';
import {ChatError} from '../errors.ts';
import {loadTextFile} from '../input/load-file.ts';
import type {FileSource} from '../input/read-bytes.ts';
import {isJsonObject, type JsonObject} from '../json.ts';
import {parseUserJson} from '../json-error.ts';

export type LoadedSchema = {
	readonly format: JsonSchemaFormat;
	readonly check: CheckAnswer;
};

/** @throws {ChatError} `input` or `data`, with the place in the file */
export async function loadSchema(path: string, source: FileSource): Promise<LoadedSchema> {
	const {text} = await loadTextFile(path, source);
	const schema = parseSchema(text, path);
	const {compileSchema} = await import('../tools/json-schema.ts');
	const compiled = await compileSchema(schema);
	if ('problem' in compiled) return fail(path, compiled.place, compiled.problem);
	const check = createJsonCheck((value) => {
		const failure = compiled.check(value);
		if (failure === undefined) return undefined;
		const {isChecked, problem} = failure;
		return `${isChecked ? 'does not match the schema' : 'cannot be checked'}: ${problem}`;
	});
	return {format: {name: nameOf(schema, path), schema}, check};
}

function parseSchema(text: string, path: string): JsonObject {
	const parsed = parseUserJson(text);
	if ('problem' in parsed) return fail(path, '', parsed.problem);
	const {value} = parsed;
	return isJsonObject(value) ? value : fail(path, '', 'is not a JSON Schema: it must be an object');
}

function fail(path: string, place: string, problem: string): never {
	const where = place === '' ? path : `${path}: ${place}`;
	throw new ChatError('data', `${where} ${problem}`, {
		hint: {
			code: 'own-words',
			words: 'Schemas must follow JSON Schema 2020-12, or state draft-07 as their $schema.',
		},
	});
}

/** Services accept no longer names. */
const maxNameLength = 64;

function nameOf({title}: JsonObject, path: string): string {
	const file = path.replace(/^.*[\\/]/, '').replace(/(?:\.schema)?\.json$/i, '');
	const words = typeof title === 'string' && /[A-Za-z0-9]/.test(title) ? title : file;
	const name = words.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '');
	return name.slice(0, maxNameLength) || 'answer';
}
