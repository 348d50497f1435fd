/** `chat config edit`: the file in an editor, and then checked. */
import type {Environment} from '../../environment.ts';
import {ChatError, type ExitCode} from '../../errors.ts';
import {printNotice} from '../../output/print.ts';
import {readConfig, selectLayers} from '../../settings/files/config-file.ts';
import {createConfig} from '../../settings/files/update-config.ts';
import {mergeSettings} from '../../settings/options/merge.ts';
import {describeUnknownKey, findUnknownKeys} from '../../settings/options/unknown-keys.ts';
import {findEditor} from '../editor-command.ts';

/**
 * @throws {ChatError} `config` when the editor does not start or fails, or when the file is wrong
 * afterwards; it stays as it was left
 */
export async function editConfig(path: string, environment: Environment): Promise<ExitCode> {
	const editor = findEditor(environment);
	await createConfig(path);
	const exitCode = await runEditor(editor, path, environment);
	checkConfig(path, environment);
	if (exitCode === 0) return 0;
	throw new ChatError('config', `the editor ${editor[0]} failed (exit code ${exitCode})`);
}

async function runEditor(
	editor: readonly string[],
	path: string,
	environment: Environment,
): Promise<number> {
	try {
		return await environment.runProgram([...editor, path]);
	} catch (cause) {
		const {code} = cause as NodeJS.ErrnoException;
		throw new ChatError('config', `cannot start the editor ${editor[0]} (${code})`, {
			hint: `Set VISUAL or EDITOR to another one, or edit ${path} yourself.`,
			cause,
		});
	}
}

/** All of it, including the profiles that no run names now. */
function checkConfig(path: string, environment: Environment): void {
	const config = readConfig(path, environment.platform);
	const base = selectLayers(config, undefined);
	mergeSettings({}, {}, base);
	const profiles = Object.keys(config.profiles).flatMap((name) => {
		const layers = selectLayers(config, {name, isFromFlag: false});
		mergeSettings({}, {}, layers);
		return layers.slice(base.length);
	});
	for (const unknown of findUnknownKeys([...base, ...profiles])) {
		const message = describeUnknownKey(unknown);
		printNotice({code: 'settings-file', message}, environment);
	}
}
