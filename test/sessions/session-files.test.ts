/** The file of a session, and its content after something went wrong. */
import {
	appendFileSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {
	branchEnds,
	createConversation,
	messagesOf as messagesToSend,
} from '../../src/chat/conversation.ts';
import {textOutput} from '../../src/chat/tool-output.ts';
import {deleteSessions} from '../../src/sessions/delete-sessions.ts';
import {findEarlier, summarize} from '../../src/sessions/find-session.ts';
import {createPartialAnswer} from '../../src/sessions/partial-answer.ts';
import type {StoredSession} from '../../src/sessions/read-session.ts';
import {createRecorder} from '../../src/sessions/recorder.ts';
import {listSessionFiles} from '../../src/sessions/session-files.ts';
import {mediaFolder, sessionPath} from '../../src/sessions/session-path.ts';
import {expectLinearCost} from '../helpers/cost.ts';
import {reasoningDelta, textDelta, turnEnd} from '../helpers/events.ts';
import {modeOf} from '../helpers/settings-home.ts';
import {failure, stepEnd, stepStart} from '../repl/play.ts';
import {
	createFolder,
	createTestMedia,
	messagesOf,
	openWriter,
	pathOf,
	read,
	secret,
	textsOf,
} from './session-files.ts';

const id = 'k3f9q2xw';

/** Records two turns, and returns the lines of the file. */
function recordTwo(directory: string): readonly string[] {
	const writer = openWriter(directory, id);
	writer.chat('one');
	writer.chat('two');
	writer.recorder.close();
	return linesOf(directory);
}

const recordNew = () => {
	const directory = createFolder();
	return {directory, lines: recordTwo(directory)};
};

const openNew = () => {
	const directory = createFolder();
	return {directory, writer: openWriter(directory, id)};
};

/** Two runs that continue the same session. */
const openTwice = () => {
	const {directory} = recordNew();
	const stored = read(directory, id);
	const [left, right] = [openWriter(directory, id, stored), openWriter(directory, id, stored)];
	return {directory, left, right};
};

function linesOf(directory: string): readonly string[] {
	return readFileSync(pathOf(directory, id), 'utf8').split('\n').slice(0, -1);
}

function writeLines(directory: string, ...lines: readonly (string | undefined)[]): void {
	writeFileSync(pathOf(directory, id), lines.map((line) => `${line}\n`).join(''));
}

/** Returns the last prompt of each branch, in the order of the alphabet. */
function branchesOf({conversation}: Pick<StoredSession, 'conversation'>): readonly string[] {
	return branchEnds(conversation)
		.map(({prompt}) => prompt.text)
		.sort();
}

const both = ['one', 'answer to one', 'two', 'answer to two'];

describe('a recorded session', () => {
	test('is a file that only its owner can read, in folders of the same kind', () => {
		const {directory} = recordNew();
		const path = pathOf(directory, id);
		expect(path).toContain('/sessions/2026/11/22T024745Z-k3f9q2xw.jsonl');
		expect(modeOf(path)).toBe('600');
		for (let folder = dirname(path); folder !== dirname(directory); folder = dirname(folder)) {
			expect(modeOf(folder)).toBe('700');
		}
	});

	test('masks known keys, also one that arrives in pieces', () => {
		const {directory, writer} = openNew();
		writer.ask(`my key is ${secret}`);
		writer.receive([stepStart, textDelta(`word ${secret.slice(0, 9)}`)], 6000);
		writer.receive([textDelta(`${secret.slice(9)} end `)], 12_000);
		writer.recorder.close();
		const text = linesOf(directory).join('\n');
		expect(text).toContain('partial');
		expect(text).not.toContain(secret.slice(0, 9));
		expect(text).not.toContain(secret.slice(9));
	});

	test('continues where its head was moved to', () => {
		const {directory, writer} = openNew();
		for (const text of ['one', 'two', 'three']) writer.chat(text);
		writer.change({type: 'head-moved', at: 'one'});
		const stored = read(directory, id);
		expect(textsOf(stored)).toEqual(['one', 'answer to one']);
		openWriter(directory, id, stored).change({type: 'head-moved', at: 'three'});
		expect(textsOf(read(directory, id))).toEqual([...both, 'three', 'answer to three']);
	});
});

describe('an answer under way', () => {
	test('is kept every 5 s, only the part that is new', () => {
		const {directory, writer} = openNew();
		writer.ask('one');
		writer.receive([stepStart, reasoningDelta('because '), textDelta('first ')], 4999);
		expect(linesOf(directory)).toHaveLength(3);
		writer.receive([textDelta('second ')], 5000);
		writer.receive([textDelta('third ')], 9999);
		writer.receive([textDelta('fourth ')], 10_000);
		const partials = linesOf(directory).slice(3);
		expect(partials).toHaveLength(2);
		expect(partials[1]).not.toContain('second');
		expect(textsOf(read(directory, id))).toEqual(['one', 'first second third fourth ']);
	});

	test('costs no more for a long word in it', {tags: ['cost']}, () => {
		expectLinearCost((size) => {
			const partial = createPartialAnswer(0);
			partial.add([textDelta(`${'x'.repeat(size)} y`)], 1);
			partial.take(2);
		}, 4000);
	});

	test('comes back as an incomplete turn that can be sent', () => {
		const {directory, writer} = openNew();
		writer.chat('one');
		writer.ask('two');
		writer.receive([
			stepStart,
			{type: 'tool-call-start', callId: 'a', name: 'f'},
			{type: 'tool-call', call: {callId: 'a', name: 'f', arguments: '{}', isRunnable: true}},
			stepEnd(),
		]);
		const {conversation, draft} = read(directory, id);
		expect(conversation.turns.at(-1)?.status).toBe('incomplete');
		expect(messagesToSend(conversation).at(-1)).toEqual({
			role: 'tool',
			callId: 'a',
			...textOutput('cancelled', true),
		});
		expect(draft).toBeUndefined();
	});
});

describe('a damaged session', () => {
	test.each([
		['half a line', '{"type":"answer","of":"two","mess'],
		['a block of zeros', '\0'.repeat(4096)],
		['a record without its fields', '{"type":"user","id":"x"}'],
	])('goes on after %s', (_, bad) => {
		const {directory, lines} = recordNew();
		writeLines(directory, ...lines.slice(0, 4), bad, ...lines.slice(4));
		const stored = read(directory, id);
		expect(textsOf(stored)).toEqual(both);
		expect(messagesOf(stored)).toEqual([`1 line of ${id} left out: damaged`]);
	});

	test('has the record that stands after half a record on the same line', () => {
		const torn = '{"type":"answer","of":"x","messages":[{"role":"assistant","parts":[{"type":"te';
		const {directory, lines} = recordNew();
		writeLines(directory, ...lines.slice(0, 4), `${torn}${lines[4]}`, lines[5]);
		expect(textsOf(read(directory, id))).toEqual(both);
		expect(listSessionFiles(directory).map(summarize)).toMatchObject([{turns: 2, hasDraft: false}]);
	});

	test('gets a line end before the next record, so that only the torn line is lost', () => {
		const {directory} = recordNew();
		appendFileSync(pathOf(directory, id), '{"type":"answer","of":"tw');
		const writer = openWriter(directory, id, read(directory, id));
		writer.chat('three');
		expect(textsOf(read(directory, id))).toEqual([...both, 'three', 'answer to three']);
		const lines = readFileSync(pathOf(directory, id), 'utf8').split('\n');
		expect(lines).toContain('{"type":"answer","of":"tw');
	});

	test.each([
		['a title', '{"type":"title","text":"other"}'],
		['a head', '{"type":"head","at":"one"}'],
	])('is the same in a list with %s after half an answer', (_, rest) => {
		const {directory, lines} = recordNew();
		writeLines(directory, ...lines.slice(0, 5), `${lines[5]?.slice(0, 60)}${rest}`);
		const {title, conversation, draft} = read(directory, id);
		expect(listSessionFiles(directory).map(summarize)).toMatchObject([
			{title, turns: conversation.turns.length, hasDraft: draft !== undefined},
		]);
	});

	test('joins a turn whose predecessor is missing to the turn before it', () => {
		const {directory, writer} = openNew();
		for (const text of ['one', 'two', 'three']) writer.chat(text);
		writeLines(
			directory,
			...linesOf(directory).filter((line) => !line.includes('"two"') || line.includes('"three"')),
		);
		const stored = read(directory, id);
		expect(textsOf(stored)).toEqual(['one', 'answer to one', 'three', 'answer to three']);
		expect(messagesOf(stored)).toEqual([`${id}: the parent of 1 turn is missing`]);
	});

	test('cut anywhere in a compaction has the conversation before or after it', () => {
		const directory = createFolder();
		const writer = openWriter(directory, id);
		for (const text of ['one', 'two', 'three']) writer.chat(text);
		const path = pathOf(directory, id);
		const start = readFileSync(path).length;
		const before = messagesToSend(writer.conversation());
		const range = {id: 'c', parent: 'three', from: 'one', to: 'two', kind: 'summary'} as const;
		const text = 'It was short. '.repeat(20);
		writer.change({type: 'compacted', compaction: {...range, text}});
		const bytes = readFileSync(path);
		const after = messagesToSend(writer.conversation());
		expect(messagesToSend(read(directory, id).conversation)).toEqual(after);
		for (let place = 0; place < 100; place += 5) {
			const end = start + Math.floor(((bytes.length - 1 - start) * place) / 100);
			writeFileSync(path, bytes.subarray(0, end));
			expect(messagesToSend(read(directory, id).conversation)).toEqual(before);
		}
		writeFileSync(path, bytes);
		writer.change({type: 'compaction-undone', id: 'c'});
		expect(messagesToSend(read(directory, id).conversation)).toEqual(before);
	});

	test.each<[string, (lines: readonly string[]) => ReadonlyArray<string | undefined>]>([
		['a head that is not there', (lines) => [...lines, '{"type":"head","at":"missing"}']],
		[
			'another turn of the same id',
			(lines) => [...lines, lines[2]?.replace('"text":"one"', '"text":"x"')],
		],
		['no first lines', (lines) => lines.slice(2)],
	])('reads as before with %s', (_, change) => {
		const {directory, lines} = recordNew();
		writeLines(directory, ...change(lines));
		const stored = read(directory, id);
		expect(textsOf(stored)).toEqual(both);
		expect(stored.notices).toEqual([]);
	});
});

test('two runs that continue a session at once make two branches, and nothing is lost', () => {
	const {directory, left, right} = openTwice();
	left.ask('left');
	right.ask('right');
	left.receive([stepStart, textDelta('L'), stepEnd(), turnEnd]);
	right.receive([stepStart, textDelta('R'), stepEnd(), turnEnd]);
	left.chat('left again');
	const after = read(directory, id);
	expect(textsOf(after)).toEqual([...both, 'left', 'L', 'left again', 'answer to left again']);
	expect(branchesOf(after)).toEqual(['left again', 'right']);
	expect(messagesOf(after)).toEqual([]);
});

test('a prompt of one run that got no answer does not move the other run back', () => {
	const {directory, left, right} = openTwice();
	left.ask('left');
	right.chat('right');
	left.receive([failure('unavailable')]);
	expect(textsOf(read(directory, id))).toEqual([...both, 'right', 'answer to right']);
	left.chat('left again');
	expect(textsOf(read(directory, id))).toEqual([...both, 'left again', 'answer to left again']);
	expect(linesOf(directory).at(-2)).toContain('"id":"left again","parent":"two"');
});

describe('an attachment', () => {
	const image = `data:image/png;base64,${Buffer.from('a picture').toString('base64')}`;
	const attachments = [
		{type: 'image', name: 'a.png', part: {type: 'image', url: image}},
		{type: 'audio', name: 'b.wav', part: {type: 'audio', format: 'wav', data: 'UklGRg=='}},
		{type: 'image', name: 'c', part: {type: 'image', url: 'https://example.com/c.png'}},
		{type: 'file', name: 'd.txt', text: 'a text'},
	] as const;

	function recordAttachments(directory: string): void {
		const writer = openWriter(directory, id);
		writer.ask('look', attachments);
		writer.receive([stepStart, textDelta('nice'), stepEnd(), turnEnd]);
		writer.ask('again', [attachments[0]]);
		writer.receive([stepStart, textDelta('still nice'), stepEnd(), turnEnd]);
	}

	test('is stored once, apart from the records, and comes back', () => {
		const directory = createFolder();
		recordAttachments(directory);
		const folder = mediaFolder(pathOf(directory, id));
		expect(modeOf(folder)).toBe('700');
		const blobs = readdirSync(folder);
		expect(blobs).toHaveLength(2);
		for (const blob of blobs) {
			expect(blob).toMatch(/^sha256-[0-9a-f]{64}$/);
			expect(modeOf(join(folder, blob))).toBe('600');
		}
		expect(linesOf(directory).join('')).not.toContain(image.slice(-12));
		const {turns} = read(directory, id).conversation;
		expect(turns.map(({prompt}) => prompt.attachments)).toEqual([attachments, [attachments[0]]]);
	});

	test('stays while its record is written, if another run deletes a session with the same one', async () => {
		const directory = createFolder();
		recordAttachments(directory);
		const [file] = listSessionFiles(directory);
		let isDeleted: Promise<unknown> | undefined;
		const recorder = createRecorder(
			{
				...{directory, id: 'other', conversation: createConversation()},
				start: {created: 0, cwd: '/', forkOf: undefined},
			},
			{
				createMediaStore: createTestMedia,
				redact(text) {
					// The attachment is stored, and its record is not written yet.
					if (text === 'look') isDeleted ??= deleteSessions(file ? [file] : [], directory, true);
					return text;
				},
			},
		);
		const turn = {id: '1', model: 'm', startedAt: 0, prompt: {text: 'look', attachments}};
		const settings = {model: 'm', service: '', system: '', options: {}};
		const state = () => ({settings, conversation: createConversation()});
		recorder.record({type: 'turn-started', turn, now: 0}, state);
		recorder.close();
		await isDeleted;
		expect(listSessionFiles(directory).map((session) => session.id)).toEqual(['other']);
		const {draft, notices} = read(directory, 'other');
		expect({notices, attachments: draft?.attachments}).toEqual({notices: [], attachments});
	});

	test('that was deleted is left out, and the rest remains', () => {
		const directory = createFolder();
		recordAttachments(directory);
		rmSync(mediaFolder(pathOf(directory, id)), {recursive: true});
		const stored = read(directory, id);
		expect(textsOf(stored)).toEqual(['look', 'nice', 'again', 'still nice']);
		expect(stored.conversation.turns[0]?.prompt.attachments).toEqual(attachments.slice(2));
		expect(messagesOf(stored)).toEqual([`3 attachments of ${id} are gone`]);
	});

	test('is never read from elsewhere, whatever a record says', () => {
		const directory = createFolder();
		recordAttachments(directory);
		writeFileSync(join(dirname(pathOf(directory, id)), 'secret'), 'x');
		const lines = linesOf(directory).map((line) =>
			line.replace(/sha256-[0-9a-f]{64}/, '../secret'),
		);
		writeLines(directory, ...lines);
		expect(messagesOf(read(directory, id))[0]).toContain('left out: damaged');
	});
});

describe('a disk that fails', () => {
	test.runIf(process.platform === 'linux')(
		'ends the recording, not the chat, when it is full',
		() => {
			const {directory} = recordNew();
			const stored = read(directory, id);
			const path = pathOf(directory, id);
			rmSync(path);
			symlinkSync('/dev/full', path);
			const writer = openWriter(directory, id, stored);
			writer.chat('three');
			writer.recorder.sync();
			writer.recorder.close();
			expect(writer.recorder.failure()?.code).toBe('ENOSPC');
			expect(writer.recorder.isKept()).toBe(false);
			expect(textsOf({conversation: writer.conversation()})).toEqual([
				...both,
				...['three', 'answer to three'],
			]);
		},
	);

	test.each(['before', 'after'])(
		'is written again if another run deletes it %s it is opened',
		(when) => {
			const directory = createFolder();
			const image = {type: 'image', url: 'data:image/png;base64,aGVsbG8='} as const;
			const first = openWriter(directory, id);
			first.ask('one', [{type: 'image', name: 'a.png', part: image}]);
			first.receive([stepStart, textDelta('answer to one'), stepEnd(), turnEnd]);
			first.chat('two');
			first.recorder.rename('a title');
			const writer = openWriter(directory, id, read(directory, id));
			if (when === 'after') writer.chat('three');
			rmSync(dirname(pathOf(directory, id)), {recursive: true});
			writer.recorder.rename('a new title');
			writer.ask('four');
			rmSync(pathOf(directory, id));
			writer.receive([stepStart, textDelta('answer to four'), stepEnd(), turnEnd]);
			expect([writer.recorder.failure(), writer.recorder.restored()]).toEqual([undefined, 2]);
			const stored = read(directory, id);
			const third = when === 'after' ? ['three', 'answer to three'] : [];
			expect(textsOf(stored)).toEqual([...both, ...third, 'four', 'answer to four']);
			expect(stored.conversation.turns[0]?.prompt.attachments[0]).toMatchObject({part: image});
			expect(stored).toMatchObject({title: 'a new title', cwd: '/home/ada', notices: []});
		},
	);

	test('that is deleted during an answer keeps its prompt and what comes of it', () => {
		const {directory, writer} = openNew();
		writer.chat('one');
		writer.ask('two');
		writer.receive([stepStart, textDelta('first ')], 6000);
		rmSync(pathOf(directory, id));
		writer.receive([textDelta('second ')], 12_000);
		expect(textsOf(read(directory, id))).toEqual(['one', 'answer to one', 'two', 'first second ']);
	});

	test('that is deleted during an answer keeps the images that tools returned', () => {
		const {directory, writer} = openNew();
		const call = {callId: 'a', name: 'f', arguments: '{}', isRunnable: true};
		const image = {type: 'image', url: 'data:image/png;base64,aGVsbG8='} as const;
		writer.ask('one');
		const start = {type: 'tool-call-start', callId: 'a', name: 'f'} as const;
		writer.receive([stepStart, start, {type: 'tool-call', call}, stepEnd()]);
		writer.receive([{type: 'tool-result', callId: 'a', parts: [image], isError: false}]);
		rmSync(dirname(pathOf(directory, id)), {recursive: true});
		writer.receive([stepStart, textDelta('second ')], 12_000);
		const {conversation, notices} = read(directory, id);
		expect(notices).toEqual([]);
		expect(conversation.turns[0]?.messages).toContainEqual({
			...{role: 'tool', callId: 'a', parts: [image], isError: false},
		});
	});

	test('that two runs have open when it is deleted keeps the turns of both', () => {
		const {directory, left, right} = openTwice();
		left.chat('left');
		right.chat('right');
		rmSync(pathOf(directory, id));
		left.chat('left again');
		right.chat('right again');
		const after = read(directory, id);
		expect(textsOf(after).slice(4, 6)).toEqual(['right', 'answer to right']);
		expect(branchesOf(after)).toEqual(['left again', 'right again']);
		expect(messagesOf(after)).toEqual([]);
	});

	test('does not list the empty file that a full disk leaves', () => {
		const {directory} = recordNew();
		writeFileSync(pathOf(directory, id), '');
		expect(listSessionFiles(directory)).toEqual([]);
	});
});

describe('the last conversations of a folder', () => {
	const cwd = '/work';
	const session = (directory: string, place: number, folder: string, texts: readonly string[]) => {
		const id = `s${String(place).padStart(7, '0')}`;
		const created = Date.UTC(2026, 0, 1) + place * 60_000;
		const path = sessionPath(directory, id, created);
		mkdirSync(dirname(path), {recursive: true});
		const records = [
			{v: 1, type: 'session', id, created: new Date(created).toISOString(), cwd: folder},
			...texts.flatMap((text, index) => [
				{
					...{type: 'user', id: `${index}`, parent: index === 0 ? null : `${index - 1}`, text},
					...{at: new Date(created).toISOString(), model: 'm', attachments: []},
				},
				{type: 'answer', of: `${index}`},
			]),
		];
		writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
		utimesSync(path, created / 1000, created / 1000);
		return path;
	};
	const titles = (directory: string) => findEarlier(directory, cwd, 3).map(({title}) => title);

	test('are those that were updated last, and have an answer', () => {
		const directory = createFolder();
		const old = session(directory, 0, cwd, ['old']);
		for (const place of [1, 2, 3]) session(directory, place, cwd, [`number ${place}`]);
		session(directory, 4, '/elsewhere', ['other']);
		session(directory, 5, cwd, []);
		utimesSync(old, new Date(), new Date());
		expect(titles(directory)).toEqual(['old', 'number 3', 'number 2']);
	});
});
