/** `chat sessions`: conversations that are listed, searched, shown, exported, renamed and deleted. */
import {
	appendFileSync,
	chmodSync,
	existsSync,
	readFileSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {oldHistoryPath} from '../../src/sessions/old-history.ts';
import {createSearch} from '../../src/sessions/search-sessions.ts';
import {listSessionFiles} from '../../src/sessions/session-files.ts';
import {mediaFolder} from '../../src/sessions/session-path.ts';
import type {Line} from '../helpers/run-chat.ts';
import {
	lost,
	mediaOf,
	moveMediaToOldPlace,
	oldBlobsOf,
	openStage,
	type Stage,
	saveOne,
} from '../helpers/sessions-stage.ts';
import {modeOf} from '../helpers/settings-home.ts';

const pdf = '%PDF-1.7\n%%EOF\n';

/** Runs a command for JSON. */
async function jsonOf(stage: Stage, line: string) {
	return JSON.parse((await stage.chat(`sessions ${line} -o json`)).stdout);
}

const idsOf = async (stage: Stage, line: string): Promise<readonly string[]> =>
	(await jsonOf(stage, line)).map(({id}: {readonly id: string}) => id);

function makeOlder(stage: Stage, id: string, days: number): void {
	const time = new Date(Date.now() - days * 86_400_000);
	utimesSync(stage.fileOf(id), time, time);
}

describe('chat sessions list', () => {
	test('has the conversations, the latest first, and hides those without an answer', async () => {
		const stage = await openStage();
		expect(await stage.chat('sessions')).toMatchObject({stdout: '', exitCode: 0});
		expect(existsSync(stage.directory)).toBe(false);
		const first = await saveOne(stage, 'first\nand more');
		const second = await saveOne(stage, 'second');
		await stage.chat(`-r ${first} again`);
		const rows = `${first}  just now  2 turns  first\n${second}  just now  1 turn   second\n`;
		expect((await stage.chat('sessions')).stdout).toBe(rows);
		expect(await jsonOf(stage, 'list')).toMatchObject([
			{id: first, title: 'first', turns: 2, model: 'MODEL-5.6-sol'},
			{id: second, title: 'second', turns: 1},
		]);
		expect((await stage.chat('a long prompt', lost)).exitCode).toBe(69);
		await stage.chat(`-r ${second} lost too`, lost);
		expect((await stage.chat('sessions list')).stderr).toBe(
			'chat: 1 conversation without an answer not listed; --all lists all\n',
		);
		const [id = ''] = stage.ids().filter((one) => one !== first && one !== second);
		const {stdout} = await stage.chat('sessions list --all');
		expect(stdout).toMatch(new RegExp(`^${id}  just now  not answered  a long prompt$`, 'm'));
		expect((await stage.chat(`sessions show ${id}`)).stdout).toBe('## User\n\na long prompt\n');
	});

	test('finds by number, folder, age and model, and says when a conversation was updated', async () => {
		const stage = await openStage();
		const old = await saveOne(stage, 'an old prompt', '-m', 'luna');
		const recent = await saveOne(stage, 'a new prompt', '-m', 'terra');
		makeOlder(stage, old, 31);
		const date = statSync(stage.fileOf(old)).mtime.toLocaleDateString('sv-SE');
		for (const line of ['sessions list', 'sessions search old']) {
			expect((await stage.chat(line)).stdout).toContain(` ${date} `);
		}
		makeOlder(stage, old, 7);
		expect((await stage.chat('sessions list')).stdout).toContain(' 7 days ago ');
		for (const [line, ids] of [
			['list -n 1', [recent]],
			['list --here', [recent, old]],
			['list --since 6d', [recent]],
			['search prompt --since 1w', [recent]],
			['list --since 2w', [recent, old]],
			['list -m Luna', [old]],
			['search prompt -m terra', [recent]],
		] as const) {
			expect([line, ...(await idsOf(stage, line))]).toEqual([line, ...ids]);
		}
		const elsewhere = await stage.chat('sessions list --here -o json', {cwd: stage.directory});
		expect(JSON.parse(elsewhere.stdout)).toEqual([]);
	});
});

describe('chat sessions show', () => {
	test('prints Markdown without reasoning, or the JSON of the export', async () => {
		const stage = await openStage([[{reasoning: 'A greeting.'}, 'an answer']]);
		const id = await saveOne(stage, 'hello', '-s', 'Be kind.');
		const {stdout} = await stage.chat(`sessions show ${id}`);
		expect(stdout).toBe('## System\n\nBe kind.\n\n## User\n\nhello\n\n## Assistant\n\nan answer\n');
		const {stdout: json} = await stage.chat(`sessions show ${id} -o json`);
		expect(json).toBe((await stage.chat(`sessions export ${id} --format json`)).stdout);
		const {stdout: line} = await stage.chat(`sessions show ${id} -o jsonl`);
		const records: readonly unknown[] = JSON.parse(json);
		expect(line).toBe(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
	});

	test('has the current branch, and with --all-branches also the others', async () => {
		const stage = await openStage([['one'], ['two'], ['three'], ['four']]);
		const id = await saveOne(stage, 'first');
		for (const prompt of ['second', 'third']) await stage.chat(`-r ${id} ${prompt}`);
		const path = (await stage.chat(['sessions', 'path', id])).stdout.trim();
		const turns = readFileSync(path, 'utf8')
			.split('\n')
			.filter((line) => line.startsWith('{"type":"user"'))
			.map((line) => JSON.parse(line));
		appendFileSync(path, `${JSON.stringify({type: 'head', at: turns[0].id})}\n`);
		await stage.chat(`-r ${id} other`);
		const current = ['## User', 'first', '## Assistant', 'one'];
		const other = ['## User', 'other', '## Assistant', 'four'];
		expect(await stage.chat(`sessions show ${id}`)).toMatchObject({
			stdout: `${[...current, ...other].join('\n\n')}\n`,
			stderr: `chat: ${id} has 2 turns on other branches; --all-branches shows them\n`,
		});
		const left = ['# Branch 2, after turn 1', '## User', 'second', '## Assistant', 'two'];
		const after = ['## User', 'third', '## Assistant', 'three'];
		expect(await stage.chat(`sessions show ${id} --all-branches`)).toMatchObject({
			stdout: `${[...current, ...other, ...left, ...after].join('\n\n')}\n`,
			stderr: '',
		});
	});
});

describe('chat sessions export', () => {
	test('keeps prompts that the conversation left without an answer, also through an import', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'first');
		await stage.chat(`-r ${id} nobody was there`, lost);
		await stage.chat(`-r ${id} the answer is damaged`);
		const text = readFileSync(stage.fileOf(id), 'utf8').trimEnd();
		writeFileSync(stage.fileOf(id), `${text.slice(0, text.lastIndexOf('\n') + 41)}\n`);
		await stage.chat(`-r ${id} last`);
		const show = async (word: string) =>
			(await stage.chat(`sessions show ${word} --all-branches`)).stdout;
		const shown = await show(id);
		expect(shown.match(/^(?:first|nobody.*|the answer.*|last|an answer)$/gm)).toEqual([
			...['first', 'an answer', 'last', 'an answer'],
			...['nobody was there', 'the answer is damaged'],
		]);
		const {stdout: stdin} = await stage.chat(`sessions export ${id} --format json`);
		const again = await stage.chat('sessions import -', {stdin});
		expect(again.stderr).toContain('already there');
		await stage.chat(`sessions delete ${id}`);
		await stage.chat('sessions import -', {stdin});
		expect(await show(stage.ids()[0] ?? '')).toBe(shown);
	});

	test('prints the messages of a request, with the parts of attachments', async () => {
		const stage = await openStage();
		const image = ['--image', 'https://example.com/a.png'];
		const id = await saveOne(stage, 'hello', '-s', 'Be kind.', ...image);
		await stage.chat(`-r ${id} again`);
		const {stdout} = await stage.chat(`sessions export ${id} --format openai`);
		const sent = stage.service.bodies().at(-1)?.messages ?? [];
		expect(JSON.parse(stdout)).toEqual([...sent, {role: 'assistant', content: 'an answer'}]);
		expect(sent).toHaveLength(4);
	});

	test('leaves the reasoning out of every format, and control characters out of a terminal', async () => {
		const stage = await openStage([
			[{reasoning: 'A short name.'}, 'Gulliver is **bold** <b>', ' \u009b31mred'],
		]);
		const id = await saveOne(stage, 'Name a bird');
		for (const format of ['md', 'json', 'html', 'openai']) {
			const line = `sessions export ${id} --format ${format} --no-reasoning`;
			const {stdout} = await stage.chat(line, {terminals: ['stdout']});
			expect(stdout).toContain(
				format === 'html'
					? 'Gulliver is <strong>bold</strong> &#60;b&#62;'
					: 'Gulliver is **bold** <b>',
			);
			expect(stdout).not.toContain('A short name.');
			expect(stdout).not.toContain('\u009b');
		}
		const {stdout} = await stage.chat(['sessions', 'export', 'Name a bird']);
		expect(stdout).toContain('<summary>Reasoning</summary>\n\nA short name.');
		const messages = await stage.chat(`sessions export ${id} --format openai`);
		expect(messages.stdout).toContain('\u009b');
	});
});

describe('chat sessions search', () => {
	test.each<[string, Line, object]>([
		['whatever the case and the accents', 'pelican IDEAS', {role: 'user', excerpt: 'Name ideas'}],
		['what is escaped in the file', ['\\ \u009bideas'], {role: 'user'}],
		['the texts of a role', 'think --role reasoning', {role: 'reasoning'}],
	])('finds %s', async (_, words, found) => {
		const answer = 'A good «Pélican»\n name, \n"Gulliver"';
		const stage = await openStage([[{reasoning: 'let me think'}, answer], ['nothing']]);
		const prompt = typeof words === 'string' ? 'Name ideas' : 'Name \\ \u009bideas';
		const id = await saveOne(stage, prompt);
		await saveOne(stage, 'pelican');
		const list = typeof words === 'string' ? words.split(' ') : words;
		const {stdout} = await stage.chat(['sessions', 'search', '-o', 'json', ...list]);
		expect(JSON.parse(stdout)).toMatchObject([{id, ...found}]);
	});

	test('ends with 1 where nothing is found, and says so on a terminal', async () => {
		const stage = await openStage([[{reasoning: 'let me think'}, 'an answer']]);
		const id = await saveOne(stage, 'hello');
		for (const words of ['albatross', 'think', 'attachments', 'answer --role user']) {
			const run = await stage.chat(`sessions search ${words}`);
			expect(run).toEqual({stdout: '', stderr: '', exitCode: 1});
		}
		const {stderr} = await stage.chat('sessions search x', {terminals: ['stdout', 'stderr']});
		expect(stderr).toContain('no conversation has all these texts');
		const [file] = listSessionFiles(stage.directory);
		await stage.chat(`sessions delete ${id}`);
		// Another run may delete it during the search.
		expect(file && createSearch(['hello'])(file)).toBeUndefined();
	});
});

test('rename gives a title, which -r and search know, and keeps its last use', async () => {
	const stage = await openStage();
	const old = await saveOne(stage, 'the old one');
	utimesSync(stage.fileOf(old), 1000, 1000);
	const latest = await saveOne(stage, 'the latest one');
	await stage.chat(`sessions rename ${old} pelicans`);
	const {stderr} = await stage.chat(['sessions', 'rename', old, 'water birds']);
	expect(stderr).toBe(`chat: ${old} is now called "water birds"\n`);
	expect(await jsonOf(stage, 'list')).toMatchObject([
		{id: latest},
		{id: old, title: 'water birds', updated: '1970-01-01T00:16:40.000Z'},
	]);
	expect((await stage.chat('-c more')).stderr).toContain(`continuing ${latest}`);
	expect(await jsonOf(stage, 'search birds')).toMatchObject([{id: old, role: 'title'}]);
	expect(await idsOf(stage, 'search pelicans')).toEqual([]);
	const named = await stage.chat(['-r', 'water birds', 'more']);
	expect(named.stderr).toContain(`continuing ${old} "water birds" (1 turn`);
});

test.skipIf(process.getuid?.() === 0)('an unreadable conversation is named', async () => {
	const stage = await openStage();
	const id = await saveOne(stage, 'hello');
	const folder = dirname(stage.fileOf(id));
	const reports = async (line: string) => {
		const {stderr, exitCode} = await stage.chat(line);
		expect(exitCode).toBe(66);
		return stderr;
	};
	chmodSync(stage.fileOf(id), 0);
	for (const verb of ['show', 'export']) {
		const message = `chat: cannot read the conversation ${id}: EACCES`;
		expect(await reports(`sessions ${verb} ${id}`)).toContain(message);
	}
	expect((await stage.chat('sessions')).stderr).toBe(`chat: ${id} cannot be read\n`);
	chmodSync(folder, 0);
	onTestFinished(() => chmodSync(folder, 0o700));
	for (const line of ['sessions', '-c more', `sessions delete ${id}`]) {
		expect(await reports(line)).toContain('chat: cannot read the saved conversations: EACCES');
	}
});

describe('chat sessions delete', () => {
	test('deletes a conversation with its attachments alone, and nothing for an unknown id', async () => {
		const stage = await openStage();
		writeFileSync(join(stage.home, 'a.pdf'), pdf);
		const one = await saveOne(stage, 'one', '-a', 'a.pdf');
		const other = await saveOne(stage, 'other', '-a', 'a.pdf');
		const folder = mediaFolder(stage.fileOf(one));
		expect((await stage.chat(`sessions delete ${one} nothere`)).exitCode).toBe(66);
		expect(existsSync(folder)).toBe(true);
		const stderr = `chat: deleted ${one} "one"\n`;
		expect(await stage.chat(`sessions delete ${one}`)).toEqual({stdout: '', stderr, exitCode: 0});
		expect(existsSync(folder)).toBe(false);
		expect(stage.ids()).toEqual([other]);
		expect(mediaOf(stage, other)).toHaveLength(1);
		const asked = await stage.chat('sessions delete --all');
		expect(asked.exitCode).toBe(64);
		expect(asked.stderr).toContain('Delete all 1 conversation?');
		expect(stage.ids()).toEqual([other]);
		await stage.chat('sessions delete --all -y');
		expect(stage.ids()).toEqual([]);
	});

	test('deletes the attachments and the history of an earlier version that are its own', async () => {
		const stage = await openStage();
		for (const name of ['a', 'b']) {
			writeFileSync(join(stage.home, `${name}.pdf`), `%PDF-1.7\n${name}\n%%EOF\n`);
		}
		const both = await saveOne(stage, 'a secret plan', '-a', 'a.pdf', '-a', 'b.pdf');
		const one = await saveOne(stage, 'one', '-a', 'a.pdf');
		moveMediaToOldPlace(stage);
		const path = oldHistoryPath(stage.directory);
		const lineOf = (text: string) => `${JSON.stringify({at: '2026-11-22', cwd: '/a', text})}\n`;
		writeFileSync(path, lineOf('a secret plan') + lineOf('another prompt'), {mode: 0o600});
		const counts = [oldBlobsOf(stage).length];
		for (const id of [both, one]) {
			await stage.chat(`sessions delete ${id}`);
			counts.push(oldBlobsOf(stage).length);
		}
		expect(counts).toEqual([2, 1, 0]);
		expect(readFileSync(path, 'utf8')).toBe(lineOf('another prompt'));
		expect(modeOf(path)).toBe('600');
	});
});

describe('chat sessions prune', () => {
	const prune = 'sessions prune --older-than 90d';

	/** Saves an old conversation with an attachment, and a recent one. */
	async function saveTwo() {
		const stage = await openStage();
		writeFileSync(join(stage.home, 'a.pdf'), pdf);
		const old = await saveOne(stage, 'the old one', '-a', 'a.pdf');
		const recent = await saveOne(stage, 'the recent one');
		makeOlder(stage, old, 91);
		return {stage, old, recent};
	}

	test('deletes what was not updated for that long; --dry-run lists it alone', async () => {
		const {stage, old, recent} = await saveTwo();
		const {size} = statSync(stage.fileOf(old));
		const folder = mediaFolder(stage.fileOf(old));
		const dry = await stage.chat(`${prune} --dry-run`);
		expect(dry.stdout).toMatch(new RegExp(`^${old} +\\d{4}-\\d\\d-\\d\\d +1 turn +the old one\n$`));
		const sum = `1 conversation and 1 attachment (${size + 15} bytes)\n`;
		expect(dry.stderr).toBe(`chat: would delete ${sum}`);
		const unasked = await stage.chat(prune);
		expect(unasked.exitCode).toBe(64);
		expect(unasked.stderr).toContain('needs a terminal to confirm (or --yes): Delete 1');
		expect([stage.ids().length, existsSync(folder)]).toEqual([2, true]);
		expect((await stage.chat(`${prune} --yes`)).stderr).toBe(`chat: deleted ${sum}`);
		expect([stage.ids(), existsSync(folder)]).toEqual([[recent], false]);
		expect((await stage.chat(`${prune} --yes`)).stderr).toBe('chat: deleted nothing\n');
	});

	test.each([
		['yes\r', 1],
		['\r', 2],
	])('asks on a terminal: %j keeps %i', async (typed, kept) => {
		const {stage} = await saveTwo();
		const {stderr} = await stage.chat(prune, {stdin: {typed}, terminals: ['stderr']});
		expect(stderr).toContain('Delete 1 conversation?');
		expect(stage.ids()).toHaveLength(kept);
	});

	test('--unanswered deletes those without an answer, except one that may still get it', async () => {
		const stage = await openStage();
		const answered = await saveOne(stage, 'answered');
		await stage.chat(`-r ${answered} a lost question`, lost);
		await stage.chat('lost', lost);
		const [old = ''] = stage.ids().filter((id) => id !== answered);
		makeOlder(stage, old, 1 / 12);
		makeOlder(stage, answered, 1);
		await stage.chat('just sent', lost);
		const before = stage.ids();
		const {stderr} = await stage.chat('sessions prune --unanswered --yes');
		expect(stderr).toContain('deleted 1 conversation and 0 attachments');
		expect(stage.ids()).toEqual(before.filter((id) => id !== old));
	});
});
