/**
 * Keeps secrets out of everything that is shown: keys by their text, URLs by their parts.
 */

import {createFormMask, dropGaps} from './redact-form.ts';

/** Replaces every occurrence of the known secrets in a text. */
export type Redact = (text: string) => string;

/** What stands where a secret stood. */
const mask = '[redacted]';

/** Shorter secrets would redact ordinary words. */
const minSecretLength = 4;

/**
 * Makes a redactor for these secrets, without white space around them, also in their base64 and
 * URL-encoded forms. What looks like a long one counts as one, whatever is invisible inside of it.
 */
export function createRedactor(secrets: ReadonlyArray<string | undefined>): Redact {
	const forms = new Set<string>();
	for (const secret of secrets) {
		const text = secret?.trim() ?? '';
		if (text.length >= minSecretLength) for (const form of formsOf(text)) forms.add(form);
	}
	const longestFirst = [...forms].sort((a, b) => b.length - a.length);
	const masks = longestFirst.map((form) => createFormMask(form, mask));
	return (text) => {
		const joined = dropGaps(text);
		return masks.reduce((result, hide) => hide(result, joined), text);
	};
}

/** A redactor for the keys in the environment, while it is not known which of them is used. */
export function createKeyRedactor(variables: Readonly<Record<string, string | undefined>>): Redact {
	return createRedactor([variables['CHAT_API_KEY'], variables['OPENAI_API_KEY']]);
}

function formsOf(secret: string): readonly string[] {
	const base64 = Buffer.from(secret).toString('base64');
	return [
		secret,
		encodeURIComponent(secret),
		new URLSearchParams([['', secret]]).toString().slice(1),
		// Without the padding, which services leave out at will.
		base64.replace(/=+$/, ''),
		Buffer.from(secret).toString('base64url'),
	];
}

/** As much of a key as tells it from others, as the end of a sentence about it: its last four characters, if it has many more. */
export function describeKey(key: string): string {
	return key.length < 12 ? 'is too short to show its end' : `ends in ${key.slice(-4)}`;
}

const secretParameter = /key|token|secret|password|signature|^sig$|auth/i;

/** The values of query fields that look secret. */
export function secretsOfUrl(url: URL): readonly string[] {
	return [...url.searchParams].flatMap(([name, value]) =>
		secretParameter.test(name) ? [value] : [],
	);
}

/**
 * A URL as it may be shown: no user, no password, no fragment, no values of query fields that look
 * secret.
 */
export function redactUrl(url: URL): string {
	const shown = new URL(url);
	shown.username = '';
	shown.password = '';
	shown.hash = '';
	for (const name of new Set(shown.searchParams.keys())) {
		if (secretParameter.test(name)) shown.searchParams.set(name, mask);
	}
	return shown.href;
}

/** The part of a text that no URL could be read from, without anything before an `@`. */
export function redactUrlText(text: string): string {
	return text.replace(/^(.*?:\/\/)?.*@/s, `$1${mask}@`).replace(/[?#].*$/s, (end) => `${end[0]}…`);
}
