/** Any conversation comes back from its file as it was. */
import fc from 'fast-check';
import {expect} from 'vitest';
import type {Conversation} from '../../src/chat/conversation.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';
import {anyConversation, anyText} from './any-conversation.ts';
import {createFolder, openWriter, read} from './session-files.ts';

/** Returns plain data, with the turns of other branches in one order. */
function inOrder({otherTurns, ...rest}: Conversation) {
	const sorted = [...otherTurns].sort((a, b) => (a.turn.id < b.turn.id ? -1 : 1));
	return JSON.parse(JSON.stringify({...rest, otherTurns: sorted}));
}

fuzzProperty(
	'a conversation that is copied to a file is the same when it is read, with all its branches',
	20,
	fc.property(anyConversation, anyText, (before, more) => {
		const directory = createFolder();
		const writer = openWriter(directory, 'copy', before);
		writer.chat(more);
		writer.recorder.close();
		expect(writer.recorder.failure()).toBeUndefined();
		const stored = read(directory, 'copy');
		expect(stored.notices).toEqual([]);
		expect(inOrder(stored.conversation)).toEqual(inOrder(writer.conversation()));
	}),
);
