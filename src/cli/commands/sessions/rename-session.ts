/** `chat sessions rename`: gives a conversation another title. */
import type {ExitCode} from '../../../errors.ts';
import {printInfo} from '../../../output/print.ts';
import {createKeyRedactor} from '../../../redact.ts';
import {findSession} from '../../../sessions/find-session.ts';
import {renameSession as renameFile} from '../../../sessions/rename-session.ts';
import type {VerbRun} from './session-verb.ts';

export async function renameSession({words, directory, environment}: VerbRun): Promise<ExitCode> {
	const [word = '', text = ''] = words;
	const file = findSession(directory, word);
	const title = renameFile(file, text, createKeyRedactor(environment.variables));
	printInfo(`${file.id} is now called "${title}"`, environment);
	return 0;
}
