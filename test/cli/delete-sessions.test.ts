/** Deletes conversations with `chat sessions delete` and `chat sessions prune`. */
import {existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {summarize} from '../../src/sessions/find-session.ts';
import {oldHistoryPath} from '../../src/sessions/old-history.ts';
import {listSessionFiles} from '../../src/sessions/session-files.ts';
import {mediaFolder} from '../../src/sessions/session-path.ts';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {
	mediaOf,
	moveMediaToOldPlace,
	oldBlobsOf,
	openStage,
	saveOne,
} from '../helpers/sessions-stage.ts';
import {modeOf} from '../helpers/settings-home.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';

type Stage = Awaited<ReturnType<typeof openStage>>;

const dayMs = 86_400_000;

function makeOlder(path: string, days: number): void {
	const time = new Date(Date.now() - days * dayMs);
	utimesSync(path, time, time);
}

function homeOf({directory}: Stage): string {
	return join(directory, '..', '..', '..');
}

/** Saves an old conversation with an attachment and a recent one. */
async function saveTwo(stage: Stage): Promise<{readonly old: string; readonly recent: string}> {
	writeFileSync(join(homeOf(stage), 'a.pdf'), '%PDF-1.7\n%%EOF\n');
	const old = await saveOne(stage, 'the old one', '-a', 'a.pdf');
	const recent = await saveOne(stage, 'the recent one');
	makeOlder(stage.fileOf(old), 91);
	return {old, recent};
}

const prune = ['sessions', 'prune', '--older-than', '90d'];

test('prune deletes what was not updated for that long, and says how much that was', async () => {
	const stage = await openStage();
	const {old, recent} = await saveTwo(stage);
	const {size} = statSync(stage.fileOf(old));
	const folder = mediaFolder(stage.fileOf(old));
	expect(existsSync(folder)).toBe(true);
	const {stderr, exitCode} = await stage.chat([...prune, '--yes']);
	expect({stderr, exitCode}).toEqual({
		stderr: `chat: deleted 1 conversation and 1 attachment (${size + 15} bytes)\n`,
		exitCode: 0,
	});
	expect(stage.ids()).toEqual([recent]);
	expect(existsSync(folder)).toBe(false);
	expect((await stage.chat([...prune, '--yes'])).stderr).toBe('chat: deleted nothing\n');
});

test('prune --dry-run lists it, and deletes nothing', async () => {
	const stage = await openStage();
	const {old} = await saveTwo(stage);
	const {stdout, stderr, exitCode} = await stage.chat([...prune, '--dry-run']);
	expect(stdout).toMatch(new RegExp(`^${old} +\\d{4}-\\d\\d-\\d\\d +1 turn +the old one\n$`));
	expect(stderr).toMatch(/^chat: would delete 1 conversation and 1 attachment \(\d+ bytes\)\n$/);
	expect(exitCode).toBe(0);
	expect(stage.ids()).toHaveLength(2);
	expect(mediaOf(stage, old)).toHaveLength(1);
});

test('prune without a terminal to ask on deletes nothing, and says how it would', async () => {
	const stage = await openStage();
	await saveTwo(stage);
	const {stderr, exitCode} = await stage.chat(prune);
	expect(exitCode).toBe(64);
	expect(stderr).toContain('chat sessions prune needs a terminal to confirm (or --yes): Delete 1');
	expect(stage.ids()).toHaveLength(2);
});

test('prune needs an age', async () => {
	const stage = await openStage();
	const {stderr, exitCode} = await stage.chat(['sessions', 'prune', '--yes']);
	expect(exitCode).toBe(64);
	expect(stderr).toContain('sessions prune needs --older-than or --unanswered');
});

test.each([
	{key: 'yes\r', kept: 1},
	{key: '\r', kept: 2},
	{key: 'no\r', kept: 2},
	{key: '\u0003', kept: 2},
])('prune asks on a terminal: $key keeps $kept', async ({key, kept}) => {
	const stage = await openStage();
	await saveTwo(stage);
	const env = {HOME: homeOf(stage), CHAT_SAVE: undefined};
	const terminal = await openInProcess({env, argv: prune});
	await terminal.untilText('Delete 1 conversation?');
	terminal.type(key);
	await terminal.exit;
	expect(stage.ids()).toHaveLength(kept);
});

test('prune --unanswered deletes those without an answer, except one that may still get it', async () => {
	const stage = await openStage();
	const answered = await saveOne(stage, 'answered');
	const variables = {
		CHAT_BASE_URL: 'http://127.0.0.1:1/v1',
		CHAT_MODEL: 'm',
		CHAT_MAX_RETRIES: '0',
	};
	await stage.chat(['-r', answered, 'a lost question'], {variables});
	await stage.chat(['lost'], {variables});
	const [lost = ''] = stage.ids().filter((id) => id !== answered);
	makeOlder(stage.fileOf(lost), 1 / 12);
	makeOlder(stage.fileOf(answered), 1);
	await stage.chat(['just sent'], {variables});
	const before = stage.ids();
	const argv = ['sessions', 'prune', '--unanswered', '--yes'];
	expect((await stage.chat(argv)).stderr).toContain('deleted 1 conversation and 0 attachments');
	expect(stage.ids()).toEqual(before.filter((id) => id !== lost));
});

test('delete --all deletes every conversation, once that was agreed to', async () => {
	const stage = await openStage();
	await saveTwo(stage);
	const argv = ['sessions', 'delete', '--all'];
	const asked = await stage.chat(argv);
	expect(asked).toMatchObject({
		exitCode: 64,
		stderr: expect.stringContaining('Delete all 2 conversations?'),
	});
	expect((await stage.chat([...argv, stage.ids()[0] ?? ''])).exitCode).toBe(64);
	expect((await stage.chat(['sessions', 'delete'])).exitCode).toBe(64);
	expect(stage.ids()).toHaveLength(2);
	const {stderr} = await stage.chat([...argv, '-y']);
	expect(stderr).toContain('deleted 2 conversations and 1 attachment');
	expect(stage.ids()).toEqual([]);
});

test('prune deletes the attachments of an earlier version that no conversation names', async () => {
	const stage = await openStage();
	await saveTwo(stage);
	moveMediaToOldPlace(stage);
	const [used = ''] = oldBlobsOf(stage);
	const unnamed = join(stage.directory, 'blobs', `sha256-${'0'.repeat(64)}`);
	writeFileSync(unnamed, 'bytes');
	const argv = ['sessions', 'prune', '--older-than', '1y'];
	const {stderr} = await stage.chat([...argv, '--dry-run']);
	expect(stderr).toBe('chat: would delete 0 conversations and 1 attachment (5 bytes)\n');
	await stage.chat([...argv, '--yes']);
	expect(oldBlobsOf(stage)).toEqual([used]);
	await stage.chat([...prune, '--yes']);
	expect(oldBlobsOf(stage)).toEqual([]);
});

test('delete removes the prompts of the conversation from the history of earlier versions', async () => {
	const stage = await openStage();
	const id = await saveOne(stage, 'a secret plan');
	const path = oldHistoryPath(stage.directory);
	const lineOf = (text: string) => `${JSON.stringify({at: '2026-11-22', cwd: '/a', text})}\n`;
	writeFileSync(path, lineOf('a secret plan') + lineOf('another prompt'), {mode: 0o600});
	await stage.chat(['sessions', 'delete', id]);
	expect(readFileSync(path, 'utf8')).toBe(lineOf('another prompt'));
	expect(modeOf(path)).toBe('600');
});

test('an interactive run whose conversations are deleted saves each again, and says so', async () => {
	const answers = ['one', 'two', 'three', 'four'];
	const service = await startScripted(...answers.map((word) => say(`answer ${word}`)));
	const terminal = await openInProcess({env: {...service.env, CHAT_SAVE: undefined}});
	const state = join(terminal.home, '.local', 'state', 'chat');
	const remove = () => {
		for (const {path} of listSessionFiles(state)) rmSync(path);
	};
	const ask = async (prompt: string, answer: string) => {
		terminal.type(`${prompt}\r`);
		await terminal.untilText(answer);
		await terminal.untilText('Ask something');
	};
	await terminal.untilText('Ask something');
	await ask('first', 'answer one');
	remove();
	await ask('second', 'answer two');
	await ask('/new', 'new conversation');
	await ask('third', 'answer three');
	remove();
	await ask('fourth', 'answer four');
	terminal.type('/exit\r');
	await terminal.exit;
	const shown = terminal.scrollback({isJoined: true}).join('\n');
	expect(shown.match(/was deleted by another run; it is saved again/g)).toHaveLength(2);
	expect(shown).toMatch(/saved; to continue: chat -r \w{8}$/m);
	expect(listSessionFiles(state).map((file) => summarize(file)?.turns)).toEqual([2]);
});
