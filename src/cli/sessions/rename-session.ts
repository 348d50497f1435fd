/** `chat sessions rename`: gives a conversation another title. */
import {ChatError, type ExitCode} from '../../errors.ts';
import {printInfo} from '../../output/print.ts';
import {createKeyRedactor} from '../../redact.ts';
import {findSession} from '../../sessions/find-session.ts';
import {appendTitle} from '../../sessions/rename-session.ts';
import {cleanTitle} from '../../sessions/session-title.ts';
import type {VerbRun} from './session-verb.ts';

export async function renameSession({words, directory, environment}: VerbRun): Promise<ExitCode> {
	const [word = '', text = ''] = words;
	const title = createKeyRedactor(environment.variables)(cleanTitle(text));
	if (title === '') throw new ChatError('usage', 'the title is empty');
	const {id, path} = findSession(directory, word);
	try {
		appendTitle(path, title);
	} catch (cause) {
		const {message} = cause as Error;
		throw new ChatError('output', `cannot rename ${id}: ${message}`, {cause});
	}
	printInfo(`${id} is now called "${title}"`, environment);
	return 0;
}
