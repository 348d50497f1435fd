/**
 * Keeps secrets out of everything that is shown: keys by their text, URLs by their parts.
 */

/** Replaces every occurrence of the known secrets in a text. */
export type Redact = (text: string) => string;

/** What stands where a secret stood. */
const mask = '[redacted]';

/** Shorter secrets would redact ordinary words. */
const minSecretLength = 4;

/** Makes a redactor for these secrets, also in their base64 and URL-encoded forms. */
export function createRedactor(secrets: ReadonlyArray<string | undefined>): Redact {
	const forms = new Set<string>();
	for (const secret of secrets) {
		if (secret === undefined || secret.length < minSecretLength) continue;
		forms.add(secret);
		forms.add(encodeURIComponent(secret));
		forms.add(Buffer.from(secret).toString('base64'));
		forms.add(Buffer.from(secret).toString('base64url'));
	}
	const longestFirst = [...forms].sort((a, b) => b.length - a.length);
	return (text) => longestFirst.reduce((result, form) => result.replaceAll(form, mask), text);
}

const secretParameter = /key|token|secret|password|signature|^sig$|auth/i;

/** A URL as it may be shown: no user, no password, no values of query fields that look secret. */
export function redactUrl(url: URL): string {
	const shown = new URL(url);
	shown.username = '';
	shown.password = '';
	for (const name of new Set(shown.searchParams.keys())) {
		if (secretParameter.test(name)) shown.searchParams.set(name, mask);
	}
	return shown.href;
}

/** The part of a text that no URL could be read from, without anything before an `@`. */
export function redactUrlText(text: string): string {
	return text.replace(/^(.*?:\/\/)?.*@/s, `$1${mask}@`).replace(/\?.*$/s, '?…');
}
