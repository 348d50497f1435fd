/** Reports a batch on stderr: a line that changes on a terminal, a line a minute elsewhere. */
import {describeProgress, type Tally} from '../../../batch/tally.ts';
import type {Environment} from '../../../environment.ts';
import {printInfo} from '../../../output/print.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {decidePlain} from '../../../terminal/capabilities.ts';
import {createStatusLine} from '../../run/service/show-progress.ts';

export type BatchProgress = {
	/** Prints a line of its own. */
	print(message: string): void;
	/** May be called more than once. */
	end(): void;
};

const frameMs = 200;
const lineMs = 60_000;

/**
 * @param tally returns the counts so far
 * @param heldMs returns the milliseconds until the service accepts requests again
 */
export function startProgress(
	tally: () => Tally,
	heldMs: () => number,
	{quiet, verbose, plain}: Pick<Settings, 'quiet' | 'verbose' | 'plain'>,
	environment: Environment,
): BatchProgress {
	const {stderr, variables} = environment;
	const startedAt = environment.now();
	const describe = () => describeProgress(tally(), environment.now() - startedAt, heldMs());
	const line = createStatusLine(environment);
	const isDrawn = stderr.isTerminal && !verbose && !decidePlain(plain, variables);
	const show = isDrawn
		? () => line.show(`chat: ${describe()}`)
		: () => printInfo(describe(), environment);
	const timer = quiet ? undefined : setInterval(show, isDrawn ? frameMs : lineMs);
	return {
		print(message) {
			line.end();
			printInfo(message, environment);
		},
		end() {
			clearInterval(timer);
			line.end();
		},
	};
}
