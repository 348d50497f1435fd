/** The program: runs a command and turns whatever fails into lines on stderr and an exit code. */
import {runCli} from './cli/run-cli.ts';
import type {Environment} from './environment.ts';
import {type ExitCode, exitCodeOf, toChatError} from './errors.ts';
import {printError} from './output/print.ts';

/**
 * Runs `chat` with these arguments, without the program's name. All output has left the process
 * when it returns.
 */
export async function main(argv: readonly string[], environment: Environment): Promise<ExitCode> {
	try {
		const exitCode = await runCli(argv, environment);
		await environment.stdout.flush();
		return exitCode;
	} catch (error) {
		const failure = toChatError(error);
		const isVerbose = argv.includes('-v') || argv.includes('--verbose');
		if (failure.kind !== 'closed') printError(failure, isVerbose, environment);
		return exitCodeOf(failure);
	}
}
