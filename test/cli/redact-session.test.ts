/** Masks texts with `chat sessions redact`. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {appendFileSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {appendHistory, historyPath} from '../../src/sessions/prompt-history.ts';
import {redactSession} from '../../src/sessions/redact-session.ts';
import {createTextMask} from '../../src/sessions/text-mask.ts';
import {expectLinearCost} from '../helpers/cost.ts';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {openStage, saveOne} from '../helpers/sessions-stage.ts';
import {createHome} from '../helpers/settings-home.ts';
import {openTerminal} from '../helpers/terminal.ts';

const secret = 'pa"ss/wört\\1';

/** Writes a file of these records, masks the secret in it, and returns the records. */
async function maskIn(records: readonly unknown[], text = secret) {
	const path = join(createHome({}).home, 'session.jsonl');
	const lines = records.map((record) => `${JSON.stringify(record)}\n`);
	writeFileSync(path, lines.join(''));
	const {size} = statSync(path);
	const mask = createTextMask(text);
	await redactSession(path, mask);
	expect(statSync(path).size).toBe(size);
	const masked = readFileSync(path, 'utf8').trimEnd().split('\n');
	return {count: mask.count(), records: masked.map((line) => JSON.parse(line))};
}

test('a text is masked in prompts, answers, reasoning, tool calls, attachments and titles', async () => {
	const stage = await openStage([
		[{reasoning: `so ${secret} it is`}, `the password is ${secret}`, ' and done'],
		['another answer'],
	]);
	const home = join(stage.directory, '..', '..', '..');
	writeFileSync(join(home, 'notes.txt'), `note: ${secret}`);
	const id = await saveOne(stage, `${secret} is mine`, '-f', 'notes.txt');
	const {ino} = statSync(stage.fileOf(id));
	const {stderr, exitCode} = await stage.chat(['sessions', 'redact', id, secret]);
	const stars = '*'.repeat(secret.length);
	expect({stderr, exitCode}).toEqual({
		stderr: `chat: masked the text in 4 places of ${id} "${stars} is mine", and in 0 places of the prompt history\n`,
		exitCode: 0,
	});
	const text = readFileSync(stage.fileOf(id), 'utf8');
	expect(text).not.toContain('wört');
	expect(statSync(stage.fileOf(id))).toMatchObject({ino});
	const shown = await stage.chat(['sessions', 'show', id]);
	expect(shown.stdout).toContain(`the password is ${stars} and done`);
	expect(shown.stderr).toBe('');
	await stage.chat(['-r', id, 'more']);
	expect(JSON.stringify(stage.service.bodies().at(-1))).not.toContain('wört');
	expect(await stage.chat(['sessions', 'redact', id, secret])).toMatchObject({
		stderr: `chat: the text is not in ${id} "${stars} is mine", nor in the prompt history\n`,
		exitCode: 1,
	});
});

test('the text can come from a pipe, and stays out of every message', async () => {
	const stage = await openStage();
	const id = await saveOne(stage, 'my word is swordfish');
	const other = await saveOne(stage, 'swordfish again');
	const path = historyPath(stage.directory);
	await appendHistory(path, {at: new Date().toISOString(), cwd: '/a', text: 'a swordfish'});
	const {stdout, stderr} = await stage.chat(['sessions', 'redact', id, '-'], {
		stdin: 'swordfish\n',
	});
	expect(stdout + stderr).toBe(
		`chat: masked the text in 1 place of ${id} "my word is *********", and in 1 place of the prompt history\nchat: the text also occurs in: ${other}\n`,
	);
	expect(readFileSync(path, 'utf8')).toContain('"a *********"');
	const none = await stage.chat(['sessions', 'redact', id]);
	expect(none.exitCode).toBe(64);
	expect(none.stderr).toContain('no text was piped in, and there is no terminal to ask for one');
	expect((await stage.chat(['sessions', 'redact', id, ' '])).exitCode).toBe(64);
});

test('a text is found in JSON that is a text itself', async () => {
	const inner = JSON.stringify({password: secret});
	const outer = JSON.stringify({json: inner});
	const ascii = inner.replace('ö', '\\u00f6').replace('/', '\\/');
	const parts = [inner, outer, ascii].map((text) => ({type: 'text', text}));
	const {records} = await maskIn([{type: 'answer', of: 'a', messages: [{parts}]}]);
	const texts = records[0].messages[0].parts.map(({text}: {readonly text: string}) => text);
	expect(JSON.parse(texts[0])).toEqual({password: expect.stringMatching(/^\*+$/)});
	expect(JSON.parse(JSON.parse(texts[1]).json)).toEqual({password: expect.stringMatching(/^\*+$/)});
	expect(texts.join('')).not.toMatch(/w(ö|\\u00f6)rt/);
});

test.each([
	['other letter case', 'PA"SS/WÖRT\\1 and Pa"ss/Wört\\1'],
	['entities of HTML', 'pa&quot;ss/w&#xF6;rt\\1 and pa&#34;ss/w&#246;rt&#92;1'],
	['a URL', 'pa%22ss%2Fw%C3%B6rt%5C1 and pa%22ss%2fw%c3%b6rt%5c1'],
	['a URL inside of a URL', 'pa%2522ss%252Fw%25C3%25B6rt%255C1'],
	['quoted-printable', 'pa"ss/w=C3=B6rt\\1'],
	['hexadecimal', Buffer.from(secret).toString('hex')],
])('a text is masked in %s', async (_, written) => {
	const {records} = await maskIn([{type: 'title', text: `a ${written} b`}]);
	expect(records).toEqual([{type: 'title', text: expect.stringMatching(/^a \*+(?: and \*+)? b$/)}]);
});

test('a long text is masked, and the cost of that grows with the file, and not faster', async () => {
	const key = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(100);
	const {count} = await maskIn([{type: 'title', text: `a ${key} b`}], key);
	expect(count).toBe(1);
	const mask = createTextMask(secret);
	expectLinearCost((size) => mask.apply('pa"ss/wor %22 &#34; '.repeat(size)), 2000);
});

test('attachments that are not searched are reported', async () => {
	const stage = await openStage();
	writeFileSync(join(stage.home, 'a.pdf'), '%PDF-1.7\n%%EOF\n');
	const id = await saveOne(stage, 'hello pelican', '-a', 'a.pdf');
	const {stderr} = await stage.chat(['sessions', 'redact', id, 'PELICAN']);
	expect(stderr).toContain('masked the text in 1 place');
	expect(stderr).toContain(`1 attachment of ${id} not searched (images, PDFs, recordings)`);
});

test('a text that is cut in two is masked in the parts of an answer under way', async () => {
	const delta = (text: string) => ({type: 'text-delta', text});
	const {count, records} = await maskIn(
		[
			{type: 'partial', of: 'a', ms: 1, events: [delta('correct horse ')]},
			{type: 'partial', of: 'b', ms: 1, events: [delta('battery staple')]},
			{
				type: 'partial',
				of: 'a',
				ms: 2,
				events: [delta('battery'), {type: 'reasoning-delta', text: '!'}],
			},
			{type: 'partial', of: 'a', ms: 3, events: [delta(' staple, ok')]},
		],
		'correct horse battery staple',
	);
	expect(count).toBe(1);
	const texts = records.map(({events}) => events[0].text);
	expect(texts).toEqual(['*'.repeat(14), 'battery staple', '*'.repeat(7), `${'*'.repeat(7)}, ok`]);
});

test('words of the records themselves stay', async () => {
	const record = {type: 'user', id: 'user', parent: null, text: 'the user', attachments: []};
	const value = {user: 'a user'};
	const tool = {role: 'tool', callId: 'user', parts: [{type: 'json', value}]};
	const {records} = await maskIn([record, {type: 'answer', of: 'user', messages: [tool]}], 'user');
	expect(records).toEqual([
		{...record, text: 'the ****'},
		{
			type: 'answer',
			of: 'user',
			messages: [{...tool, parts: [{type: 'json', value: {'****': 'a ****'}}]}],
		},
	]);
});

test('a conversation is not named as another one for a word of its format', async () => {
	const stage = await openStage();
	const id = await saveOne(stage, 'hello');
	const {stderr, exitCode} = await stage.chat(['sessions', 'redact', id, 'created']);
	expect({stderr, exitCode}).toEqual({
		stderr: `chat: the text is not in ${id} "hello", nor in the prompt history\n`,
		exitCode: 1,
	});
});

test('a text is masked in a damaged line, too', async () => {
	const stage = await openStage();
	const id = await saveOne(stage, 'hello');
	appendFileSync(stage.fileOf(id), `{"type":"answer","text":${JSON.stringify(secret)},`);
	await stage.chat(['sessions', 'redact', id, secret]);
	expect(readFileSync(stage.fileOf(id), 'utf8')).not.toContain('wört');
});

test('a text of asterisks in a damaged line comes to an end', () => {
	const mask = createTextMask('**');
	const bytes = Buffer.from('{"text":"**bold**');
	mask.applyToBytes(bytes);
	expect([bytes.toString(), mask.count()]).toEqual(['{"text":"**bold**', 2]);
});

/** Appends lines as a recorder does: one write for each, and no lock. */
const writer = `
	const fs = require('node:fs');
	const [path, count] = process.argv.slice(1);
	const fd = fs.openSync(path, 'a');
	for (let number = 0; number < Number(count); number++) {
		fs.writeSync(fd, JSON.stringify({type: 'title', text: 'swordfish ' + number}) + '\\n');
	}
`;

test('a conversation that is masked while another process adds to it loses nothing', async () => {
	const path = join(createHome({}).home, 'session.jsonl');
	writeFileSync(path, '');
	const count = 10_000;
	const child = spawn(process.execPath, ['-e', writer, path, String(count)]);
	let isRunning = true;
	const ended = once(child, 'exit').then(() => {
		isRunning = false;
	});
	let masked = 0;
	while (isRunning) {
		const mask = createTextMask('swordfish');
		await redactSession(path, mask);
		if (isRunning) masked += mask.count();
		await new Promise(setImmediate);
	}
	await ended;
	await redactSession(path, createTextMask('swordfish'));
	expect(masked).toBeGreaterThan(0);
	const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
	const texts = lines.map((line) => JSON.parse(line).text);
	expect(texts).toEqual(Array.from({length: count}, (_, number) => `********* ${number}`));
});

test('a running session goes on in the masked file', async () => {
	const service = await startScripted(say('swordfish, I see'), say('second answer'));
	const env = {...service.env, CHAT_SAVE: undefined};
	const terminal = await openTerminal({env});
	terminal.type('my word is swordfish\r');
	await terminal.untilText('swordfish, I see');
	await terminal.untilText('Ask something');
	const other = await openTerminal({
		env: {...env, HOME: terminal.home},
		argv: ['sessions', 'redact', 'my word is swordfish'],
	});
	await other.untilText('Text to mask (hidden)');
	other.type('swordfish\r');
	await other.untilText('masked the text in 2 places');
	terminal.type('second prompt\r');
	await terminal.untilText('second answer');
	await terminal.untilText('Ask something');
	terminal.type('/exit\r');
	await terminal.exit;
	const show = await openTerminal({
		env: {...env, HOME: terminal.home},
		argv: ['sessions', 'show', 'my word is *********'],
	});
	await show.exit;
	const shown = show.scrollback().join('\n');
	for (const text of ['*********, I see', 'second prompt', 'second answer']) {
		expect(shown).toContain(text);
	}
	expect(shown).not.toContain('swordfish');
});
