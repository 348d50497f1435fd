/** Classifies finish reasons, by the words that a wire knows. */
import type {FinishReason} from '../../finish-reason.ts';

/** The words of the services of a convention, in any case and with any separators. */
export type FinishWords = Partial<Record<FinishReason['kind'], readonly string[]>>;

/**
 * Returns a function that reads a finish reason, and keeps a more severe one before it. A word that is
 * not listed is of kind `unknown`. Proxies change case and separators, and add a prefix or a detail.
 */
export function createFinishReader(
	words: FinishWords,
): (raw: string, before?: FinishReason) => FinishReason {
	const kinds = new Map(
		Object.entries(words).flatMap(([kind, list]) =>
			list.map((word) => [fold(word), kind as FinishReason['kind']]),
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
} as const satisfies Record<FinishReason['kind'], number>;
