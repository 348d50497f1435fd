/**
 * Tool arguments that go into headers, by `x-mcp-header` in the schema. By the protocol, a tool
 * with an invalid one is not called over HTTP; the SDK only checks lists that it reads itself.
 */
import {isJsonObject, type JsonValue} from '../json.ts';

const keyword = 'x-mcp-header';
/** RFC 9110: a token. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const types: ReadonlyArray<JsonValue | undefined> = ['string', 'integer', 'boolean'];

/** @param schema the arguments' schema; its depth is limited */
export function hasInvalidHeader(schema: JsonValue): boolean {
	const names = new Set<string>();
	/** @param place only a chain of `properties` leads to a value that can go into a header */
	const isInvalid = (
		value: JsonValue | undefined,
		place: 'root' | 'property' | 'other',
	): boolean => {
		if (Array.isArray(value)) return value.some((item: JsonValue) => isInvalid(item, 'other'));
		if (!isJsonObject(value)) return false;
		const {[keyword]: name, properties, ...others} = value;
		if (name !== undefined) {
			if (place !== 'property' || typeof name !== 'string' || !token.test(name)) return true;
			if (!types.includes(value['type']) || names.has(name.toLowerCase())) return true;
			names.add(name.toLowerCase());
		}
		const inner = place === 'other' ? 'other' : 'property';
		const below = isJsonObject(properties) ? Object.values(properties) : [];
		return (
			below.some((property) => isInvalid(property, inner)) ||
			Object.entries(others).some(([key, item]) => !data.includes(key) && isInvalid(item, 'other'))
		);
	};
	return isInvalid(schema, 'root');
}

/** Keywords with values, which are not schemas. */
const data: readonly string[] = ['const', 'default', 'enum', 'examples'];
