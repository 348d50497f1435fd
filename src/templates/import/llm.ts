/** The templates of llm: YAML, with `$input` and parameters. */
import {ChatError} from '../../errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../json.ts';
import {readYaml} from '../front-matter.ts';
import {formatTemplate} from '../write-template.ts';
import {escapeDollars, inputPlaces} from './foreign-text.ts';

/**
 * Returns undefined for YAML that is not a template.
 *
 * @throws {ChatError} `data` for a mistake in the YAML, or a variable that ours cannot express
 */
export async function convertLlm(text: string, path: string): Promise<string | undefined> {
	if (!/^(?:prompt|system)\s*:/m.test(text) || (path === '-' && text.startsWith('---'))) {
		return undefined;
	}
	const clean = text.replace(/\r\n?/g, '\n').replace(/^\ufeff/, '');
	const {prompt, system, defaults, schema_object, ...others} = await readYaml(clean, path, 1);
	const used = [prompt, system].flatMap(variablesOf);
	const glued = used.find(({isGlued}) => isGlued)?.name;
	if (glued !== undefined) {
		const problem = `a letter follows \${${glued}}, which would be a part of the name here`;
		throw new ChatError('data', `${path}: ${problem}`);
	}
	const params = readParams(used, defaults ?? null);
	const values: JsonObject = {
		...others,
		...(schema_object !== undefined && {'json-schema': schema_object}),
		...(typeof system === 'string' && {system: convertText(system)}),
		...(Object.keys(params).length > 0 && {params}),
	};
	const body = typeof prompt === 'string' ? convertText(prompt).trim() : '';
	return await formatTemplate('Imported from a template of llm', values, body);
}

const variable = /\$(?:\$|\{([a-z_]\w*)\}(\w?)|([a-z_]\w*))/gi;

type Variable = {
	readonly name: string;
	/** Whether its braces keep it apart from the next letter. */
	readonly isGlued: boolean;
};

function variablesOf(text: JsonValue | undefined): readonly Variable[] {
	if (typeof text !== 'string') return [];
	return [...text.matchAll(variable)].flatMap(([, braced, next = '', plain]) => {
		const name = braced ?? plain;
		if (name === undefined) return [];
		return {name, isGlued: next !== '' && name !== 'input'};
	});
}

/** Returns the variables with their defaults; null for one that has to be given. */
function readParams(used: readonly Variable[], defaults: JsonValue): JsonObject {
	const given = isJsonObject(defaults) ? defaults : {};
	const names = new Set(used.map(({name}) => name).filter((name) => name !== 'input'));
	return Object.fromEntries(
		[...names].map((name) => [name, Object.hasOwn(given, name) ? (given[name] ?? null) : null]),
	);
}

/** Two dollars are one in both. */
function convertText(text: string): string {
	let end = 0;
	let converted = '';
	for (const match of text.matchAll(variable)) {
		const [whole, braced, next = '', plain] = match;
		const name = braced ?? plain;
		const place = name === 'input' ? inputPlaces : `$${name}`;
		converted += escapeDollars(text.slice(end, match.index));
		converted += name === undefined ? whole : place + next;
		end = match.index + whole.length;
	}
	return converted + escapeDollars(text.slice(end));
}
