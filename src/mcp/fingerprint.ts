/** Texts by which entries and definitions are compared. */
import {hashOf} from '../files/trust.ts';
import {isJsonObject} from '../json.ts';
import {mayHoldSecret} from '../redact.ts';
import {fillText, findVariables, type VariableSource} from './fill-variables.ts';
import type {ServerEntry} from './server-entry.ts';

/**
 * Returns the SHA-256 over everything that decides which server answers, with its variables filled
 * in; undefined if a variable is missing.
 *
 * Secrets count as written: renewing a token does not make another server, and no secret's hash is
 * stored. In the program, its folder and a URL's origin, every value counts.
 */
export function fingerprintOf(
	{name, access}: ServerEntry,
	{variables}: VariableSource,
): string | undefined {
	let isWhole = true;
	const fillWith = (text: string, values: VariableSource['variables']) => {
		const filled = fillText(text, values);
		isWhole &&= filled !== undefined;
		return filled ?? '';
	};
	const fill = (text: string) => fillWith(text, variables);
	const fillOpen = (text: string) => {
		const secrets = findVariables([text]).filter(mayHoldSecret);
		const masks = secrets.map((secret) => [secret, `\${${secret}}`]);
		return fillWith(text, {...variables, ...Object.fromEntries(masks)});
	};
	const identity = [name, access.type, ...identify(access, fill, fillOpen)];
	return isWhole ? hashOf(canonicalText(identity)) : undefined;
}

type Fill = (text: string) => string;

function identify(access: ServerEntry['access'], fill: Fill, fillOpen: Fill): readonly unknown[] {
	if (access.type === 'http') {
		const {url, headers} = access;
		const filled = fill(url);
		return [fillOpen(url), URL.canParse(filled) && new URL(filled).origin, headers];
	}
	const {argv, cwd = '', variables} = access;
	const [program = '', ...args] = argv;
	const values = Object.entries(variables).map(([key, value]) => {
		return [key, mayHoldSecret(key) ? value : fillOpen(value)];
	});
	return [fill(program), args.map(fillOpen), fill(cwd), Object.fromEntries(values)];
}

/** Returns the value as JSON, independent of key order: many servers have none. */
export function canonicalText(value: unknown): string {
	return JSON.stringify(value, (_key, item: unknown) =>
		isJsonObject(item) ? Object.fromEntries(Object.entries(item).sort(byKey)) : item,
	);
}

/** Whether two values are the same JSON, whatever their key order. */
export function isSameJson(one: unknown, other: unknown): boolean {
	return one === other || canonicalText(one) === canonicalText(other);
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
	return one < other ? -1 : 1;
}
