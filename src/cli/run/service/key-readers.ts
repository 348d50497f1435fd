/** Reads what names a key: a file, or the command of the config file. */
import type {Environment} from '../../../environment.ts';
import {createTextReader} from '../../../input/read-bytes.ts';
import {printWaiting} from '../../../output/print.ts';
import type {KeyReaders} from '../../../settings/service/api-key.ts';

/**
 * @param signal ends the wait for a pipe, and the command
 * @param onWaiting called when there is nothing yet; prints a line by default
 */
export function createKeyReaders(
	environment: Environment,
	signal: AbortSignal,
	onWaiting = (name: string) => printWaiting(name, environment),
): KeyReaders {
	return {
		readText: createTextReader(environment.cwd, signal, onWaiting),
		async runCommand(command) {
			const {runKeyCommand} = await import('./run-key-command.ts');
			return await runKeyCommand(command, {signal, onWaiting}, environment);
		},
	};
}
