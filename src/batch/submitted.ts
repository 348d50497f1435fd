/** The file beside the output that remembers what a service was given. */
import {readFileSync, rmSync} from 'node:fs';
import {ChatError} from '../errors.ts';
import {writeUserFile} from '../files/private-files.ts';
import {asInteger, asObjects, asText, parseJsonObject} from '../json.ts';

export type Submitted = {
	/** The address of the operation, without secrets. */
	readonly service: string;
	readonly batches: ReadonlyArray<{
		/** The service's name for it. */
		readonly name: string;
		readonly lines: number;
	}>;
};

/** @param output the path of the output */
export function pathOfSubmitted(output: string): string {
	return `${output}.submitted.json`;
}

/**
 * Returns undefined without a file.
 *
 * @throws {ChatError} `data` for a damaged one
 */
export function readSubmitted(path: string): Submitted | undefined {
	let text: string;
	try {
		text = readFileSync(path, 'utf8');
	} catch {
		return undefined;
	}
	const {service, batches} = parseJsonObject(text) ?? {};
	const list = asObjects(batches).flatMap(({name, lines}) => {
		const known = asText(name);
		return known === undefined ? [] : {name: known, lines: asInteger(lines) ?? 0};
	});
	if (typeof service === 'string' && list.length > 0) return {service, batches: list};
	throw new ChatError('data', `${path} does not name a batch`, {
		hint: 'The service may list its batches; then delete the file.',
	});
}

/**
 * @param writer as for `replaceFile`
 * @throws {ChatError} `create`
 */
export function writeSubmitted(path: string, submitted: Submitted, writer: string): void {
	writeUserFile(path, `${JSON.stringify(submitted, undefined, '\t')}\n`, writer);
}

export function forgetSubmitted(path: string): void {
	rmSync(path, {force: true});
}
