/**
 * Text that a person is shown and that may hold a secret. What the sanitizer takes out may have
 * stood in the middle of it, so the secrets are looked for again in what is left.
 */
import type {Redact} from '../redact.ts';
import {type SafeText, stripToLine, stripUnsafe} from './safe-text.ts';

/** `stripUnsafe` without the secrets. */
export function stripSecrets(text: string, redact: Redact): SafeText {
	const hidden = redact(text);
	const shown = stripUnsafe(hidden);
	return shown === hidden ? shown : stripUnsafe(redact(shown));
}

/** `stripToLine` without the secrets. */
export function stripSecretsToLine(text: string, redact: Redact): SafeText {
	return stripToLine(redact(stripToLine(redact(text))));
}
