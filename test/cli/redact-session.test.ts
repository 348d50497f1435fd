/** Masks texts with `chat sessions redact`. */
import {
	appendFileSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {oldHistoryPath} from '../../src/sessions/old-history.ts';
import {redactFile} from '../../src/sessions/redact-session.ts';
import {createTextMask} from '../../src/sessions/text-mask.ts';
import {openStage, saveOne} from '../helpers/sessions-stage.ts';
import {createHome, modeOf} from '../helpers/settings-home.ts';

const secret = 'pa"ss/wört\\1';

/** Writes a file of these lines, masks the text in it, and returns what it then holds. */
async function maskIn(lines: string, text = secret) {
	const path = join(createHome({}).home, 'session.jsonl');
	writeFileSync(path, lines);
	utimesSync(path, 1000, 1000);
	const mask = createTextMask(text);
	await redactFile(path, mask);
	const masked = readFileSync(path, 'utf8');
	const mtimeMs = statSync(path).mtimeMs;
	const records = () =>
		masked
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line));
	return {count: mask.count(), masked, mtimeMs, records};
}

const toLines = (records: readonly unknown[]) =>
	records.map((record) => `${JSON.stringify(record)}\n`).join('');

test('a text is masked in prompts, answers, reasoning, attachments and titles', async () => {
	const stage = await openStage([
		[{reasoning: `so ${secret} it is`}, `the password is ${secret}`, ' and done'],
		['another answer'],
	]);
	writeFileSync(join(stage.home, 'notes.txt'), `note: ${secret}`);
	writeFileSync(join(stage.home, 'a.pdf'), '%PDF-1.7\n%%EOF\n');
	const id = await saveOne(stage, `${secret} is mine`, '-f', 'notes.txt', '-a', 'a.pdf');
	const {stderr, exitCode} = await stage.chat(['sessions', 'redact', id, secret]);
	const stars = '*'.repeat(secret.length);
	expect(exitCode).toBe(0);
	expect(stderr).toContain(`chat: masked the text in 4 places of ${id} "${stars} is mine"\n`);
	expect(stderr).toContain(`1 attachment of ${id} not searched (images, PDFs, recordings)`);
	expect(readFileSync(stage.fileOf(id), 'utf8')).not.toContain('wört');
	expect(modeOf(stage.fileOf(id))).toBe('600');
	const shown = await stage.chat(`sessions show ${id}`);
	expect(shown.stdout).toContain(`the password is ${stars} and done`);
	await stage.chat(`-r ${id} more`);
	expect(JSON.stringify(stage.service.bodies().at(-1))).not.toContain('wört');
	appendFileSync(stage.fileOf(id), `{"type":"answer","text":${JSON.stringify(secret)},`);
	await stage.chat(['sessions', 'redact', id, secret]);
	expect(readFileSync(stage.fileOf(id), 'utf8')).not.toContain('wört');
	// The format has words that the conversation does not.
	for (const text of [secret, 'created']) {
		expect(await stage.chat(['sessions', 'redact', id, text])).toMatchObject({
			stderr: expect.stringContaining(`chat: the text is not in ${id} "${stars} is mine"\n`),
			exitCode: 1,
		});
	}
});

test('the text can be piped in or typed, and stays out of every message', async () => {
	const stage = await openStage();
	const id = await saveOne(stage, 'my word is swordfish');
	const other = await saveOne(stage, 'swordfish again');
	const path = oldHistoryPath(stage.directory);
	writeFileSync(path, toLines([{at: '2026-11-22', cwd: '/a', text: 'a swordfish'}]));
	const piped = await stage.chat(`sessions redact ${id} -`, {stdin: 'swordfish\n'});
	expect(piped.stdout + piped.stderr).toBe(
		`chat: masked the text in 1 place of ${id} "my word is *********" and 1 place of the prompt history\nchat: the text also occurs in: ${other}\n`,
	);
	expect(readFileSync(path, 'utf8')).toContain('"a *********"');
	const typed = {
		stdin: {typed: 'swordfish\r'},
		terminals: ['stderr'],
		secrets: ['swordfish'],
	} as const;
	const asked = await stage.chat(`sessions redact ${other}`, typed);
	expect(asked.stderr).toContain('Text to mask (hidden)');
	expect(asked.stderr).toContain(`masked the text in 1 place of ${other}`);
	// Each file has this word in its records, and no conversation has it in a text.
	const word = await stage.chat(`sessions redact ${id} created`);
	expect(word.stderr).not.toContain('also occurs');
	const none = await stage.chat(`sessions redact ${id}`);
	expect(none.exitCode).toBe(64);
	expect(none.stderr).toContain('no text was piped in, and there is no terminal to ask for one');
	expect((await stage.chat(['sessions', 'redact', id, ' '])).exitCode).toBe(64);
});

test('a text is found in JSON that is a text itself', async () => {
	const inner = JSON.stringify({password: secret});
	const outer = JSON.stringify({json: inner});
	const ascii = inner.replace('ö', '\\u00f6').replace('/', '\\/');
	const parts = [inner, outer, ascii].map((text) => ({type: 'text', text}));
	const {records} = await maskIn(toLines([{type: 'answer', of: 'a', messages: [{parts}]}]));
	const texts = records()[0].messages[0].parts.map(({text}: {readonly text: string}) => text);
	expect(JSON.parse(texts[0])).toEqual({password: expect.stringMatching(/^\*+$/)});
	expect(JSON.parse(JSON.parse(texts[1]).json)).toEqual({password: expect.stringMatching(/^\*+$/)});
	expect(texts.join('')).not.toMatch(/w(ö|\\u00f6)rt/);
});

test('a text is masked in the encodings of HTML, URLs, mail and bytes', async () => {
	const written = [
		'PA"SS/WÖRT\\1 and Pa"ss/Wört\\1',
		'pa&quot;ss/w&#xF6;rt\\1 and pa&#34;ss/w&#246;rt&#92;1',
		'pa%22ss%2Fw%C3%B6rt%5C1 and pa%22ss%2fw%c3%b6rt%5c1',
		'pa%2522ss%252Fw%25C3%25B6rt%255C1',
		'pa"ss/w=C3=B6rt\\1',
		Buffer.from(secret).toString('hex'),
	];
	const records = written.map((text) => ({type: 'title', text: `a ${text} b`}));
	const masked = (await maskIn(toLines(records))).records();
	const text = expect.stringMatching(/^a \*+(?: and \*+)? b$/);
	expect(masked).toEqual(written.map(() => ({type: 'title', text})));
});

test('a long text is masked', async () => {
	const key = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(100);
	expect((await maskIn(toLines([{type: 'title', text: `a ${key} b`}]), key)).count).toBe(1);
});

test('a text that is cut in two is masked in the parts of an answer under way', async () => {
	const delta = (text: string) => ({type: 'text-delta', text});
	const thought = {type: 'reasoning-delta', text: '!'};
	const partial = (of: string, ms: number, ...events: readonly object[]) => {
		return {type: 'partial', of, ms, events};
	};
	const {count, records} = await maskIn(
		toLines([
			partial('a', 1, delta('correct horse ')),
			partial('b', 1, delta('battery staple')),
			partial('a', 2, delta('battery')),
			partial('a', 3, delta(' staple, ok'), thought),
		]),
		'correct horse battery staple',
	);
	expect(count).toBe(1);
	expect(records()).toEqual([
		partial('a', 3, delta(`${'*'.repeat(28)}, ok`), thought),
		partial('b', 1, delta('battery staple')),
	]);
});

test('words of the records themselves stay', async () => {
	const user = {type: 'user', id: 'user', parent: null, text: 'the user', attachments: []};
	const tool = {role: 'tool', callId: 'user'};
	const answer = (value: unknown) => {
		return {type: 'answer', of: 'user', messages: [{...tool, parts: [{type: 'json', value}]}]};
	};
	const {records} = await maskIn(toLines([user, answer({user: 'a user'})]), 'user');
	expect(records()).toEqual([{...user, text: 'the ****'}, answer({'****': 'a ****'})]);
});

test('a damaged line and half a line at the end stay, with the time of the last use', async () => {
	const torn = '{"type":"title","text":"swordfish"}\n{"type":"answer","text":"sword';
	const {masked, mtimeMs} = await maskIn(torn, 'swordfish');
	expect(masked).toBe('{"type":"title","text":"*********"}\n{"type":"answer","text":"sword\n');
	expect(mtimeMs).toBe(1_000_000);
	const stars = await maskIn('{"text":"**bold**', '**');
	expect([stars.masked, stars.count]).toEqual(['{"text":"**bold**\n', 2]);
});

test('a file that another run is masking is read only after that', async () => {
	const path = join(createHome({}).home, 'session.jsonl');
	const write = (to: string, text: string) => writeFileSync(to, toLines([{type: 'title', text}]));
	write(path, 'swordfish and pelican');
	writeFileSync(`${path}.lock`, 'other');
	const isDone = redactFile(path, createTextMask('swordfish'));
	write(`${path}.other`, 'swordfish and *******');
	renameSync(`${path}.other`, path);
	rmSync(`${path}.lock`);
	await isDone;
	expect(JSON.parse(readFileSync(path, 'utf8')).text).toBe('********* and *******');
});

test('a conversation that is deleted while it is masked stays deleted', async () => {
	const path = join(createHome({}).home, 'session.jsonl');
	writeFileSync(path, '{"type":"title","text":"swordfish"}\n');
	const mask = createTextMask('swordfish');
	const apply = (text: string) => {
		rmSync(path, {force: true});
		return mask.apply(text);
	};
	await expect(redactFile(path, {...mask, apply})).rejects.toThrow('its file was deleted');
	expect(readdirSync(dirname(path)).filter((name) => name.startsWith('session'))).toEqual([]);
});
