/** Keeps a template from being overwritten without a question. */
import {existsSync} from 'node:fs';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {printInfo} from '../../../output/print.ts';
import {confirm} from '../../ask.ts';

/**
 * Returns whether the file is new, or the user lets it be replaced. Says so if the answer is no.
 *
 * @param isYes whether `--yes` answers
 * @throws {ChatError} `create` if it exists, and there is no terminal to ask on
 */
export async function mayWrite(
	name: string,
	file: string,
	{isYes, isPlain}: {readonly isYes: boolean; readonly isPlain: boolean},
	environment: Environment,
): Promise<boolean> {
	if (!existsSync(file)) return true;
	const error = new ChatError('create', `the template ${name} exists: ${file}`, {
		hint: `To change it: chat templates edit ${name}`,
	});
	const question = `The template ${name} exists. Replace it?`;
	const answer = await confirm(question, {error, isYes, isPlain}, environment);
	if (!answer) printInfo(`the template ${name} stays as it is: ${file}`, environment);
	return answer;
}
