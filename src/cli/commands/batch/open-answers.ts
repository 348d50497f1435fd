/** Opens where the answers go: a file that remembers them, or stdout. */
import {existsSync, statSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import {type EarlierAnswers, type OutputFile, readOutputFile} from '../../../batch/output-file.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {withLock} from '../../../files/lock-file.ts';
import {cannotWrite, makeFolders} from '../../../files/private-files.ts';
import {printExact, printWaiting} from '../../../output/print.ts';
import {quoteWord} from '../../../wording.ts';
import type {BatchInput} from './open-input.ts';

export type Answers = Pick<EarlierAnswers, 'find'> & {
	/** Whether the next run can continue. */
	readonly isFile: boolean;
	/** Called once, before `append` and `close`. */
	open(): void;
	/** @param line without its end */
	append(line: string): Promise<unknown>;
	close(): void;
};

/**
 * @param output undefined or `-` for stdout
 * @throws {ChatError} `usage` for the input itself; as `readOutputFile` does
 */
export function openAnswers(
	output: string | undefined,
	input: BatchInput,
	isFailedRetried: boolean,
	environment: Environment,
): Answers {
	if (output === undefined || output === '-') {
		return {
			isFile: false,
			find: () => undefined,
			open() {},
			append: (line) => printExact(line, environment),
			close() {},
		};
	}
	const path = resolve(environment.cwd, output);
	if (isSame(path, input.path)) {
		throw new ChatError('usage', `${output} is the input`, {
			hint: `Name another file for the answers: chat batch ${quoteWord(output)} -o answers.jsonl`,
		});
	}
	const draft = isFailedRetried ? `${path}.${environment.createId()}` : undefined;
	const earlier = readOutputFile(path, output, draft);
	let file: OutputFile | undefined;
	return {
		isFile: true,
		find: earlier.find,
		open() {
			file = earlier.open();
		},
		append: async (line) => file?.append(`${line}\n`),
		close: () => file?.close(),
	};
}

/**
 * Lets one run at a time write the file.
 *
 * @throws {ChatError} `create` if another run keeps writing it
 */
export async function withOutputLock<Result>(
	output: string | undefined,
	signal: AbortSignal,
	environment: Environment,
	work: () => Promise<Result>,
): Promise<Result> {
	if (output === undefined || output === '-') return await work();
	const path = resolve(environment.cwd, output);
	const stats = statSync(path, {throwIfNoEntry: false});
	if (stats !== undefined && !stats.isFile()) return await work();
	const lock = `${path}.lock`;
	if (existsSync(lock)) printWaiting(`another run to leave ${output}`, environment);
	try {
		makeFolders(dirname(path));
		return await withLock(lock, work, {patienceMs, signal});
	} catch (error) {
		throw error instanceof ChatError ? error : cannotWrite(output, error);
	}
}

/** A run that was killed leaves its lock. */
const patienceMs = 1000;

function isSame(path: string, other: string): boolean {
	try {
		const [one, two] = [statSync(path), statSync(other)];
		return one.ino === two.ino && one.dev === two.dev;
	} catch {
		return false;
	}
}
