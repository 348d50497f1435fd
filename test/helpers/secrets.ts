/** Finds secrets in the output of a program, also in the encodings in which services echo them. */

/** Finds the forms of the secrets that occur in the text. */
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
		encodeURIComponent(secret).toLowerCase(),
		secret.replaceAll('/', '\\/'),
		new URLSearchParams({'': secret}).toString().slice(1),
		bytes.toString('base64').replace(/=+$/, ''),
		bytes.toString('base64url'),
		// Its base64 form after one byte, and after two.
		Buffer.from(`a${secret}`).toString('base64').slice(2, -4),
		Buffer.from(`aa${secret}`).toString('base64').slice(3, -4),
	];
	return [...new Set(forms)].filter(({length}) => length > 3);
}
