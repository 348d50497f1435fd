/**
 * A dialect of JSON Schema. Each has a module of its own, which opens it once, with its first use,
 * and takes its validator from the default: bundling loses a CommonJS module's names.
 */
import type {Ajv, Options} from 'ajv';

export type Dialect = {
	/** Validates schemas, and never learns one. */
	readonly judge: Ajv;
	/** Compiles schemas that were validated. */
	readonly createValidator: () => Ajv;
};

// The standard treats formats as annotations. Without `ownProperties` every object has a `toString`
// and a `constructor`.
const options = {
	strict: false,
	ownProperties: true,
	logger: false,
	validateFormats: false,
} as const;

/** Compiles the dialect's own schema, which takes ten times as long as most others. */
export function openDialect(Validator: new (options: Options) => Ajv): Dialect {
	const judge = new Validator(options);
	judge.validateSchema({});
	return {judge, createValidator: () => new Validator({...options, validateSchema: false})};
}
