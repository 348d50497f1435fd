/** `chat sessions rename`: gives a conversation another title. */
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {printInfo} from '../../../output/print.ts';
import {createKeyRedactor} from '../../../redact.ts';
import {findSession} from '../../../sessions/find-session.ts';
import {appendTitle} from '../../../sessions/rename-session.ts';
import type {SessionFile} from '../../../sessions/session-files.ts';
import {cleanTitle} from '../../../sessions/session-title.ts';
import type {VerbRun} from './session-verb.ts';

export async function renameSession({words, directory, environment}: VerbRun): Promise<ExitCode> {
	const [word = '', text = ''] = words;
	const file = findSession(directory, word);
	const title = saveTitle(file, text, environment);
	printInfo(`${file.id} is now called "${title}"`, environment);
	return 0;
}

/**
 * Returns the title as it is saved.
 *
 * @throws {ChatError} `usage` for an empty one, `output` when it cannot be written
 */
export function saveTitle({id, path}: SessionFile, text: string, {variables}: Environment): string {
	const title = createKeyRedactor(variables)(cleanTitle(text));
	if (title === '') throw new ChatError('usage', 'the title is empty');
	try {
		appendTitle(path, title);
		return title;
	} catch (cause) {
		const {message} = cause as Error;
		throw new ChatError('output', `cannot rename ${id}: ${message}`, {cause});
	}
}
