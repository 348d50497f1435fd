/** Argument list to command. Each command is a chunk of its own, loaded when it is used. */
import type {Environment} from '../environment.ts';
import type {ExitCode} from '../errors.ts';
import {runChatCommand} from './chat-command.ts';
import {takesValue} from './option-flags.ts';
import {type CommandWord, resolveCommand} from './resolve-command.ts';

type RunCommand = (argv: readonly string[], environment: Environment) => Promise<ExitCode>;

const commands: Readonly<Record<CommandWord, () => Promise<RunCommand>>> = {
	chat: async () => runChatCommand,
	serve: async () => (await import('./serve-command.ts')).runServeCommand,
	config: async () => (await import('./config/config-command.ts')).runConfigCommand,
	auth: async () => (await import('./auth-command.ts')).runAuthCommand,
	help: async () => (await import('./help-command.ts')).runHelpCommand,
};

export async function runCli(argv: readonly string[], environment: Environment): Promise<ExitCode> {
	const resolved = resolveCommand(argv, takesValue);
	const run = await commands[resolved.command]();
	return await run(resolved.argv, environment);
}
