/** Gives a session another title. */
import {ChatError} from '../errors.ts';
import {toJsonLine} from '../json.ts';
import type {Redact} from '../redact.ts';
import {openAppendFile} from './append-file.ts';
import type {SessionFile} from './session-files.ts';
import {cleanTitle} from './session-title.ts';

/**
 * Returns the title as saved.
 *
 * @throws {ChatError} `usage` for an empty one, `output` when it cannot be written
 */
export function renameSession({id, path}: SessionFile, text: string, redact: Redact): string {
	const title = redact(cleanTitle(text));
	if (title === '') throw new ChatError('usage', 'the title is empty');
	try {
		appendTitle(path, title);
		return title;
	} catch (cause) {
		const {message} = cause as Error;
		throw new ChatError('output', `cannot rename ${id}: ${message}`, {cause});
	}
}

/** @throws the system's error when writing fails */
export function appendTitle(path: string, text: string): void {
	const file = openAppendFile(path);
	try {
		file.amend(toJsonLine({type: 'title', text}));
		file.sync();
	} finally {
		file.close();
	}
}
