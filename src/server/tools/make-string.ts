/** Makes a string that fits a JSON Schema: its pattern, its format, its length. */
import type {JsonObject} from '../../json.ts';
import type {Hints} from './hints.ts';
import {makeMatch} from './make-match.ts';
import {numberOf, stringOf} from './read-schema.ts';

const maxLength = 4_096;

/** A value of each format that schemas name, and how one in the prompt looks. */
const formats: Readonly<Record<string, {readonly example: string; readonly pattern: RegExp}>> = {
	date: {example: '2026-01-31', pattern: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/},
	'date-time': {example: '2026-01-31T12:00:00Z', pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/},
	time: {example: '12:00:00Z', pattern: /^[01]\d:[0-5]\d:[0-5]\dZ$/},
	duration: {example: 'PT1H', pattern: /^PT\d+[HMS]$/},
	email: {example: 'ada@example.com', pattern: /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/},
	hostname: {example: 'example.com', pattern: /^[a-z\d-]+(?:\.[a-z\d-]+)+$/},
	ipv4: {example: '192.0.2.1', pattern: /^(?:\d{1,2}\.){3}\d{1,2}$/},
	ipv6: {example: '2001:db8::1', pattern: /^2001:db8::\d$/},
	uri: {example: 'https://example.com/', pattern: /^https?:\/\/[\w.-]+(?:\/[\w./-]*)?$/},
	url: {example: 'https://example.com/', pattern: /^https?:\/\/[\w.-]+(?:\/[\w./-]*)?$/},
	uuid: {
		example: '00000000-0000-4000-8000-000000000000',
		pattern: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
	},
};

export function makeString(
	schema: JsonObject,
	name: string,
	hints: Hints,
	variant: number,
): string {
	const least = Math.min(numberOf(schema, 'minLength') ?? 0, maxLength);
	const most = Math.min(numberOf(schema, 'maxLength') ?? maxLength, maxLength);
	const pattern = stringOf(schema, 'pattern');
	const match = pattern === undefined ? undefined : makeMatch(pattern, least);
	if (match !== undefined) return match;
	const fallback = stringOf(schema, 'default')?.slice(0, 2 * maxLength);
	const said = hints.valueFor(name) ?? fallback ?? hints.exampleFor(name);
	const format = formats[stringOf(schema, 'format') ?? ''];
	if (format !== undefined) return format.pattern.test(said) ? said : format.example;
	return fitLength(variant === 0 ? said : `${said} ${variant + 1}`, least, most);
}

/** JSON Schema counts code points, not UTF-16 units. */
function fitLength(text: string, least: number, most: number): string {
	const points = [...text].slice(0, Math.max(most, 0));
	return points.join('') + '.'.repeat(Math.max(least - points.length, 0));
}
