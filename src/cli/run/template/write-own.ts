/** Writes a template into the user's own folder; an existing one is only replaced after a question. */
import {existsSync} from 'node:fs';
import type {Environment} from '../../../environment.ts';
import {writeUserFile} from '../../../files/private-files.ts';
import {printInfo} from '../../../output/print.ts';
import {confirm, type Policy} from '../../ask.ts';

type NewTemplate = {readonly name: string; readonly file: string; readonly text: string};

/**
 * Returns false, with a notice, if the user keeps the old file.
 *
 * @throws {ChatError} the policy's error without a terminal, `create` if it cannot be written
 */
export async function writeOwn(
	{name, file, text}: NewTemplate,
	policy: Policy<boolean>,
	environment: Environment,
): Promise<boolean> {
	const question = `The template ${name} exists. Replace it?`;
	const mayWrite = !existsSync(file) || (await confirm(question, policy, environment));
	if (mayWrite) writeUserFile(file, text, environment.createId());
	else printInfo(`the template ${name} stays as it is: ${file}`, environment);
	return mayWrite;
}
