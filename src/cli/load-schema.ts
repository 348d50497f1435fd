/** The schema that an answer must fit: the file, checked, and the check that it makes. */
import {type CheckAnswer, createJsonCheck} from '../chat/check-answer.ts';
import type {JsonSchemaFormat} from '../chat/message.ts';
import {ChatError} from '../errors.ts';
import {type FileSource, loadTextFile} from '../input/load-file.ts';
import {isJsonObject, type JsonObject} from '../json.ts';
import {parseUserJson} from '../json-error.ts';

export type LoadedSchema = {
	readonly format: JsonSchemaFormat;
	readonly check: CheckAnswer;
};

/** @throws {ChatError} `input` or `data` for the file, with the place in it */
export async function loadSchema(path: string, source: FileSource): Promise<LoadedSchema> {
	const {text} = await loadTextFile(path, source);
	const schema = parseSchema(text, path);
	const {compileSchema} = await import('../tools/json-schema.ts');
	const compiled = await compileSchema(schema);
	if ('problem' in compiled) return fail(path, compiled.place, compiled.problem);
	const check = createJsonCheck((value) => {
		const misfit = compiled.check(value);
		if (misfit === undefined) return undefined;
		const {isChecked, problem} = misfit;
		return `${isChecked ? 'does not fit the schema' : 'cannot be checked'}: ${problem}`;
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
		hint: 'A schema is one of JSON Schema 2020-12.',
	});
}

const maxNameLength = 64;

/** Services want a name of few characters. */
function nameOf({title}: JsonObject, path: string): string {
	const file = path.replace(/^.*[\\/]/, '').replace(/(?:\.schema)?\.json$/i, '');
	const words = typeof title === 'string' && /[A-Za-z0-9]/.test(title) ? title : file;
	const name = words.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '');
	return name.slice(0, maxNameLength) || 'answer';
}
