/** Keeps a template from being overwritten without a question. */
import {existsSync} from 'node:fs';
import type {Environment} from '../../environment.ts';
import {printInfo} from '../../output/print.ts';
import {askConfirm} from '../ask-user.ts';

/** Whether the file is new, or the user lets it be replaced. Says so if it is not written. */
export async function mayWrite(
	name: string,
	file: string,
	environment: Environment,
	isPlain: boolean,
): Promise<boolean> {
	if (!existsSync(file)) return true;
	const question = `The template ${name} exists. Replace it?`;
	const answer = await askConfirm(question, environment, isPlain);
	if (answer === true) return true;
	printInfo(`the template ${name} exists, and stays as it is: ${file}`, environment);
	return false;
}
