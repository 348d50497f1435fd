/** Questions of a server with fields of all kinds. */
import type {Elicitation, ElicitedField, ElicitedKind} from '../../src/chat/elicitation.ts';
import type {JsonValue} from '../../src/json.ts';

export const kinds = {
	text: {type: 'text'},
	number: {type: 'number'},
	boolean: {type: 'boolean'},
	choice: {
		type: 'choice',
		isMultiple: false,
		choices: ['red', 'green', 'blue'].map((value) => ({value, title: value})),
	},
} as const satisfies Readonly<Record<string, ElicitedKind>>;

export const colours = {...kinds.choice, isMultiple: true} as const satisfies ElicitedKind;

/** A field that checks numbers only; the rules of a schema are tested with `readElicitation`. */
export function fieldOf(
	name: string,
	kind: ElicitedKind = kinds.text,
	more: Partial<ElicitedField> = {},
): ElicitedField {
	const isNumber = kind.type === 'number';
	return {
		name,
		title: name,
		description: undefined,
		isRequired: false,
		defaultValue: undefined,
		kind,
		rules: isNumber ? ['a number'] : [],
		check: (value) => (isNumber && typeof value !== 'number' ? 'Expected a number.' : undefined),
		...more,
	};
}

export function required(name: string, kind: ElicitedKind = kinds.text): ElicitedField {
	return fieldOf(name, kind, {isRequired: true});
}

export function suggested(name: string, kind: ElicitedKind, defaultValue: JsonValue) {
	return fieldOf(name, kind, {defaultValue});
}

export function formOf(...fields: readonly ElicitedField[]): Elicitation {
	return {server: 'github', message: 'Tell me about it.', calls: [], type: 'form', fields};
}

export function pageOf(address: string, message = 'Please log in.'): Elicitation {
	return {server: 'github', message, calls: [], type: 'url', url: new URL(address)};
}
