/** Approves what servers offer, as their user does before anything runs unattended. */
import {type RunOptions, runChat} from './run-chat.ts';

/** @param names of servers in the `mcp.json` of the home folder, or paths of files */
export async function approveServers(
	options: Pick<RunOptions, 'home' | 'variables' | 'platform' | 'cwd'>,
	...names: readonly string[]
): Promise<void> {
	for (const name of names) {
		const {stderr, exitCode} = await runChat(['mcp', 'refresh', name, '--yes'], options);
		if (exitCode !== 0) throw new Error(`${name} could not be approved: ${stderr}`);
	}
}
