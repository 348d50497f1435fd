/** Runs a command line. */
import type {Environment} from '../environment.ts';
import type {ExitCode} from '../errors.ts';
import {printText} from '../output/print.ts';
import {version} from '../version.ts';
import {textWidthOf} from '../wording.ts';
import {separateProgram} from './command-line/command.ts';
import type {CommandLine} from './command-line/parse-argv.ts';
import {chat, commands} from './commands.ts';

/** The first argument sent by a completing shell: no ordinary argument list follows. */
const completeWord = '__complete';

export async function runCli(line: CommandLine, environment: Environment): Promise<ExitCode> {
	const {argv, command, verb, words, flags, instead, failure} = line;
	if (argv[0] === completeWord) {
		const {answerShell} = await import('./commands/completion/completion.ts');
		return await answerShell(argv.slice(1), {chat, commands}, environment);
	}
	if (instead === 'version') return await printText(`${version}\n`, environment);
	if (instead === 'choice') {
		const {chooseSession} = await import('./run/saving/browse-sessions.ts');
		const exitCode = await chooseSession(flags, environment);
		if (exitCode !== undefined) return exitCode;
	} else if (instead !== undefined) {
		const {printHelp} = await import('./command-line/help.ts');
		const help = await printHelp(line, {chat, commands}, textWidthOf(environment.stdout));
		return await printText(help, environment);
	}
	// Other commands report failures as text in every output format.
	if (command === chat && flags['edit']?.at(-1) === 'true' && failure === undefined) {
		const {editSession} = await import('./run/chat-file/edit-session.ts');
		return await editSession(line, environment);
	}
	if (command === chat) return await (await import('./run/run-chat.ts')).runChat(line, environment);
	if (failure !== undefined) throw failure;
	if (verb === undefined) throw new Error(`${command.name} needs a verb`);
	return await verb.run({...separateProgram(verb, words), flags, environment});
}

/** Whether `-v` is given, or set in the environment or the config file. */
export async function isVerbose({flags}: CommandLine, environment: Environment): Promise<boolean> {
	// Imported from a chunk nearly every run loads: a chunk of its own would be one more file.
	return (await import('./run/run-chat.ts')).isVerbose(flags, environment);
}
