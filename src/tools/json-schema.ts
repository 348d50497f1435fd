/**
 * JSON Schema 2020-12 as a function that checks values. The validator is loaded when the first
 * schema is compiled; runs without one never load it.
 */
import type {ErrorObject} from 'ajv';
import type {JsonObject} from '../json.ts';
import {type Limited, runLimited} from './run-limited.ts';

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
	const endless = {place: '', problem: `cannot be used: ${problemOfFailure.depth}`};
	try {
		if (ajv.validateSchema(schema) !== true) {
			const error = deepest(ajv.errors ?? []);
			return {place: pathOf(error), problem: error?.message ?? 'is no JSON Schema'};
		}
		const validate = ajv.compile(schema);
		const check: CheckValue = (value) =>
			describeRun(
				runLimited(
					() => (validate(value) ? undefined : describeAll(validate.errors ?? [])),
					maxCheckMs,
				),
			);
		return plainValues.some((value) => check(value)?.isChecked === false) ? endless : {check};
	} catch (error) {
		if (error instanceof RangeError) return endless;
		return {place: '', problem: `cannot be used: ${(error as Error).message}`};
	}
}

/** A schema that never ends does so with one of these: none of them has parts to descend into. */
const plainValues: readonly unknown[] = [null, {}, [], '', 0];

const problemOfFailure = {
	time: `the check takes more than ${maxCheckMs / 1000} s`,
	depth: 'the schema refers to itself without end, or is nested too deeply',
} as const;

function describeRun(run: Limited<string | undefined>): Misfit | undefined {
	if ('failure' in run) return {problem: problemOfFailure[run.failure], isChecked: false};
	return run.value === undefined ? undefined : {problem: run.value, isChecked: true};
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
