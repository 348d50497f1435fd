/** Sessions that are saved, and go on in another process. */
import {existsSync, readdirSync} from 'node:fs';
import {mkdir, mkdtemp, rm, symlink} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {type ScriptedReply, say} from '../helpers/scripted-service.ts';
import type {TerminalOptions} from '../helpers/terminal.ts';
import {createDirectory} from '../input/input-helpers.ts';
import {openStory, ready, textsBelow} from './story.ts';

function sessionsIn(home: string): readonly string[] {
	const root = join(home, '.local', 'state', 'chat', 'sessions');
	if (!existsSync(root)) return [];
	const names = readdirSync(root, {recursive: true, encoding: 'utf8'});
	return names.filter((name) => name.endsWith('.jsonl'));
}

const open = (replies: readonly ScriptedReply[], {env, ...options}: TerminalOptions = {}) =>
	openStory(replies, {...options, env: {CHAT_SAVE: undefined, ...env}});

test('a session says how to continue it, and comes back with its turns, branches and prompts', async () => {
	const texts = ['first answer', '**second** answer', 'old answer', 'new answer', 'last answer'];
	const {terminal, service, ask, leave, again} = await open(texts.map(say));
	await ask('first prompt', 'first answer');
	expect(terminal.scrollback({isJoined: true}).join('\n')).toMatch(
		/\nfirst answer\n\n {2}· conversations are saved in ~\/\.local\/state\/chat; \/private stops/,
	);
	await ask('/model terra', 'model changed');
	await ask('second prompt', 'second answer');
	await ask('third prompt', 'old answer');
	await ask('/retry', 'new answer');
	await leave();
	const farewell = /new answer\n\n {2}· saved; to continue: chat -r ([0-9a-v]{8})\n/;
	const [, id = ''] = farewell.exec(terminal.screen().join('\n')) ?? [];
	const later = await again({argv: ['-r', id]});
	const shown = later.terminal.scrollback({isJoined: true});
	expect(shown.filter((line) => /^\S.*\w|^› \w|·/.test(line))).toEqual([
		expect.stringContaining('1 earlier turn'),
		...['› second prompt', 'second answer', '› third prompt', 'new answer'],
		expect.stringMatching(/continuing \w{8} "first prompt" \(3 turns, just now\)/),
		expect.stringContaining('has 2 branches'),
		...[`› (${ready})`, expect.stringMatching(/^MODEL-5.6-terra /)],
	]);
	later.terminal.type('/tree\r');
	await later.terminal.untilText('╰─ 3 third prompt');
	later.terminal.press('down', 'enter');
	await later.terminal.untilText(/back to "third prompt"[\s\S]*old answer/);
	// Above the command, the prompt of the earlier session.
	later.terminal.press('up', 'up');
	await later.terminal.untilText('› third prompt\n─');
	await later.ask('!', 'last answer');
	await later.leave();
	expect(service.bodies.at(-1)).toMatchObject({model: 'MODEL-5.6-terra'});
	expect(later.sent()).toEqual([
		...['first prompt', 'first answer', 'second prompt', '**second** answer'],
		...['third prompt', 'old answer', 'third prompt!'],
	]);
	expect(sessionsIn(terminal.home)).toHaveLength(1);
});

test('the first screen lists the last conversations of the folder, which /resume takes by number', async () => {
	const first = await open(['one', 'two', 'three'].map(say));
	expect(first.terminal.screen().join('\n')).not.toContain('/resume');
	await first.ask('Name a bird', 'one');
	await first.ask('/new', /\w{8} is saved; \/resume \w{8}\s+returns to it/);
	await first.ask('Name a fish', 'two');
	await first.leave();
	const {terminal, ask, leave} = await first.again({rows: 30});
	expect(terminal.screen().slice(2, 5)).toEqual([
		'  Earlier in this folder · /resume 1 goes on',
		'  1  Name a fish   1 turn · just now',
		'  2  Name a bird   1 turn · just now',
	]);
	await ask('Name 3 trees', 'three');
	await ask('/resume 2', /› Name a bird\n\none/);
	// The numbers mean what was shown, whatever was used since.
	await ask('/resume 1', /› Name a fish\n\ntwo/);
	// Another conversation has this number in its title.
	await ask('/resume 3', 'no conversation has the id or title "3"');
	expect(terminal.screen().join('\n')).toContain('/sessions lists them');
	await leave();
	const elsewhere = await first.again({cwd: createDirectory({})});
	expect(elsewhere.terminal.scrollback().join('\n')).not.toContain('Earlier in this folder');
});

test('/name titles a conversation before and after its first turn; no key is saved', async () => {
	const key = 'sk-very-secret-0123456789';
	const env = {CHAT_API_KEY: key};
	const {terminal, ask, leave, again} = await open([say('one'), say('two')], {env});
	await ask('/name', /\w{8}, not saved before the first prompt/);
	await ask('/name  water \x1b[D birds ', /\w{8} is now called "water birds"/);
	expect(sessionsIn(terminal.home)).toEqual([]);
	await ask(' is this a pelican?', 'one');
	await ask('/new', 'new conversation');
	await ask(`is ${key} a good key?`, 'two');
	await ask('/name', /\w{8} "is \[redacted\] a good key\?"/);
	await ask(`/name about ${key}`, 'is now called "about [redacted]"');
	await ask('/resume water birds', /continuing \w{8} "water birds"/);
	await ask('/name geese', 'is now called "geese"');
	await leave();
	const state = textsBelow(join(terminal.home, '.local', 'state', 'chat'));
	for (const kept of ['geese', 'about [redacted]']) expect(state).toContain(kept);
	expect(state).not.toContain(key);
	const copy = await again({argv: ['-r', 'geese', '--fork']});
	await copy.ask('/name', /\w{8}, not saved before the first prompt/);
	copy.terminal.press('up', 'up');
	await copy.terminal.untilText('› is [redacted] a good key?');
});

test('/private keeps everything after it from the disk, until it ends in another conversation', async () => {
	const replies = ['one', 'two', 'three', 'four'].map(say);
	const {terminal, sent, ask, leave} = await open(replies);
	await ask('/private', 'nothing from here on is saved');
	await ask('secret', 'one');
	expect(existsSync(join(terminal.home, '.local'))).toBe(false);
	await ask('/new', 'new conversation, still private');
	await ask('/private', 'no longer private');
	await ask('open', 'two');
	// In one chunk: the prompt is private already.
	terminal.type('/private\rhidden\r');
	await terminal.untilText(/three[\s\S]*MODEL-5.6-sol · private/);
	expect(sent()).toHaveLength(3);
	await ask('/name x', 'a private conversation is not saved');
	await ask('/private', 'private turns cannot be saved later');
	terminal.press('up', 'up', 'up');
	await terminal.untilText('› hidden');
	terminal.press('ctrl+c');
	await ask('/new', /new conversation, still private\n {2}· \w{8} is saved/);
	await ask('/private', 'no longer private');
	await ask('public', 'four');
	expect(terminal.screen().join('\n')).not.toContain('sol · private');
	await leave();
	expect(terminal.screen().join('\n')).toContain('saved without 2 private turns; to continue');
	const kept = textsBelow(join(terminal.home, '.local', 'state', 'chat'));
	expect(kept).toContain('public');
	for (const word of ['secret', 'one', 'hidden', 'three']) expect(kept).not.toContain(word);
	expect(sessionsIn(terminal.home)).toHaveLength(2);
});

test('a disk that fails is reported once, whatever the number of conversations', async () => {
	const home = await mkdtemp(join(tmpdir(), 'chat-full-'));
	onTestFinished(() => rm(home, {recursive: true}));
	const [year = '', month = ''] = new Date().toISOString().split('-');
	const root = join(home, '.local', 'state', 'chat', 'sessions', year);
	await mkdir(root, {recursive: true});
	// Nothing can be created there, not even by root.
	await symlink('/proc', join(root, month));
	const {terminal, ask, leave} = await open([say('one'), say('two')], {env: {HOME: home}});
	await ask('first', 'one');
	await ask('/new', 'new conversation');
	await ask('second', 'two');
	await ask('/name x', 'this conversation is not saved, so it cannot be named');
	await leave();
	const shown = terminal.scrollback({isJoined: true}).join('\n');
	expect(shown.match(/could not be saved/g)).toHaveLength(1);
	expect(shown).not.toContain('to continue');
});
