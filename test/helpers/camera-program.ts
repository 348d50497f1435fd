/** `chat` with a camera as its only source of tools. It logs to `camera.log` in the current folder. */
import {appendFileSync} from 'node:fs';
import {readLine} from '../../src/cli/commands.ts';
import {runChat} from '../../src/cli/run/run-chat.ts';
import {createProcessEnvironment, endProcess} from '../../src/process-environment.ts';
import {openCamera} from './camera-source.ts';

const environment = createProcessEnvironment();
const openSource = async () => ({
	tools: openCamera((line) => appendFileSync('camera.log', `${line}\n`)),
});
const exitCode = await runChat(await readLine(process.argv.slice(2)), environment, [openSource]);
await environment.stdout.flush();
endProcess(exitCode);
