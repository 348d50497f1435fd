/** Counts a batch's answers, and words its progress and its end. */
import {formatCost} from '../cost.ts';
import type {ExitCode} from '../errors.ts';
import {asNumber, asObject, type JsonObject} from '../json.ts';
import {formatCount, formatDuration, formatSeconds, formatTokens, plural} from '../wording.ts';

export type Tally = {
	/** Lines of the input. */
	readonly total: number;
	/** Lines with an answer from an earlier run. */
	readonly earlier: number;
	/** Lines that this run has answers for, failed ones included. */
	readonly done: number;
	/** Failed answers, of earlier runs too. */
	readonly failed: number;
	/** Incomplete answers, of earlier runs too. */
	readonly cut: number;
	readonly tokens: number;
	/** US dollars; undefined unless some price is known. */
	readonly usd: number | undefined;
	/** The exit code for the answers so far. */
	readonly exitCode: ExitCode;
};

export const emptyTally: Tally = {
	total: 0,
	earlier: 0,
	done: 0,
	failed: 0,
	cut: 0,
	tokens: 0,
	usd: undefined,
	exitCode: 0,
};

/** Counts an earlier answer by its exit code. */
export function addEarlier(tally: Tally, exitCode: number): Tally {
	return {...addCode(tally, exitCode as ExitCode), earlier: tally.earlier + 1};
}

/** @param answer the JSON output */
export function addAnswer(tally: Tally, answer: JsonObject, exitCode: ExitCode): Tally {
	const usd = asNumber(asObject(answer['cost'])?.['usd']);
	return {
		...addCode(tally, exitCode),
		done: tally.done + 1,
		tokens: tally.tokens + countTokens(asObject(answer['total_usage']) ?? {}),
		usd: usd === undefined ? tally.usd : (tally.usd ?? 0) + usd,
	};
}

function addCode(tally: Tally, exitCode: ExitCode): Tally {
	return {
		...tally,
		failed: tally.failed + (exitCode === 0 || exitCode === 79 ? 0 : 1),
		cut: tally.cut + (exitCode === 79 ? 1 : 0),
		exitCode: worse(tally.exitCode, exitCode),
	};
}

/** A failed answer is worse than a cut one; of other codes, the higher one counts. */
function worse(one: ExitCode, other: ExitCode): ExitCode {
	if (one === 79 || one === 0) return other === 0 ? one : other;
	return other === 79 || other < one ? one : other;
}

/** The names in the three conventions. */
function countTokens(usage: JsonObject): number {
	const count = (name: string) => asNumber(usage[name]) ?? 0;
	return count('total_tokens') || count('input_tokens') + count('output_tokens');
}

/** @param heldMs milliseconds until the service accepts requests again */
export function describeProgress(tally: Tally, elapsedMs: number, heldMs: number): string {
	const {total, earlier, done} = tally;
	const left = total - earlier - done;
	const perSecond = elapsedMs > 0 ? (done * 1000) / elapsedMs : 0;
	const isPaced = done > 0 && elapsedMs >= 1000;
	return [
		`${formatCount(earlier + done)}/${formatCount(total)}`,
		...describeFaults(tally),
		...(isPaced ? [`${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s`] : []),
		...(isPaced && left > 0 ? [`${formatDuration((left / perSecond) * 1000)} left`] : []),
		...describeUse(tally),
		...(heldMs > 0 ? [`the service is busy for ${formatDuration(heldMs)}`] : []),
	].join(', ');
}

export function describeEnd(tally: Tally, elapsedMs: number): string {
	const {total, earlier, done} = tally;
	const left = total - earlier - done;
	return [
		`${formatCount(done)} of ${plural(total, 'line')} answered in ${formatSeconds(elapsedMs)}`,
		...(earlier > 0 ? [`${formatCount(earlier)} before`] : []),
		...describeFaults(tally),
		...(left > 0 ? [`${formatCount(left)} left`] : []),
		...describeUse(tally),
	].join(', ');
}

function describeFaults({failed, cut}: Tally): readonly string[] {
	return [
		...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
		...(cut > 0 ? [`${formatCount(cut)} cut off`] : []),
	];
}

function describeUse({tokens, usd}: Tally): readonly string[] {
	return [
		...(tokens > 0 ? [`${formatTokens(tokens)} tokens`] : []),
		...(usd === undefined ? [] : [`about ${formatCost(usd)}`]),
	];
}
