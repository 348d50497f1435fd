/** Loads the `--json-schema` schema, and makes its answer check. */
import {type CheckAnswer, createJsonCheck} from '../../chat/check-answer.ts';
import type {JsonSchemaFormat} from '../../chat/message.ts';
import {ChatError} from '../../errors.ts';
import {loadTextFile} from '../../input/load-text.ts';
import type {FileSource} from '../../input/read-bytes.ts';
import {isJsonObject, type JsonObject} from '../../json.ts';
import {parseUserJson, placeOf} from '../../json-error.ts';
import {isSchemaPath} from '../../settings/options/parsers.ts';

export type LoadedSchema = {
	readonly format: JsonSchemaFormat;
	readonly check: CheckAnswer;
};

const forms = 'A schema is a file (./answer.json), JSON, or fields: name, age int, tags[]';
const dialects = 'Schemas must follow JSON Schema 2020-12, or state draft-07 as their $schema.';

/** Where a schema is, for messages. */
type Origin = {
	readonly name: string;
	readonly kind: 'data' | 'config';
	/** The next step after a mistake in its text. */
	readonly hint: string;
};

/**
 * @param written a path, a schema as JSON or in JSON text, or its fields in short
 * @param writtenAt the flag, the variable or the place in a file
 * @throws {ChatError} `input` for a missing file, `data` or `config` for a mistake, with its place
 */
export async function loadSchema(
	written: string | JsonObject,
	writtenAt: string,
	source: FileSource,
): Promise<LoadedSchema> {
	const isFile = typeof written === 'string' && isSchemaPath(written);
	const origin: Origin = isFile
		? {name: written, kind: 'data', hint: dialects}
		: {name: writtenAt, kind: writtenAt.startsWith('--') ? 'data' : 'config', hint: forms};
	const schema = isFile
		? parseSchema(await readFile(written, source), origin)
		: await readSchema(written, origin);
	const {compileSchema} = await import('../../tools/json-schema.ts');
	const compiled = await compileSchema(schema);
	if ('problem' in compiled) {
		return fail({...origin, hint: dialects}, compiled.place, compiled.problem);
	}
	const check = createJsonCheck((value) => {
		const failure = compiled.check(value);
		if (failure === undefined) return undefined;
		const {isChecked, problem} = failure;
		return `${isChecked ? 'does not match the schema' : 'cannot be checked'}: ${problem}`;
	});
	return {format: {name: nameOf(schema, isFile ? written : ''), schema}, check};
}

async function readSchema(written: string | JsonObject, origin: Origin): Promise<JsonObject> {
	if (typeof written === 'object') return written;
	if (/^\s*[[{]/.test(written)) return parseSchema(written, origin);
	const {parseSchemaFields} = await import('../../tools/schema-fields.ts');
	return parseSchemaFields(written, (offset, problem) => {
		const {line, column} = placeOf(offset, written);
		return fail(origin, `line ${line}, column ${column}:`, problem);
	});
}

async function readFile(path: string, source: FileSource): Promise<string> {
	try {
		const {text} = await loadTextFile(path, source);
		return text;
	} catch (error) {
		if (!(error instanceof ChatError) || error.kind !== 'input') throw error;
		const hint = forms;
		throw new ChatError(error.kind, error.message, {...error.details, hint});
	}
}

function parseSchema(text: string, origin: Origin): JsonObject {
	const parsed = parseUserJson(text);
	if ('problem' in parsed) return fail(origin, '', parsed.problem);
	const {value} = parsed;
	if (isJsonObject(value)) return value;
	return fail(origin, '', 'is not a JSON Schema: it must be an object');
}

/** @param place empty for the whole schema */
function fail({name, kind, hint}: Origin, place: string, problem: string): never {
	const where = place === '' ? name : `${name}: ${place}`;
	throw new ChatError(kind, `${where} ${problem}`, {hint: hint});
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
