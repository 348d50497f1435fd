/** Classifies finish reasons, by the words that a wire knows. */
import type {FinishReason} from '../../finish-reason.ts';

type Kind = FinishReason['kind'];

/**
 * Returns a function that reads a finish reason, and keeps a more severe one before it. A word that is
 * not listed is of kind `unknown`. Proxies change case and separators, and add a prefix or a detail.
 *
 * @param words those of each kind, with white space between them
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
		const kind = kinds.get(fold(word)) ?? 'unknown';
		return before !== undefined && severities[kind] < severities[before.kind]
			? before
			: {kind, raw};
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

const severities = {
	unknown: 0,
	stop: 0,
	'tool-calls': 0,
	length: 1,
	filter: 1,
	failed: 2,
} as const satisfies Record<Kind, number>;
