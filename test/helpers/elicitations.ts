/** Questions of a server with fields of all kinds. */
import type {Elicitation, ElicitedField, ElicitedKind} from '../../src/chat/elicitation.ts';
import type {JsonValue} from '../../src/json.ts';

type Kinds = {
	readonly [Type in ElicitedKind['type']]: Extract<ElicitedKind, {readonly type: Type}>;
};

export const kinds: Kinds = {
	text: {type: 'text', minLength: undefined, maxLength: undefined, format: undefined},
	number: {type: 'number', isInteger: false, minimum: undefined, maximum: undefined},
	boolean: {type: 'boolean'},
	choice: {
		type: 'choice',
		isMultiple: false,
		choices: ['red', 'green', 'blue'].map((value) => ({value, title: value})),
		minItems: undefined,
		maxItems: undefined,
	},
};

export const colours: ElicitedKind = {...kinds.choice, isMultiple: true};

export function fieldOf(
	name: string,
	kind: ElicitedKind = kinds.text,
	more: Partial<ElicitedField> = {},
): ElicitedField {
	return {
		name,
		title: name,
		description: undefined,
		isRequired: false,
		defaultValue: undefined,
		kind,
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
	return {server: 'github', message: 'Tell me about it.', type: 'form', fields};
}

export function pageOf(address: string, message = 'Please log in.'): Elicitation {
	return {server: 'github', message, type: 'url', url: new URL(address)};
}
