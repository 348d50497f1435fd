/** The program: runs a command, and turns a failure into lines on stderr and an exit code. */
import type {CommandLine} from './cli/command-line/parse-argv.ts';
import {readLine} from './cli/commands.ts';
import {isVerbose, runCli} from './cli/run-cli.ts';
import type {Environment} from './environment.ts';
import {type ChatError, type ExitCode, exitCodeOf, toChatError} from './errors.ts';
import {moreSevere} from './exit-codes.ts';
import {printError} from './output/print.ts';
import {createProcessEnvironment, endProcess} from './process-environment.ts';

/** Runs `chat` in this process, which ends with its exit code. */
export async function runProgram(argv: readonly string[]): Promise<void> {
	endProcess(await main(argv, createProcessEnvironment()));
}

/**
 * Runs `chat` with these arguments, without the program's name. All output has left the process
 * when it returns.
 */
export async function main(argv: readonly string[], environment: Environment): Promise<ExitCode> {
	const line = await readLine(argv);
	const exitCode = await runCli(line, environment).catch((error) =>
		report(toChatError(error), line, environment),
	);
	return await drain(exitCode, line, environment);
}

/** Prints nothing when the reader of the output is gone. */
async function report(
	failure: ChatError,
	line: CommandLine,
	environment: Environment,
): Promise<ExitCode> {
	if (failure.kind !== 'closed') {
		printError(failure, await isVerbose(line, environment), environment);
	}
	return exitCodeOf(failure);
}

/** Waits until all output is written. A failure to write it may outrank the exit code. */
async function drain(
	exitCode: ExitCode,
	line: CommandLine,
	environment: Environment,
): Promise<ExitCode> {
	let finalCode = exitCode;
	try {
		await environment.stdout.flush();
	} catch (error) {
		const failure = toChatError(error);
		finalCode = moreSevere(exitCode, exitCodeOf(failure));
		if (finalCode !== exitCode) await report(failure, line, environment);
	}
	await environment.stderr.flush().catch(() => undefined);
	return finalCode;
}
