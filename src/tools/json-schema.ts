/**
 * JSON Schema 2020-12 as a function that checks values. The validator is loaded when the first
 * schema is compiled; runs without one never load it.
 */
import type {ErrorObject} from 'ajv';
import type {JsonObject} from '../json.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** What is wrong with a value, as part of a sentence; undefined if it fits. */
export type CheckValue = (value: unknown) => string | undefined;

export type CompiledSchema =
	| {readonly check: CheckValue}
	/** Why it is no schema, and where: a path such as `properties.city.type`, empty at the root. */
	| {readonly place: string; readonly problem: string};

/** Formats are not checked: by the standard they are remarks. Nothing is ever fetched. */
export async function compileSchema(schema: JsonObject): Promise<CompiledSchema> {
	const {$schema: stated = dialect} = schema;
	if (typeof stated !== 'string' || stated.replace(/#$/, '') !== dialect) {
		return {place: '$schema', problem: `must be "${dialect}"`};
	}
	// The names of a CommonJS module do not survive bundling; its default does.
	const {Ajv2020} = (await import('ajv/dist/2020.js')).default;
	const ajv = new Ajv2020({strict: false, validateFormats: false, logger: false});
	if (ajv.validateSchema(schema) !== true) {
		const error = deepest(ajv.errors ?? []);
		return {place: pathOf(error), problem: error?.message ?? 'is no JSON Schema'};
	}
	try {
		const validate = ajv.compile(schema);
		return {
			check: (value) => (validate(value) ? undefined : describeAll(validate.errors ?? [])),
		};
	} catch (error) {
		return {place: '', problem: `cannot be used: ${(error as Error).message}`};
	}
}

/** The one that says most: a schema at fault fails in every schema around it. */
function deepest(errors: readonly ErrorObject[]): ErrorObject | undefined {
	const [first, ...rest] = errors;
	if (first === undefined) return undefined;
	return rest.reduce((found, error) => (depthOf(error) > depthOf(found) ? error : found), first);
}

function depthOf({instancePath}: ErrorObject): number {
	return instancePath.split('/').length;
}

function pathOf(error: ErrorObject | undefined): string {
	const keys = (error?.instancePath ?? '').split('/').slice(1);
	return keys.map((key) => key.replace(/~1/g, '/').replace(/~0/g, '~')).join('.');
}

const shownErrors = 5;

function describeAll(errors: readonly ErrorObject[]): string {
	const told = errors.slice(0, shownErrors).map((error) => {
		const path = pathOf(error);
		const allowed: unknown = error.params['allowedValues'];
		const choices = Array.isArray(allowed) ? `: ${JSON.stringify(allowed).slice(0, 500)}` : '';
		const extra: unknown = error.params['additionalProperty'];
		const name = typeof extra === 'string' ? `: ${JSON.stringify(extra)}` : '';
		return `${path === '' ? 'it' : path} ${error.message ?? 'does not fit'}${choices}${name}`;
	});
	return told.join('; ');
}
