/** Looks for secrets in what a program showed, also in the forms that services echo them in. */

/** The forms of the secrets that stand in the text. */
export function findSecrets(text: string, secrets: readonly string[]): readonly string[] {
	return secrets.flatMap((secret) => formsOf(secret).filter((form) => text.includes(form)));
}

function formsOf(secret: string): readonly string[] {
	const bytes = Buffer.from(secret);
	const forms = [
		secret,
		...secret.split(/\s+/).filter((line) => line.length > 3),
		JSON.stringify(secret).slice(1, -1),
		encodeURIComponent(secret),
		new URLSearchParams({'': secret}).toString().slice(1),
		bytes.toString('base64').replace(/=+$/, ''),
		bytes.toString('base64url'),
	];
	return [...new Set(forms)];
}
