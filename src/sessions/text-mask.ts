/** Masks a text wherever it is in others. */
import {escapeForJson, escapeUnit} from '../json.ts';

export interface TextMask {
	/** Returns a text of the same length. */
	apply(text: string): string;
	/** Masks what cannot be read as a record, in place. */
	applyToBytes(bytes: Buffer): void;
	/** How many places were masked so far. */
	count(): number;
}

/** Finds the text as it is, and in JSON inside a text, such as the arguments of a tool call. */
export function createTextMask(text: string): TextMask {
	const inJson = escapedForms(text);
	const forms = longestFirst([text, ...inJson, ...inJson.map(escapeForJson)]);
	const byteForms = longestFirst([...forms, ...forms.map(escapeForJson)]).map((form) =>
		Buffer.from(form),
	);
	let count = 0;
	return {
		apply: (given) =>
			forms.reduce((masked, form) => {
				const pieces = masked.split(form);
				count += pieces.length - 1;
				return pieces.join('*'.repeat(form.length));
			}, given),
		applyToBytes(bytes) {
			for (const form of byteForms) {
				for (let at = bytes.indexOf(form); at !== -1; ) {
					const end = at + form.length;
					bytes.fill('*', at, end);
					count += 1;
					at = bytes.indexOf(form, end);
				}
			}
		},
		count: () => count,
	};
}

function longestFirst(forms: readonly string[]): readonly string[] {
	return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** Some writers of JSON escape every slash, some all that is not ASCII. */
function escapedForms(text: string): readonly string[] {
	const plain = escapeForJson(text);
	const slashes = [plain, plain.replaceAll('/', '\\/')];
	const ascii = slashes.map((form) => form.replace(/[^\0-\x7f]/g, escapeUnit));
	const upperCase = ascii.map((form) =>
		form.replace(/\\u[0-9a-f]{4}/g, (unit) => `\\u${unit.slice(2).toUpperCase()}`),
	);
	return [...slashes, ...ascii, ...upperCase];
}
