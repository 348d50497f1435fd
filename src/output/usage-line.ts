/** Tokens and time of a turn in one line. Says only what the service reported. */

import {type SafeText, stripUnsafe} from '../terminal/safe-text.ts';
import type {TurnResult} from './turn-result.ts';

export function formatUsage(result: TurnResult): SafeText {
	const {totalUsage: usage, steps, firstTokenMs, totalMs} = result;
	const counts = [
		countOf(usage?.promptTokens, 'tokens in'),
		countOf(usage?.completionTokens, 'out'),
		countOf(usage?.reasoningTokens, 'of them reasoning'),
		countOf(usage?.totalTokens, 'total'),
	].filter((text) => text !== undefined);
	const tokens = counts.length === 0 ? ['no token counts reported'] : counts;
	const first = firstTokenMs === null ? [] : [`first token after ${seconds(firstTokenMs)}`];
	const requests = steps > 1 ? [`${steps} requests`] : [];
	const total = `${seconds(totalMs)} total`;
	return stripUnsafe(`chat: ${[...tokens, ...requests, ...first, total].join(', ')}\n`);
}

function countOf(count: number | undefined, what: string): string | undefined {
	return count === undefined ? undefined : `${count} ${what}`;
}

function seconds(milliseconds: number): string {
	return `${(milliseconds / 1000).toFixed(2)} s`;
}
