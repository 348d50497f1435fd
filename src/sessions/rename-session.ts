/** Gives a session another title. */
import {toJsonLine} from '../json.ts';
import {openAppendFile} from './append-file.ts';

/** @throws the system's error when it cannot be written */
export function appendTitle(path: string, text: string): void {
	const file = openAppendFile(path);
	try {
		file.amend(toJsonLine({type: 'title', text}));
		file.sync();
	} finally {
		file.close();
	}
}
