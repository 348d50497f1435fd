/** Ranks the exit codes of a run, and finds their signals. */
import {type ExitCode, exitCodeOfSignal, type InterruptSignal} from './errors.ts';

/** Exit codes that outrank all others, the most severe first. */
const severeCodes: readonly ExitCode[] = [130, 129, 143, 141, 1, 74];

/** Returns the exit code of a run that ends for two reasons; `first` if neither is severe. */
export function moreSevere(first: ExitCode, second: ExitCode): ExitCode {
	const [rank, otherRank] = [severeCodes.indexOf(first), severeCodes.indexOf(second)];
	return otherRank !== -1 && (rank === -1 || otherRank < rank) ? second : first;
}

/** Returns the signal that the process dies by instead of returning this code, if there is one. */
export function signalOf(exitCode: ExitCode): InterruptSignal | undefined {
	for (const [signal, code] of Object.entries(exitCodeOfSignal)) {
		if (code === exitCode) return signal as InterruptSignal;
	}
	return undefined;
}
