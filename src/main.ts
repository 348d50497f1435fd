/** The program: runs a command and turns whatever fails into lines on stderr and an exit code. */
import {runCli} from './cli/run-cli.ts';
import type {Environment} from './environment.ts';
import {type ChatError, type ExitCode, exitCodeOf, graverOf, toChatError} from './errors.ts';
import {printError} from './output/print.ts';

/**
 * Runs `chat` with these arguments, without the program's name. All output has left the process
 * when it returns.
 */
export async function main(argv: readonly string[], environment: Environment): Promise<ExitCode> {
	const exitCode = await runCli(argv, environment).catch((error) =>
		report(toChatError(error), argv, environment),
	);
	return await drain(exitCode, argv, environment);
}

/** Nobody is left to be told that the reader of the output is gone. */
function report(failure: ChatError, argv: readonly string[], environment: Environment): ExitCode {
	const isVerbose = argv.includes('-v') || argv.includes('--verbose');
	if (failure.kind !== 'closed') printError(failure, isVerbose, environment);
	return exitCodeOf(failure);
}

/** Waits for what is still to be written; that it cannot be written may outweigh all else. */
async function drain(
	exitCode: ExitCode,
	argv: readonly string[],
	environment: Environment,
): Promise<ExitCode> {
	let finalCode = exitCode;
	try {
		await environment.stdout.flush();
	} catch (error) {
		const failure = toChatError(error);
		finalCode = graverOf(exitCode, exitCodeOf(failure));
		if (finalCode !== exitCode) report(failure, argv, environment);
	}
	await environment.stderr.flush().catch(() => undefined);
	return finalCode;
}
