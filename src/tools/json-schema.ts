/** Compiles a JSON Schema into a check of values. Loads the validator with the first schema. */
import {createContext, Script} from 'node:vm';
import type {Ajv, ErrorObject, ValidateFunction} from 'ajv';
import type {JsonObject} from '../json.ts';

// Without `ownProperties` every object has a `toString` and a `constructor`.
const options = {
	strict: false,
	validateFormats: false,
	ownProperties: true,
	logger: false,
} as const;

const newestDialect = 'https://json-schema.org/draft/2020-12/schema';

/** The names of a CommonJS module do not survive bundling; its default does. */
const validators: Readonly<Record<string, () => Promise<Ajv>>> = {
	[newestDialect]: async () => new (await import('ajv/dist/2020.js')).default.Ajv2020(options),
	'http://json-schema.org/draft-07/schema': async () =>
		new (await import('ajv')).default.Ajv(options),
};

/** The result for a value that does not pass. */
export type ValidationFailure = {
	/** As part of a sentence. */
	readonly problem: string;
	/** False if the check could not be finished. */
	readonly isChecked: boolean;
};

/** Returns undefined for a valid value. Takes at most a second. */
export type CheckValue = (value: unknown) => ValidationFailure | undefined;

/** Threat: a pattern of a schema may backtrack for hours on a value that a model chose. */
const maxCheckMs = 1_000;

export type CompiledSchema =
	| {readonly check: CheckValue}
	/** `place` is a path such as `properties.city.type`, empty at the root. */
	| {readonly place: string; readonly problem: string};

/** Formats are not checked: by the standard they are annotations. Nothing is fetched. */
export async function compileSchema(schema: JsonObject): Promise<CompiledSchema> {
	const {$schema: dialect = newestDialect} = schema;
	const name = typeof dialect === 'string' ? dialect.replace(/#$/, '') : '';
	const openValidator = Object.hasOwn(validators, name) ? validators[name] : undefined;
	if (openValidator === undefined) {
		const known = Object.keys(validators).map((uri) => `"${uri}"`);
		return {place: '$schema', problem: `must be ${known.join(' or ')}`};
	}
	if (schema['$async'] === true) return {place: '$async', problem: 'is not supported'};
	const ajv = await openValidator();
	try {
		if (ajv.validateSchema(schema) !== true) {
			const error = deepest(ajv.errors ?? []);
			return {place: pathOf(error), problem: error?.message ?? 'is not a JSON Schema'};
		}
		const check = createCheck(ajv.compile(schema));
		const failure = plainValues.map(check).find((result) => result?.isChecked === false);
		return failure === undefined ? {check} : unusable(failure.problem);
	} catch (error) {
		return unusable(error instanceof RangeError ? endless : (error as Error).message);
	}
}

function unusable(problem: string): CompiledSchema {
	return {place: '', problem: `cannot be used: ${problem}`};
}

/** One of these shows endless recursion, since none of them has parts to descend into. */
const plainValues: readonly unknown[] = [null, {}, [], '', 0];

const endless = 'the schema refers to itself without end, or is nested too deeply';

function createCheck(validate: ValidateFunction): CheckValue {
	// Only a script in a context of its own can be stopped.
	const script = new Script('validate(value)');
	return (value) => {
		try {
			const context = createContext({validate, value});
			if (script.runInContext(context, {timeout: maxCheckMs}) === true) return undefined;
			return {problem: describeAll(validate.errors ?? []), isChecked: true};
		} catch (error) {
			return {problem: describeFailure(error), isChecked: false};
		}
	};
}

/** @throws `error` unless it says that the check takes too long or recurses without end */
function describeFailure(error: unknown): string {
	const {name, code} = error as {readonly name?: unknown; readonly code?: unknown};
	if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
		return `the check takes more than ${maxCheckMs / 1000} s`;
	}
	if (name === 'RangeError') return endless;
	throw error;
}

/** Returns the most specific error: a wrong schema fails in every schema around it too. */
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
	const described = errors.slice(0, shownErrors).map((error) => {
		const path = pathOf(error);
		const allowed: unknown = error.params['allowedValues'];
		const choices = Array.isArray(allowed) ? `: ${JSON.stringify(allowed).slice(0, 500)}` : '';
		const extra: unknown = error.params['additionalProperty'];
		const name = typeof extra === 'string' ? `: ${JSON.stringify(extra)}` : '';
		return `${path === '' ? 'it' : path} ${error.message?.replace(' NOT ', ' not ') ?? 'is not valid'}${choices}${name}`;
	});
	return described.join('; ');
}
