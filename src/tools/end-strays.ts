/**
 * Ends what a tool has left behind outside of its group. A process may leave its group and its
 * parent, but it still has the variables it was started with, and one of them names the run.
 * Needs `/proc`, which Linux has; elsewhere it finds nothing.
 */
import {readdir, readFile} from 'node:fs/promises';
import {signalProcess} from '../environment.ts';

/** The variable that marks the processes of one run. */
export const markName = 'CHAT_TOOL_RUN';

/** One that is killed may just have started another. */
const maxRounds = 5;

export async function endStrays(mark: string): Promise<void> {
	for (let round = 0; round < maxRounds; round += 1) {
		const strays = await findStrays(mark);
		if (strays.length === 0) return;
		for (const pid of strays) signalProcess(pid, 'SIGKILL');
	}
}

async function findStrays(mark: string): Promise<readonly number[]> {
	const names = await readdir('/proc').catch(() => []);
	const wanted = `${markName}=${mark}`;
	const found = await Promise.all(
		names
			.filter((name) => /^\d+$/.test(name))
			.map(async (name) => {
				const variables = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '');
				return variables.split('\0').includes(wanted) ? [Number(name)] : [];
			}),
	);
	return found.flat();
}
