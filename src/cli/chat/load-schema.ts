/** Loads the schema of `--json-schema`, and makes the check of answers from it. */
import {type CheckAnswer, createJsonCheck} from '../../chat/check-answer.ts';
import type {JsonSchemaFormat} from '../../chat/message.ts';
import {ChatError} from '../../errors.ts';
import {loadTextFile} from '../../input/load-file.ts';
import type {FileSource} from '../../input/read-bytes.ts';
import {isJsonObject, type JsonObject} from '../../json.ts';
import {parseUserJson, placeOf} from '../../json-error.ts';

export type LoadedSchema = {
	readonly format: JsonSchemaFormat;
	readonly check: CheckAnswer;
};

const flag = '--json-schema';

const forms = 'A schema is a file (./answer.json), JSON, or fields: name, age int, tags[]';
const dialects = 'Schemas must follow JSON Schema 2020-12, or state draft-07 as their $schema.';

/**
 * @param written a path, a schema in JSON, or its fields in short
 * @throws {ChatError} `input` or `data`, with the place in the file or in the text
 */
export async function loadSchema(written: string, source: FileSource): Promise<LoadedSchema> {
	const isFile = isPath(written);
	const origin = isFile ? written : flag;
	const schema = await readSchema(written, isFile, source);
	const {compileSchema} = await import('../../tools/json-schema.ts');
	const compiled = await compileSchema(schema);
	if ('problem' in compiled) return fail(origin, compiled.place, compiled.problem, dialects);
	const check = createJsonCheck((value) => {
		const failure = compiled.check(value);
		if (failure === undefined) return undefined;
		const {isChecked, problem} = failure;
		return `${isChecked ? 'does not match the schema' : 'cannot be checked'}: ${problem}`;
	});
	return {format: {name: nameOf(schema, isFile ? written : ''), schema}, check};
}

async function readSchema(
	written: string,
	isFile: boolean,
	source: FileSource,
): Promise<JsonObject> {
	if (isFile) return parseSchema(await readFile(written, source), written, dialects);
	if (/^\s*[[{]/.test(written)) return parseSchema(written, flag, forms);
	const {parseSchemaFields} = await import('../../tools/schema-fields.ts');
	return parseSchemaFields(written, (offset, problem) => {
		const {line, column} = placeOf(offset, written);
		return fail(flag, `line ${line}, column ${column}:`, problem, forms);
	});
}

/** Whether the text names a file: it has a dot or a slash before anything that only fields have. */
function isPath(text: string): boolean {
	return text === '' || /^[^,:{[\n]*[./\\]/.test(text) || /^[a-z]+:[\\/]/i.test(text);
}

async function readFile(path: string, source: FileSource): Promise<string> {
	try {
		const {text} = await loadTextFile(path, source);
		return text;
	} catch (error) {
		if (!(error instanceof ChatError) || error.kind !== 'input') throw error;
		const hint = {code: 'own-words', words: forms} as const;
		throw new ChatError(error.kind, error.message, {...error.details, hint});
	}
}

function parseSchema(text: string, origin: string, words: string): JsonObject {
	const parsed = parseUserJson(text);
	if ('problem' in parsed) return fail(origin, '', parsed.problem, words);
	const {value} = parsed;
	if (isJsonObject(value)) return value;
	return fail(origin, '', 'is not a JSON Schema: it must be an object', words);
}

/** @param place empty for the whole schema */
function fail(origin: string, place: string, problem: string, words: string): never {
	const where = place === '' ? origin : `${origin}: ${place}`;
	throw new ChatError('data', `${where} ${problem}`, {hint: {code: 'own-words', words}});
}

/** Services accept no longer names. */
const maxNameLength = 64;

/** @param path empty if the schema is not in a file */
function nameOf({title}: JsonObject, path: string): string {
	const file = path.replace(/^.*[\\/]/, '').replace(/(?:\.schema)?\.json$/i, '');
	const words = typeof title === 'string' && /[A-Za-z0-9]/.test(title) ? title : file;
	const name = words.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '');
	return name.slice(0, maxNameLength) || 'answer';
}
