/** `chat help [topic]`: what the topic's own `--help` prints. */
import type {Environment} from '../environment.ts';
import type {ExitCode} from '../errors.ts';
import {runChatCommand} from './chat-command.ts';

export async function runHelpCommand(
	[topic]: readonly string[],
	environment: Environment,
): Promise<ExitCode> {
	if (topic === 'serve') {
		const {runServeCommand} = await import('./serve-command.ts');
		return await runServeCommand(['--help'], environment);
	}
	return await runChatCommand(['--help'], environment);
}
