/** Masks texts with `chat sessions redact`. */
import {spawn} from 'node:child_process';
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
import {text} from 'node:stream/consumers';
import {buildSync} from 'esbuild';
import {expect, test} from 'vitest';
import {oldHistoryPath} from '../../src/sessions/old-history.ts';
import {redactFile} from '../../src/sessions/redact-session.ts';
import {createTextMask} from '../../src/sessions/text-mask.ts';
import {expectLinearCost} from '../helpers/cost.ts';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {openStage, saveOne} from '../helpers/sessions-stage.ts';
import {createHome, modeOf} from '../helpers/settings-home.ts';
import {openTerminal} from '../helpers/terminal.ts';

const secret = 'pa"ss/wört\\1';

/** Writes a file of these records, masks the secret in it, and returns the records. */
async function maskIn(records: readonly unknown[], text = secret) {
	const path = join(createHome({}).home, 'session.jsonl');
	const lines = records.map((record) => `${JSON.stringify(record)}\n`);
	writeFileSync(path, lines.join(''));
	const mask = createTextMask(text);
	await redactFile(path, mask);
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
	const {stderr, exitCode} = await stage.chat(['sessions', 'redact', id, secret]);
	const stars = '*'.repeat(secret.length);
	expect({stderr, exitCode}).toEqual({
		stderr: `chat: masked the text in 4 places of ${id} "${stars} is mine"\n`,
		exitCode: 0,
	});
	const text = readFileSync(stage.fileOf(id), 'utf8');
	expect(text).not.toContain('wört');
	expect(modeOf(stage.fileOf(id))).toBe('600');
	const shown = await stage.chat(['sessions', 'show', id]);
	expect(shown.stdout).toContain(`the password is ${stars} and done`);
	expect(shown.stderr).toBe('');
	await stage.chat(['-r', id, 'more']);
	expect(JSON.stringify(stage.service.bodies().at(-1))).not.toContain('wört');
	expect(await stage.chat(['sessions', 'redact', id, secret])).toMatchObject({
		stderr: `chat: the text is not in ${id} "${stars} is mine"\n`,
		exitCode: 1,
	});
});

test('the text can come from a pipe, and stays out of every message', async () => {
	const stage = await openStage();
	const id = await saveOne(stage, 'my word is swordfish');
	const other = await saveOne(stage, 'swordfish again');
	const path = oldHistoryPath(stage.directory);
	writeFileSync(path, `${JSON.stringify({at: '2026-11-22', cwd: '/a', text: 'a swordfish'})}\n`);
	const {stdout, stderr} = await stage.chat(['sessions', 'redact', id, '-'], {
		stdin: 'swordfish\n',
	});
	expect(stdout + stderr).toBe(
		`chat: masked the text in 1 place of ${id} "my word is *********" and 1 place of the prompt history\nchat: the text also occurs in: ${other}\n`,
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
	const thought = {type: 'reasoning-delta', text: '!'};
	const {count, records} = await maskIn(
		[
			{type: 'partial', of: 'a', ms: 1, events: [delta('correct horse ')]},
			{type: 'partial', of: 'b', ms: 1, events: [delta('battery staple')]},
			{type: 'partial', of: 'a', ms: 2, events: [delta('battery')]},
			{type: 'partial', of: 'a', ms: 3, events: [delta(' staple, ok'), thought]},
		],
		'correct horse battery staple',
	);
	expect(count).toBe(1);
	expect(records).toEqual([
		{type: 'partial', of: 'a', ms: 3, events: [delta(`${'*'.repeat(28)}, ok`), thought]},
		{type: 'partial', of: 'b', ms: 1, events: [delta('battery staple')]},
	]);
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
		stderr: `chat: the text is not in ${id} "hello"\n`,
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

test('a file that another run is masking is read only after that', async () => {
	const path = join(createHome({}).home, 'session.jsonl');
	const write = (to: string, text: string) =>
		writeFileSync(to, `${JSON.stringify({type: 'title', text})}\n`);
	write(path, 'swordfish and pelican');
	writeFileSync(`${path}.lock`, 'other');
	const isDone = redactFile(path, createTextMask('swordfish'));
	write(`${path}.other`, 'swordfish and *******');
	renameSync(`${path}.other`, path);
	rmSync(`${path}.lock`);
	await isDone;
	expect(JSON.parse(readFileSync(path, 'utf8')).text).toBe('********* and *******');
});

test('a text of asterisks in a damaged line comes to an end', async () => {
	const path = join(createHome({}).home, 'session.jsonl');
	writeFileSync(path, '{"text":"**bold**');
	const mask = createTextMask('**');
	await redactFile(path, mask);
	expect([readFileSync(path, 'utf8'), mask.count()]).toEqual(['{"text":"**bold**\n', 2]);
});

test('the conversation to continue is the one that was used last, also after another was masked', async () => {
	const stage = await openStage();
	const old = await saveOne(stage, 'swordfish');
	const time = new Date(Date.now() - 60_000);
	utimesSync(stage.fileOf(old), time, time);
	await saveOne(stage, 'the latest one');
	await stage.chat(['sessions', 'redact', old, 'swordfish']);
	await stage.chat(['-c', 'more']);
	expect(JSON.stringify(stage.service.bodies().at(-1))).toContain('the latest one');
});

test('a conversation with half a line at its end keeps the time of its last use', async () => {
	const path = join(createHome({}).home, 'session.jsonl');
	writeFileSync(path, '{"type":"title","text":"swordfish"}\n{"type":"answer","text":"sword');
	utimesSync(path, 1000, 1000);
	await redactFile(path, createTextMask('swordfish'));
	expect(readFileSync(path, 'utf8')).toContain('"sword\n');
	expect(statSync(path).mtimeMs).toBe(1_000_000);
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

/** Builds a program that appends records as a run does. */
function buildWriter(folder: string): string {
	const outfile = join(folder, 'writer.mjs');
	const contents = `
		import {openAppendFile} from './append-file.ts';
		import {existsSync} from 'node:fs';
		const [path, stop] = process.argv.slice(2);
		const file = openAppendFile(path);
		let number = 0;
		while (!existsSync(stop)) {
			file.append(JSON.stringify({type: 'title', text: 'swordfish ' + number++}) + '\\n');
			if (number % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
		}
		process.stdout.write(String(number));
	`;
	const resolveDir = join(import.meta.dirname, '../../src/sessions');
	const stdin = {contents, resolveDir};
	buildSync({stdin, outfile, bundle: true, platform: 'node', format: 'esm'});
	return outfile;
}

test('a conversation that is masked while another process adds to it loses nothing', async () => {
	const {home} = createHome({});
	const [path, stop] = [join(home, 'session.jsonl'), join(home, 'stop')];
	writeFileSync(path, '');
	const child = spawn(process.execPath, [buildWriter(home), path, stop], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const written = text(child.stdout);
	const mask = createTextMask('swordfish');
	for (let count = 0; count < 1000; count = mask.count()) await redactFile(path, mask);
	for (let times = 0; times < 5; times += 1) await redactFile(path, mask);
	writeFileSync(stop, '');
	const count = Number(await written);
	await redactFile(path, mask);
	expect(mask.count()).toBe(count);
	const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
	const numbers = lines.map((line) => Number(/^\*+ (\d+)$/.exec(JSON.parse(line).text)?.[1]));
	expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({length: count}, (_, n) => n));
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
