/** Runs the whole program with the prompt `p` against a service that sends one reply. */
import type {ReplayReply} from './replay-reply.ts';
import {type RunOptions, type RunResult, runChat} from './run-chat.ts';
import {startRecording} from './start-service.ts';

/** Without retries. */
export async function runAgainst(
	reply: ReplayReply,
	flags: readonly string[],
	options: RunOptions = {},
): Promise<RunResult & {readonly service: string}> {
	const {variables} = await startRecording(reply);
	const all = {...variables, ...options.variables};
	const run = await runChat(['--max-retries', '0', ...flags, 'p'], {...options, variables: all});
	return {...run, service: variables.CHAT_BASE_URL};
}
