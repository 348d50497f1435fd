/**
 * Keeps secrets out of everything that is shown: keys by their text, URLs by their parts.
 */

/** Replaces every occurrence of the known secrets in a text. */
export type Redact = (text: string) => string;

/** What stands where a secret stood. */
const mask = '[redacted]';

/** Where a text was shortened. */
const ellipsis = '…';

/** Shorter secrets would redact ordinary words. */
const minSecretLength = 4;

/**
 * Makes a redactor for these secrets, without white space around them, also in their base64 and
 * URL-encoded forms.
 */
export function createRedactor(secrets: ReadonlyArray<string | undefined>): Redact {
	const forms = new Set<string>();
	for (const secret of secrets) {
		const text = secret?.trim() ?? '';
		if (text.length >= minSecretLength) for (const form of formsOf(text)) forms.add(form);
	}
	const hides = [...forms].sort((a, b) => b.length - a.length).map(hideForm);
	return (text) => hides.reduce((result, hide) => hide(result), text);
}

/** Hides one form of a secret. */
function hideForm(form: string): Redact {
	let extend: ExtendMatch | undefined;
	return (text) => {
		const result = text.replaceAll(form, mask);
		if (!result.includes(ellipsis)) return result;
		extend ??= createMatcher(form);
		return maskCut(result, extend);
	};
}

/** A text that was shortened may end in the middle of a secret. */
function maskCut(text: string, extend: ExtendMatch): string {
	let result = '';
	let kept = 0;
	let matched = 0;
	for (let at = 0; at < text.length; at++) {
		const character = text.charAt(at);
		if (character === ellipsis && matched >= minSecretLength) {
			result += `${text.slice(kept, at - matched)}${mask}`;
			kept = at;
		}
		matched = extend(matched, character);
	}
	return result + text.slice(kept);
}

/** From how much of a secret stood before a character to how much stands behind it. */
type ExtendMatch = (matched: number, character: string) => number;

/** The search of Knuth, Morris and Pratt: linear, even for a secret that repeats itself. */
function createMatcher(form: string): ExtendMatch {
	/** For each length of a beginning of the form, that of the next shorter one that it ends in. */
	const shorter = new Uint32Array(form.length + 1);
	const extend: ExtendMatch = (before, character) => {
		let matched = before;
		while (matched > 0 && form[matched] !== character) matched = shorter[matched] ?? 0;
		return form[matched] === character ? matched + 1 : 0;
	};
	for (let length = 1; length < form.length; length++) {
		shorter[length + 1] = extend(shorter[length] ?? 0, form.charAt(length));
	}
	return extend;
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

/** As much of a key as tells it from others: its last four characters, if it has many more. */
export function describeKey(key: string): string {
	return key.length < 12 ? 'too short to show its end' : `ends in ${key.slice(-4)}`;
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
