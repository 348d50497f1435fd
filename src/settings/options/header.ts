/** Reads request headers from flags and the config file. No message quotes their values. */
import {isJsonObject, type JsonValue, parseJson} from '../../json.ts';
import {HiddenValueError, type Parse, ValueError} from './parsers.ts';

export type Header = {
	/** Lower case. */
	readonly name: string;
	/** May contain `${VARIABLE}`. Empty: the header is left out. */
	readonly value: string;
};

/** Characters allowed in a name, by RFC 9110. */
const token = /^[\w!#$%&'*+.^`|~-]+$/;

/** Printable ASCII: the only values every server reads alike. */
export const headerValue = /^[\t\x20-\x7e]*$/;

/** Headers describing the connection, the body, or how the answer is read. */
const ownHeaders: readonly string[] = [
	'accept',
	'accept-encoding',
	'connection',
	'content-encoding',
	'content-length',
	'content-type',
	'expect',
	'host',
	'keep-alive',
	'proxy-authorization',
	'proxy-connection',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
];

/** Reads `Name: value`, or a JSON object. */
export function parseHeader(text: string, previous: readonly Header[]): readonly Header[] {
	// No name begins with a brace.
	if (text.startsWith('{')) return readHeaders(parseJson(text), previous);
	const [, name, value = ''] = /^([^:]*):(.*)$/s.exec(text) ?? [];
	return readHeaders(name === undefined ? undefined : {[name]: value}, previous);
}

/** A later header replaces an earlier one. */
export function readHeaders(
	object: JsonValue | undefined,
	previous: readonly Header[],
): readonly Header[] {
	if (!isJsonObject(object)) throw new HiddenValueError(form);
	const added = Object.entries(object).map(([name, value]) => checkHeader(name, value));
	const names = added.map(({name}) => name);
	return [...previous.filter(({name}) => !names.includes(name)), ...added];
}

const form = 'must be "Name: value", or in a file {"Name": "value"}';

function checkHeader(written: string, value: JsonValue): Header {
	if (typeof value !== 'string') throw new HiddenValueError(form);
	const name = written.trim().toLowerCase();
	if (!token.test(name)) throw new HiddenValueError(`has a name that is not valid: "${name}"`);
	if (ownHeaders.includes(name)) {
		throw new HiddenValueError(`cannot set ${name}, which chat sets itself`);
	}
	if (headerValue.test(value.trim())) return {name, value: value.trim()};
	throw new HiddenValueError(`needs one line of ASCII characters as the value of ${name}`);
}

/** Reads the header name for the key, or `none`. */
export const parseAuthHeader: Parse<string> = (text) => {
	if (token.test(text) && !ownHeaders.includes(text.toLowerCase())) return text;
	throw new ValueError('must be the name of a header that chat does not set itself, or none');
};
