/** Files of other programs, damaged in any way, are read or left out. */
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {messagesOf} from '../../../src/chat/conversation.ts';
import type {JsonValue} from '../../../src/json.ts';
import {type ImportOutcome, importFile} from '../../../src/sessions/import/import-file.ts';
import {listSessionFiles} from '../../../src/sessions/session-files.ts';
import {
	chatGptExport,
	claudeExport,
	llmLog,
	oldExport,
	openAiMessages,
	ownRecords,
} from '../../fixtures/foreign-conversations.ts';
import {foreignLogs, otherLogs} from '../../fixtures/foreign-logs.ts';
import {fuzzProperty} from '../../helpers/fuzz.ts';
import {createFolder, read} from '../session-files.ts';

const now = Date.UTC(2026, 10, 22);

function importText(text: string, directory: string, chunkSize = text.length): ImportOutcome[] {
	const bytes = Buffer.from(text);
	const chunks = [];
	for (let start = 0; start < bytes.length; start += chunkSize) {
		chunks.push(bytes.subarray(start, start + chunkSize));
	}
	let count = 0;
	const target = {
		...{directory, cwd: '/home/ada', sources: new Map(), redact: (value: string) => value},
		createId: () => `id${count++}`,
		date: () => now,
	};
	const context = {findFile: () => undefined, path: undefined, now};
	return [...importFile(chunks, context, target)];
}

const values: readonly JsonValue[] = JSON.parse(
	JSON.stringify([
		...[chatGptExport, claudeExport, llmLog, openAiMessages],
		...[ownRecords, oldExport],
		...[...foreignLogs, ...otherLogs].map((log) => log.values),
	]),
);

const wrongValue = fc.oneof(
	fc.constantFrom<JsonValue>(
		null,
		true,
		-1,
		1e300,
		'',
		'__proto__',
		'\ud800',
		[],
		{},
		[[]],
		'root',
	),
	fc.constant<JsonValue>(JSON.parse('{"__proto__": {"role": "user"}, "constructor": 1}')),
	fc.jsonValue() as fc.Arbitrary<JsonValue>,
);

type Mistake = {readonly place: number; readonly value: JsonValue; readonly isRemoved: boolean};

/** Replaces the value at that place, counted over all values, or leaves it out. */
function spoil(value: JsonValue, {place, value: wrong, isRemoved}: Mistake): JsonValue {
	const total = JSON.stringify(value, (_key, item) => item).split(/[:,[{]/).length;
	let rest = place % total;
	return JSON.parse(
		JSON.stringify(value, (_key, item) => {
			if (rest-- !== 0) return item;
			return isRemoved ? undefined : wrong;
		}) ?? 'null',
	);
}

const mistake = fc.record({place: fc.nat(), value: wrongValue, isRemoved: fc.boolean()});

fuzzProperty(
	'an export with mistakes becomes sessions that can be read and sent',
	25,
	fc.property(
		fc.constantFrom(...values),
		fc.array(mistake, {minLength: 1, maxLength: 6}),
		(value, mistakes) => {
			const directory = createFolder();
			const spoilt = mistakes.reduce(spoil, value);
			for (const outcome of importText(JSON.stringify(spoilt), directory)) {
				if (outcome.type !== 'imported') continue;
				const {conversation, notices} = read(directory, outcome.id);
				expect(notices).toEqual([]);
				expect(conversation.turns).toHaveLength(outcome.turns);
				expectSendable(messagesOf(conversation));
			}
		},
	),
);

/** Each call has its result right after it, and nothing else has one. */
function expectSendable(messages: ReturnType<typeof messagesOf>): void {
	let waiting: string[] = [];
	for (const message of messages) {
		if (message.role === 'tool') {
			expect(waiting).toContain(message.callId);
			waiting = waiting.filter((callId) => callId !== message.callId);
			continue;
		}
		expect(waiting).toEqual([]);
		if (message.role !== 'assistant') continue;
		waiting = message.parts.flatMap((part) =>
			part.type === 'tool-call' ? [part.call.callId] : [],
		);
		expect(new Set(waiting).size).toBe(waiting.length);
	}
	expect(waiting).toEqual([]);
}

fuzzProperty(
	'a damaged file is read or left out, however it is cut into chunks',
	25,
	fc.property(
		fc.constantFrom(...values),
		fc.array(fc.record({place: fc.nat(), byte: fc.string({maxLength: 3})}), {maxLength: 4}),
		fc.integer({min: 1, max: 5000}),
		(value, changes, chunkSize) => {
			const text = changes.reduce((current, {place, byte}) => {
				const at = place % current.length;
				return current.slice(0, at) + byte + current.slice(at + 1);
			}, JSON.stringify(value));
			const describe = (outcomes: readonly ImportOutcome[]) => outcomes.map(({type}) => type);
			const whole = describe(importText(text, createFolder()));
			expect(describe(importText(text, createFolder(), chunkSize))).toEqual(whole);
		},
	),
);

test('many branches of many messages cost no more than a hundred of them', {tags: ['cost']}, () => {
	const directory = createFolder();
	const message = (role: string, text: string) => ({
		...{author: {role}, content: {content_type: 'text', parts: [text]}},
	});
	const ids = Array.from({length: 3000}, (_, index) => index);
	const path = ids.map((id) => [`p${id}`, {parent: `p${id - 1}`, message: message('user', 'x')}]);
	const ends = ids.map((id) => [`e${id}`, {parent: `p${id}`, message: message('assistant', 'y')}]);
	const mapping = Object.fromEntries([...path, ...ends]);
	const [outcome] = importText(JSON.stringify([{mapping, current_node: 'e2999'}]), directory);
	expect(outcome).toMatchObject({type: 'imported', omitted: {branch: 2899}});
});

test('any number of calls and of marks in a text cost no more than each alone', {
	tags: ['cost'],
}, () => {
	const ids = Array.from({length: 30_000}, (_, index) => `c${index}`);
	const calls = ids.map((id) => ({id, function: {name: 'f', arguments: '{}'}}));
	const results = ids.map((id) => ({role: 'tool', tool_call_id: id, content: 'x'}));
	const messages = [{role: 'assistant', tool_calls: calls}, ...results];
	const [called] = importText(JSON.stringify({messages}), createFolder());
	expect(called).toMatchObject({type: 'imported', turns: 1});
	const content = {content_type: 'text', parts: ['\ue200cite\ue202'.repeat(60_000)]};
	const mapping = {a: {parent: '', message: {author: {role: 'assistant'}, content}}};
	const [cited] = importText(JSON.stringify([{mapping}]), createFolder());
	expect(cited).toMatchObject({type: 'imported', turns: 1});
});

test('a value nested a hundred thousand levels deep is left out', () => {
	const deep = `${'['.repeat(1e5)}${']'.repeat(1e5)}`;
	const text = `[{"messages":${deep}},{"messages":[{"role":"user","content":"hello"}]}]`;
	const directory = createFolder();
	expect(importText(text, directory).map(({type}) => type)).toEqual(['left-out', 'imported']);
	expect(listSessionFiles(directory)).toHaveLength(1);
});
