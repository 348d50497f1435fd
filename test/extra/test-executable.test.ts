import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {builtProgram} from '../helpers/built-program.ts';

const run = promisify(execFile);

test('the checks of single executables pass with the built program', async () => {
	const command = ['scripts/test-executable.js', process.execPath, builtProgram];
	const {stdout} = await run(process.execPath, command);
	expect(stdout).toContain('runs a session on a terminal, with coloured code');
});
