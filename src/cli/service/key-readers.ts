/** Reads what names a key: a file, or the command of the config file. */
import type {Environment} from '../../environment.ts';
import {createTextReader} from '../../input/read-bytes.ts';
import type {KeyReaders} from '../../settings/service/api-key.ts';

/** @param signal ends the wait for a pipe, and the command */
export function createKeyReaders(environment: Environment, signal: AbortSignal): KeyReaders {
	return {
		readText: createTextReader(environment.cwd, signal),
		async runCommand(command) {
			const {runKeyCommand} = await import('./run-key-command.ts');
			return await runKeyCommand(command, signal, environment);
		},
	};
}
