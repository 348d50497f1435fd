/**
 * `chat [options] [prompt...]` to the point where it is clear what is wanted. A help text needs none
 * of the code behind it.
 */
import type {Command} from 'commander';
import type {Environment} from '../environment.ts';
import {ChatError, type ExitCode} from '../errors.ts';
import {printText} from '../output/print.ts';
import {createChatProgram} from './chat-program.ts';
import {type ParsedCommand, parseCommand} from './option-flags.ts';

export async function runChatCommand(
	argv: readonly string[],
	environment: Environment,
): Promise<ExitCode> {
	const program = createChatProgram();
	const parsed = parse(program, argv);
	if (!(parsed instanceof ChatError) && parsed.type === 'print') {
		return await printText(parsed.text, environment);
	}
	const misuse = parsed instanceof ChatError ? parsed : undefined;
	const {runChat} = await import('./run-chat.ts');
	return await runChat({argv, program, misuse}, environment);
}

/** What was not understood is told in the output format that the rest of the line asks for. */
function parse(program: Command, argv: readonly string[]): ParsedCommand | ChatError {
	try {
		return parseCommand(program, argv);
	} catch (error) {
		if (error instanceof ChatError) return error;
		throw error;
	}
}
