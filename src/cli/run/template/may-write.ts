/** Keeps a template from being overwritten without a question. */
import {existsSync} from 'node:fs';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {printInfo} from '../../../output/print.ts';
import {askConfirm} from '../../ask-user.ts';

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
	const question = `The template ${name} exists. Replace it?`;
	const answer = isYes || (await askConfirm(question, environment, isPlain));
	if (answer === undefined) {
		throw new ChatError('create', `the template ${name} exists: ${file}`, {
			hint: `To change it: chat templates edit ${name}`,
		});
	}
	if (!answer) printInfo(`the template ${name} stays as it is: ${file}`, environment);
	return answer;
}
