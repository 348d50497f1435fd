/** One process to its end; what a tool may do is tested with tools. */
import {expect, test} from 'vitest';
import {processControl} from '../../src/process-environment.ts';
import {runProcess} from '../../src/processes/run-process.ts';

test('a time limit ends the process where there are no process groups, as on Windows', async () => {
	const processes = {
		...processControl,
		signal: (pid: number, name: NodeJS.Signals | 0) => pid > 0 && processControl.signal(pid, name),
	};
	const plan = {argv: ['sleep', '60'], cwd: '/', variables: {PATH: '/usr/bin:/bin'}, stdin: ''};
	const end = await runProcess({...plan, timeLimitMs: 50, processes});
	expect(end).toMatchObject({stoppedBy: 'time', signal: 'SIGTERM'});
});
