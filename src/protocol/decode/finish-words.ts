/** Classifies finish reasons by the wire's vocabulary. */
import {type FinishReason, isCutReason} from '../../finish-reason.ts';

type Kind = FinishReason['kind'];

/**
 * Returns a function that reads a finish reason, keeping an earlier one if it is more severe. Other
 * words are of kind `unknown`, or `failed` if they name an error. Proxies change case and
 * separators, and add a prefix or a detail.
 *
 * @param words words of each kind, separated by white space
 */
export function createFinishReader(
	words: Partial<Record<Kind, string>>,
): (raw: string, before?: FinishReason) => FinishReason {
	const kinds = new Map(
		Object.entries(words).flatMap(([kind, list]) =>
			list.split(/\s+/).map((word) => [fold(word), kind as Kind]),
		),
	);
	return (raw, before) => {
		const [word = ''] = raw.split(':', 1);
		const folded = fold(word);
		// Gateways pass on the type of an error: `overloaded_error`.
		const kind = kinds.get(folded) ?? (folded.endsWith('error') ? 'failed' : 'unknown');
		const isMilder = before !== undefined && severityOf(kind) < severityOf(before.kind);
		return isMilder ? before : {kind, raw};
	};
}

/** Turns `FINISH_REASON_MAX_TOKENS` and `maxTokens` into `maxtokens`. */
function fold(word: string): string {
	return word
		.slice(0, 100)
		.toLowerCase()
		.replace(/[_\-\s]/g, '')
		.replace(/^finishreason/, '');
}

function severityOf(kind: Kind): number {
	return kind === 'failed' ? 2 : Number(isCutReason({kind, raw: null}));
}
