/** `chat config edit`: opens the file in an editor, and checks it afterwards. */
import type {Environment} from '../../../environment.ts';
import {type ExitCode, toChatError} from '../../../errors.ts';
import {printInfo} from '../../../output/print.ts';
import {createConfig} from '../../../settings/files/update-config.ts';
import {checkConfig} from '../../../settings/options/load-settings.ts';
import {describeWarning} from '../../../settings/options/unknown-keys.ts';
import {findEditor, runEditor} from '../../run/run-editor.ts';

/** @throws {ChatError} `config` when the editor fails, or the file then has a mistake */
export async function editConfig(path: string, environment: Environment): Promise<ExitCode> {
	// Before the file is made.
	findEditor(environment);
	await createConfig(path);
	const failure = await runEditor(path, environment).then(() => undefined, toChatError);
	try {
		for (const warning of checkConfig(path, environment.platform))
			printInfo(describeWarning(warning), environment);
	} catch (mistake) {
		if (failure !== undefined) printInfo(failure.message, environment);
		throw mistake;
	}
	if (failure !== undefined) throw failure;
	return 0;
}
