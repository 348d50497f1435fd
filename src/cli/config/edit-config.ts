/** `chat config edit`: opens the file in an editor, and checks it afterwards. */
import type {Environment} from '../../environment.ts';
import {ChatError, type ExitCode} from '../../errors.ts';
import {printInfo} from '../../output/print.ts';
import {createConfig} from '../../settings/files/update-config.ts';
import {checkConfig} from '../../settings/options/load-settings.ts';
import {describeWarning} from '../hints/describe-hint.ts';
import {findEditor} from './find-editor.ts';

/** @throws {ChatError} `config` when the editor fails, or the file then has a mistake */
export async function editConfig(path: string, environment: Environment): Promise<ExitCode> {
	const editor = findEditor(environment);
	await createConfig(path);
	const exitCode = await runEditor(editor, path, environment);
	for (const warning of checkConfig(path, environment.platform))
		printInfo(await describeWarning(warning), environment);
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
			hint: {
				code: 'own-words',
				words: `Set VISUAL or EDITOR to another editor, or edit ${path} yourself.`,
			},
			cause,
		});
	}
}
