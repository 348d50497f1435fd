/** Compiles a JSON Schema into a value check. Loads the validator with the first schema. */
import {createContext, Script} from 'node:vm';
import type {ErrorObject, ValidateFunction} from 'ajv';
import type {JsonObject} from '../json.ts';
import {processorMs} from '../process-environment.ts';
import {shorten} from '../wording.ts';
import type {Dialect} from './dialects/dialect.ts';

const newestDialect = 'https://json-schema.org/draft/2020-12/schema';

const dialects: Readonly<Record<string, () => Promise<{readonly dialect: Dialect}>>> = {
	[newestDialect]: () => import('./dialects/draft-2020-12.ts'),
	'http://json-schema.org/draft-07/schema': () => import('./dialects/draft-07.ts'),
};

/** Result for an invalid value. */
export type ValidationFailure = {
	/** A sentence fragment. */
	readonly problem: string;
	/** False if the check could not be finished. */
	readonly isChecked: boolean;
};

/** Returns undefined for a valid value. Takes about a second at most, as `compileSchema` does. */
export type CheckValue = (value: unknown) => ValidationFailure | undefined;

/**
 * Threat: a pattern can backtrack for hours on a value chosen by a model, and a large schema can
 * take minutes to compile.
 */
const maxMs = 1_000;
/** Time limit on a machine so busy that this process hardly runs. */
const longestMs = 16 * maxMs;

export type CompiledSchema =
	| {readonly check: CheckValue}
	/** `place` is a path such as `properties.city.type`, empty at the root. */
	| {readonly place: string; readonly problem: string};

/** Takes about a second at most, longer only while other programs have the processor. Nothing is fetched. */
export async function compileSchema(schema: JsonObject): Promise<CompiledSchema> {
	const {$schema: dialect = newestDialect} = schema;
	const name = typeof dialect === 'string' ? dialect.replace(/#$/, '') : '';
	const load = Object.hasOwn(dialects, name) ? dialects[name] : undefined;
	if (load === undefined) {
		const known = Object.keys(dialects).map((uri) => `"${uri}"`);
		return {place: '$schema', problem: `must be ${known.join(' or ')}`};
	}
	if (schema['$async'] === true) return {place: '$async', problem: 'is not supported'};
	const {judge, createValidator} = (await load()).dialect;
	try {
		const validate = runLimited(() => {
			// A stopped attempt leaves its validator damaged, and no schema may refer to another one.
			const ajv = createValidator();
			return () =>
				judge.validateSchema(schema) === true ? ajv.compile(schema) : (judge.errors ?? []);
		});
		if (typeof validate !== 'function') {
			const error = deepest(validate);
			const problem = error === undefined ? 'is not a JSON Schema' : describeProblem(error);
			return {place: pathOf(error), problem};
		}
		const check = createCheck(validate);
		const failure = plainValues.map(check).find((result) => result?.isChecked === false);
		return failure === undefined ? {check} : unusable(failure.problem);
	} catch (error) {
		return unusable(describeFailure(error) ?? (error as Error).message);
	}
}

function unusable(problem: string): CompiledSchema {
	return {place: '', problem: `cannot be used: ${problem}`};
}

/** Any of these means endless recursion: none has parts to descend into. */
const plainValues: readonly unknown[] = [null, {}, [], '', 0];

const maxMessage = 200;

const endless = 'the schema refers to itself without end, or is nested too deeply';

/**
 * @param prepare returns the function to limit, for each attempt
 * @throws after `maxMs`, or what the function throws
 */
function runLimited<Result>(prepare: () => () => Result): Result {
	for (let limitMs = maxMs; ; limitMs *= 4) {
		const run = prepare();
		const startMs = processorMs();
		try {
			// A script can be stopped in a context of its own.
			return runScript.runInContext(createContext({run}), {timeout: limitMs});
		} catch (error) {
			const isStarved = processorMs() - startMs < maxMs / 2 && limitMs < longestMs;
			if (!isTimeout(error) || !isStarved) throw error;
		}
	}
}

function isTimeout(error: unknown): boolean {
	return (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

const runScript = new Script('run()');

function createCheck(validate: ValidateFunction): CheckValue {
	return (value) => {
		try {
			if (runLimited(() => () => validate(value)) === true) return undefined;
			const errors = validate.errors ?? [];
			return {problem: describeAll(errors), isChecked: true};
		} catch (error) {
			const problem = describeFailure(error);
			if (problem === undefined) throw error;
			return {problem, isChecked: false};
		}
	};
}

/** Returns undefined for errors that no schema causes. */
function describeFailure(error: unknown): string | undefined {
	const {name, message} = error as Error;
	if (isTimeout(error)) return `the check takes more than ${maxMs / 1000} s`;
	if (name === 'RangeError') return endless;
	// Patterns compile on first use.
	return name === 'SyntaxError' ? shorten(message, maxMessage) : undefined;
}

/** Returns the most specific error: a wrong schema also fails in every enclosing schema. */
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
const maxValues = 500;

function describeAll(errors: readonly ErrorObject[]): string {
	const described = errors.slice(0, shownErrors).map((error) => {
		const path = pathOf(error);
		return `${path === '' ? 'it' : path} ${describeProblem(error)}`;
	});
	return described.join('; ');
}

function describeProblem({message, params}: ErrorObject): string {
	const allowed: unknown = params['allowedValues'];
	if (Array.isArray(allowed)) {
		const values = allowed.map((value) => JSON.stringify(value)).join(', ');
		return `must be one of ${shorten(values, maxValues)}`;
	}
	const extra: unknown = params['additionalProperty'];
	const name = typeof extra === 'string' ? `: ${JSON.stringify(extra)}` : '';
	return `${message?.replace(' NOT ', ' not ') ?? 'is not valid'}${name}`;
}
