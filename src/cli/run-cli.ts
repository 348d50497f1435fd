/** Runs the command of a command line. Each command is a chunk of its own, loaded when it is used. */
import type {Environment} from '../environment.ts';
import type {ExitCode} from '../errors.ts';
import {printText} from '../output/print.ts';
import {version} from '../version.ts';
import {textWidthOf} from '../wording.ts';
import type {CommandName} from './command-line/command-flags.ts';
import type {CommandLine} from './command-line/parse-argv.ts';

type RunCommand = (line: CommandLine, environment: Environment) => Promise<ExitCode>;

const commands: Readonly<Record<CommandName, () => Promise<RunCommand>>> = {
	chat: async () => (await import('./run/run-chat.ts')).runChat,
	serve: async () => (await import('./commands/serve-command.ts')).runServeCommand,
	config: async () => (await import('./commands/config/config-command.ts')).runConfigCommand,
	auth: async () => (await import('./commands/auth/auth-command.ts')).runAuthCommand,
	setup: async () => (await import('./commands/setup/setup-command.ts')).runSetupCommand,
	models: async () => (await import('./commands/models/models-command.ts')).runModelsCommand,
	sessions: async () =>
		(await import('./commands/sessions/sessions-command.ts')).runSessionsCommand,
	doctor: async () => (await import('./commands/doctor/doctor-command.ts')).runDoctorCommand,
	completion: async () =>
		(await import('./commands/completion/completion-command.ts')).runCompletionCommand,
	mcp: async () => (await import('./commands/mcp/mcp-command.ts')).runMcpCommand,
	templates: async () =>
		(await import('./commands/templates/templates-command.ts')).runTemplatesCommand,
};

export async function runCli(line: CommandLine, environment: Environment): Promise<ExitCode> {
	const {command, print, asksForSession, failure} = line;
	if (print === 'version') return await printText(`${version}\n`, environment);
	if (print !== undefined) {
		const {fullHelp, helpOf} = await import('./command-line/help.ts');
		const width = textWidthOf(environment.stdout);
		const text = print === 'help' ? helpOf(command, width) : fullHelp(width);
		return await printText(text, environment);
	}
	if (asksForSession) {
		const {chooseSession} = await import('./run/saving/browse-sessions.ts');
		const exitCode = await chooseSession(line, environment);
		if (exitCode !== undefined) return exitCode;
	}
	// Only `chat` reports its failures in the output format.
	if (failure !== undefined && command !== 'chat') throw failure;
	const run = await commands[command]();
	return await run(line, environment);
}

/** Whether `-v` is given, or set in the environment or the config file. */
export async function isVerbose({flags}: CommandLine, environment: Environment): Promise<boolean> {
	// Imported from a chunk that nearly every run has: one of its own would be one file more.
	return (await import('./run/run-chat.ts')).isVerbose(flags, environment);
}
