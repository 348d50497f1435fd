/**
 * JSON Schema 2020-12 as a function that checks values. The validator is loaded when the first
 * schema is compiled; runs without one never load it.
 */
import {createContext, Script} from 'node:vm';
import type {ErrorObject, ValidateFunction} from 'ajv';
import type {JsonObject} from '../json.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Why a value does not pass. */
export type Misfit = {
	/** As part of a sentence. */
	readonly problem: string;
	/** Whether the schema said so; else the check itself was given up. */
	readonly isChecked: boolean;
};

/** What is wrong with a value; undefined if it fits. Takes a second at most. */
export type CheckValue = (value: unknown) => Misfit | undefined;

/** For one value: a pattern of a schema may take longer than anybody waits. */
const maxCheckMs = 1_000;

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
	if (schema['$async'] === true) return {place: '$async', problem: 'is not for a schema of values'};
	// The names of a CommonJS module do not survive bundling; its default does.
	const {Ajv2020} = (await import('ajv/dist/2020.js')).default;
	// Without `ownProperties` every object has a `toString` and a `constructor`.
	const options = {
		strict: false,
		validateFormats: false,
		ownProperties: true,
		logger: false,
	} as const;
	const ajv = new Ajv2020(options);
	try {
		if (ajv.validateSchema(schema) !== true) {
			const error = deepest(ajv.errors ?? []);
			return {place: pathOf(error), problem: error?.message ?? 'is not a JSON Schema'};
		}
		const check = createCheck(ajv.compile(schema));
		const failure = plainValues.map(check).find((misfit) => misfit?.isChecked === false);
		return failure === undefined ? {check} : unusable(failure.problem);
	} catch (error) {
		return unusable(error instanceof RangeError ? endless : (error as Error).message);
	}
}

function unusable(problem: string): CompiledSchema {
	return {place: '', problem: `cannot be used: ${problem}`};
}

/** A schema that never ends does so with one of these: none of them has parts to descend into. */
const plainValues: readonly unknown[] = [null, {}, [], '', 0];

const endless = 'the schema refers to itself without end, or is nested too deeply';

function createCheck(validate: ValidateFunction): CheckValue {
	// Only a script that runs by itself can be stopped from outside.
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

/** @throws what is neither a check that takes too long nor one that never ends */
function describeFailure(error: unknown): string {
	const {name, code} = error as {readonly name?: unknown; readonly code?: unknown};
	if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
		return `the check takes more than ${maxCheckMs / 1000} s`;
	}
	if (name === 'RangeError') return endless;
	throw error;
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
