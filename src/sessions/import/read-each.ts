/** Shared by the formats having one conversation per file piece. */
import type {JsonObject} from '../../json.ts';
import {buildSession} from './build-turns.ts';
import type {
	ForeignConversation,
	FoundSession,
	ImportContext,
	ImportFormat,
	JsonPiece,
	Unreadable,
} from './foreign.ts';

export function readEach(
	name: string,
	detect: ImportFormat['detect'],
	read: (value: JsonObject, context: ImportContext) => ForeignConversation,
): ImportFormat['read'] {
	return function* (
		pieces: Iterable<JsonPiece>,
		context: ImportContext,
	): Generator<FoundSession | Unreadable, void, undefined> {
		for (const {place, value} of pieces) {
			if (value === undefined) yield {place, problem: 'not a JSON object'};
			else if (!detect(value)) yield {place, problem: `not a conversation of ${name}`};
			else yield {place, session: buildSession(read(value, context), context.now)};
		}
	};
}
