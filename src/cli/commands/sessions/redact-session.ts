/** `chat sessions redact`: masks a text in a conversation, and in the history of prompts. */
import {ChatError, type ExitCode} from '../../../errors.ts';
import {printInfo} from '../../../output/print.ts';
import {findSession, summarize} from '../../../sessions/find-session.ts';
import {findBlobs} from '../../../sessions/loose-blobs.ts';
import {redactHistory} from '../../../sessions/prompt-history.ts';
import {hasText, redactSession as redactFile} from '../../../sessions/redact-session.ts';
import {listSessionFiles} from '../../../sessions/session-files.ts';
import {createTextMask} from '../../../sessions/text-mask.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import {plural} from '../../../wording.ts';
import {askSecret} from '../../ask.ts';
import type {VerbRun} from './session-verb.ts';

export async function redactSession({words, directory, environment}: VerbRun): Promise<ExitCode> {
	const [word = '', given = '-'] = words;
	const file = findSession(directory, word);
	const {id, path} = file;
	const question = {
		title: 'Text to mask',
		noun: 'text',
		fromFile: 'chat sessions redact <id> - < secret.txt',
	};
	const text = given === '-' ? await askSecret(question, environment) : given;
	const secret = text.replace(/\r?\n$/, '');
	if (secret.trim() === '') throw new ChatError('usage', 'the text to mask is empty');
	const mask = createTextMask(secret);
	const historyMask = createTextMask(secret);
	try {
		await redactFile(path, mask);
		await redactHistory(directory, historyMask);
	} catch (cause) {
		const {message} = cause as Error;
		throw new ChatError('output', `cannot mask the text in ${id}: ${message}`, {cause});
	}
	// Read again: the title may have contained the masked text.
	const title = stripToLine(summarize(file)?.title ?? '');
	const count = mask.count() + historyMask.count();
	const done = `masked the text in ${plural(mask.count(), 'place')} of ${id} "${title}", and in ${plural(historyMask.count(), 'place')} of the prompt history`;
	const none = `the text is not in ${id} "${title}", nor in the prompt history`;
	printInfo(count === 0 ? none : done, environment);
	const others = listSessionFiles(directory, (other) => other !== id).filter((other) =>
		hasText(other.path, mask),
	);
	if (others.length > 0) {
		const ids = others.map((other) => other.id).join(', ');
		printInfo(`the text also occurs in: ${ids}`, environment);
	}
	const {size} = findBlobs(file);
	if (size > 0) {
		const kept = `${plural(size, 'attachment')} of ${id} not searched (images, PDFs, recordings)`;
		printInfo(`${kept}; chat sessions delete removes them`, environment);
	}
	return count === 0 ? 1 : 0;
}
