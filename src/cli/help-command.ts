/** `chat help [topic]`: what the topic's own `--help` prints. */
import type {Environment} from '../environment.ts';
import type {ExitCode} from '../errors.ts';
import {runChatCommand} from './chat-command.ts';
import type {helpTopics} from './resolve-command.ts';

type RunCommand = (argv: readonly string[], environment: Environment) => Promise<ExitCode>;

const topics: Readonly<Record<(typeof helpTopics)[number], () => Promise<RunCommand>>> = {
	chat: async () => runChatCommand,
	serve: async () => (await import('./serve-command.ts')).runServeCommand,
	config: async () => (await import('./config/config-command.ts')).runConfigCommand,
	auth: async () => (await import('./auth-command.ts')).runAuthCommand,
};

/** @param argv a topic, or nothing */
export async function runHelpCommand(
	[topic]: readonly string[],
	environment: Environment,
): Promise<ExitCode> {
	const [, load] = Object.entries(topics).find(([name]) => name === topic) ?? ['', topics.chat];
	const run = await load();
	return await run(['--help'], environment);
}
