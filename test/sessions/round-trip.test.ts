/** Any conversation comes back from its file as it was, and from those that `export` writes. */
import {readFileSync} from 'node:fs';
import {Ajv2020} from 'ajv/dist/2020.js';
import fc from 'fast-check';
import {expect} from 'vitest';
import {completeCalls} from '../../src/chat/complete-calls.ts';
import type {AnswerMessage, Conversation, Turn} from '../../src/chat/conversation.ts';
import type {ExportedSession} from '../../src/sessions/export/exported-session.ts';
import {writeJsonExport, writeJsonLines} from '../../src/sessions/export/write-json.ts';
import {writeMarkdown} from '../../src/sessions/export/write-markdown.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';
import {anyConversation, anyText} from './any-conversation.ts';
import {readExport} from './read-export.ts';
import {createFolder, openWriter, read} from './session-files.ts';

/** Gives each result its call, and each call its result, as in any conversation of a session. */
function makeSendable(conversation: Conversation): Conversation {
	const complete = (turn: Turn): Turn => {
		const paired = turn.messages.flatMap((message): readonly AnswerMessage[] => {
			if (message.role === 'assistant') return [message];
			const {callId} = message;
			const call = {callId, name: 'f', arguments: '{}', isRunnable: true};
			const {model, status} = turn;
			return [{role: 'assistant', parts: [{type: 'tool-call', call}], status, model}, message];
		});
		return {...turn, messages: completeCalls(paired)};
	};
	const {turns, otherTurns} = conversation;
	return {
		...conversation,
		turns: turns.map(complete),
		otherTurns: otherTurns.map(({turn, parent}) => ({turn: complete(turn), parent})),
	};
}

const session: fc.Arbitrary<ExportedSession> = fc.record({
	...{id: fc.constant('k3f9q2xw'), title: anyText, created: fc.nat(), model: anyText},
	conversation: anyConversation.map(makeSendable),
});

function expectRoundTrip(
	exported: ExportedSession,
	write: (session: ExportedSession) => string,
): void {
	// As it comes back from a file in UTF-8.
	const file = Buffer.from(`${write(exported)}\n`).toString();
	const {id, title, created, conversation} = exported;
	expect(readExport(file)).toMatchObject({id, title, created, draft: undefined});
	expect(readExport(file).conversation).toEqual(JSON.parse(JSON.stringify(conversation)));
}

fuzzProperty(
	'JSON holds any conversation exactly, with all its branches',
	40,
	fc.property(session, (exported) => {
		expectRoundTrip(exported, writeJsonExport);
		expectRoundTrip(exported, writeJsonLines);
	}),
);

fuzzProperty(
	'Markdown holds the path of any conversation exactly',
	60,
	fc.property(
		session.filter(({conversation}) => conversation.turns.length > 0),
		({conversation, ...rest}) => {
			const path = {...conversation, otherTurns: []};
			expectRoundTrip({...rest, conversation: path}, writeMarkdown);
		},
	),
);

const schema = new URL('../../src/output/schemas/conversation.schema.json', import.meta.url);
const ajv = new Ajv2020({
	strict: true,
	strictRequired: false,
	allowUnionTypes: true,
	validateFormats: false,
});
const validate = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')));

fuzzProperty(
	'JSON is as its schema says',
	25,
	fc.property(session, (exported) => {
		validate(JSON.parse(writeJsonExport(exported)));
		expect(validate.errors).toBeNull();
	}),
);

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
