/** Checks all lines before the first request. */
import {detectFormat, type InputFormat} from '../../../batch/parse-line.ts';
import {readInputLines} from '../../../batch/read-input.ts';
import {addEarlier, emptyTally, type Tally} from '../../../batch/tally.ts';
import {ChatError} from '../../../errors.ts';
import {readInput} from '../../../schedule-after-input.ts';
import type {BatchInput} from './open-input.ts';
import type {PrepareLine} from './prepare-line.ts';

export type CheckedInput = {
	readonly format: InputFormat;
	/** Counts the lines, and the answers of earlier runs. */
	readonly tally: Tally;
};

/** After this many lines, signals and timers have their turn. */
const linesAtOnce = 50;

/**
 * @param find returns the exit code of an earlier answer
 * @throws {ChatError} `data` for the first mistake, with its line and field; the signal's reason when
 * aborted
 */
export async function checkLines(
	input: BatchInput,
	prepare: PrepareLine,
	find: (id: string, hash: string) => number | undefined,
	signal: AbortSignal,
): Promise<CheckedInput> {
	const numbers = new Map<string, number>();
	let format: InputFormat | undefined;
	let tally = emptyTally;
	for (const line of readInputLines(input.path, input.name)) {
		format ??= detectFormat(line.text);
		const {id, hash} = await prepare(line, format);
		const other = numbers.get(id);
		if (other !== undefined) {
			const place = `${input.name} line ${line.number}`;
			throw new ChatError('data', `${place}: id ${id} is also that of line ${other}`);
		}
		numbers.set(id, line.number);
		const earlier = find(id, hash);
		if (earlier !== undefined) tally = addEarlier(tally, earlier);
		if (numbers.size % linesAtOnce === 0) await readInput();
		signal.throwIfAborted();
	}
	if (format === undefined) throw new ChatError('data', `${input.name} has no lines`);
	return {format, tally: {...tally, total: numbers.size}};
}
