/** Runs the command of a command line. */
import type {Environment} from '../environment.ts';
import type {ExitCode} from '../errors.ts';
import {printText} from '../output/print.ts';
import {version} from '../version.ts';
import {textWidthOf} from '../wording.ts';
import type {CommandLine} from './command-line/parse-argv.ts';
import {splitArguments} from './command-line/usage-errors.ts';
import {chat, commands} from './commands.ts';

/** The first argument of a shell that asks for completions: what follows is not a list of arguments. */
const completeWord = '__complete';

export async function runCli(line: CommandLine, environment: Environment): Promise<ExitCode> {
	const {argv, command, verb, words, flags, print, asksForSession, failure} = line;
	if (argv[0] === completeWord) {
		const {answerShell} = await import('./commands/completion/completion.ts');
		return await answerShell(argv.slice(1), {chat, commands}, environment);
	}
	if (print === 'version') return await printText(`${version}\n`, environment);
	if (print !== undefined) return await printText(await helpFor(line, environment), environment);
	if (asksForSession) {
		const {chooseSession} = await import('./run/saving/browse-sessions.ts');
		const exitCode = await chooseSession(flags, environment);
		if (exitCode !== undefined) return exitCode;
	}
	// Only `chat` reports its failures in the output format.
	if (command === chat) return await (await import('./run/run-chat.ts')).runChat(line, environment);
	if (failure !== undefined) throw failure;
	if (verb === undefined) throw new Error(`${command.name} needs a verb`);
	const {isProgram} = splitArguments(verb);
	const textsOf = (isOfProgram: boolean) =>
		words.filter(({isLiteral}) => (isProgram && isLiteral) === isOfProgram).map(({text}) => text);
	return await verb.run({words: textsOf(false), program: textsOf(true), flags, environment});
}

async function helpFor(
	{command, verb, isVerbGiven, print}: CommandLine,
	{stdout}: Environment,
): Promise<string> {
	const help = await import('./command-line/help.ts');
	const width = textWidthOf(stdout);
	if (print === 'full-help') return await help.fullHelp(chat, commands, width);
	return command === chat
		? help.chatHelp(chat, commands, width)
		: help.helpOf(command, isVerbGiven ? verb : undefined, width);
}

/** Whether `-v` is given, or set in the environment or the config file. */
export async function isVerbose({flags}: CommandLine, environment: Environment): Promise<boolean> {
	// Imported from a chunk that nearly every run has: one of its own would be one file more.
	return (await import('./run/run-chat.ts')).isVerbose(flags, environment);
}
