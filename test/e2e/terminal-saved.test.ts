/** Sessions that end, on purpose or not, and go on in another process. */
import {existsSync, readdirSync} from 'node:fs';
import {mkdir, mkdtemp, rm, symlink} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {runProcess} from '../helpers/run-process.ts';
import {createGate, type ScriptedReply, say, startScripted} from '../helpers/scripted-service.ts';
import type {TerminalOptions} from '../helpers/terminal.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {createDirectory} from '../input/input-helpers.ts';
import {openStory, ready, saving, textsBelow} from './story.ts';

function sessionsIn(home: string): readonly string[] {
	const root = join(home, '.local', 'state', 'chat', 'sessions');
	if (!existsSync(root)) return [];
	const names = readdirSync(root, {recursive: true, encoding: 'utf8'});
	return names.filter((name) => name.endsWith('.jsonl'));
}

const open = (replies: readonly ScriptedReply[], {env, ...options}: TerminalOptions = {}) =>
	openStory(replies, {...options, env: {...saving, ...env}});

test('an answer that was cut off says so, on a screen, in plain lines and in a later session', async () => {
	const cut = [{text: 'Half of'}, {finish: 'length'}];
	const replies = [cut, cut, [{text: 'Part'}, {finish: 'SAFETY'}]];
	const {ask, leave, again} = await open(replies, {env: {CHAT_MAX_TOKENS: '500'}});
	const mark = 'cut off at the token limit (500) · /continue, or /set max_tokens lifts it';
	await ask('first', mark);
	await ask('/set max_tokens', 'max_tokens: not set');
	await ask('second', 'cut off at the token limit · /continue, or /set max_tokens N asks for more');
	await leave();
	const plain = await again({argv: ['--plain', '-r', 'first']});
	await plain.terminal.untilText(/Half of\nNote: the answer was cut off at the token limit$/m);
	plain.terminal.type('third\r');
	const spoken = /Answer cut off\. 1 paragraph\.\nNote: .* service's content filter \(SAFETY\)/;
	await plain.terminal.untilText(spoken);
	await plain.leave();
	const {terminal} = await again({argv: ['-r', 'first']});
	await terminal.untilText(/^ {2}◐ cut off by the service's content filter \(SAFETY\)$/m);
	expect(terminal.scrollback()).toContain('  ◐ cut off at the token limit');
});

test('a session says how to continue it, and comes back with its last two turns', async () => {
	const texts = ['first answer', '**second** answer', 'third answer', 'fourth answer'];
	const {terminal, service, ask, leave, again} = await open(texts.map(say));
	await ask('first prompt', 'first answer');
	expect(terminal.scrollback({isJoined: true}).join('\n')).toMatch(
		/\nfirst answer\n\n {2}· conversations are saved in ~\/\.local\/state\/chat; \/private stops/,
	);
	await ask('/model terra', 'model changed');
	await ask('second prompt', 'second answer');
	await ask('third prompt', 'third answer');
	await leave();
	const farewell = /third answer\n\n {2}· saved; to continue: chat -r ([0-9a-v]{8})\n/;
	const [, id = ''] = farewell.exec(terminal.screen().join('\n')) ?? [];
	const later = await again({argv: ['-r', id]});
	const shown = later.terminal.scrollback({isJoined: true});
	expect(shown.filter((line) => /\w/.test(line))).toEqual([
		expect.stringMatching(/^ {2}chat /),
		expect.stringContaining('1 earlier turn'),
		...['› second prompt', 'second answer', '› third prompt', 'third answer'],
		expect.stringMatching(/continuing \w{8} "first prompt" \(3 turns, just now\)/),
		...[`› (${ready})`, expect.stringMatching(/^MODEL-5.6-terra /)],
	]);
	await later.ask('fourth prompt', 'fourth answer');
	await later.leave();
	expect(service.bodies.at(-1)).toMatchObject({model: 'MODEL-5.6-terra'});
	expect(later.sent()).toEqual([
		...['first prompt', 'first answer', 'second prompt', '**second** answer'],
		...['third prompt', 'third answer', 'fourth prompt'],
	]);
	expect(sessionsIn(terminal.home)).toHaveLength(1);
});

test('the first screen lists the last conversations of the folder, which /resume takes by number', async () => {
	const replies = ['one', 'two', 'three', 'four', 'five'].map(say);
	const first = await open(replies);
	expect(first.terminal.screen().join('\n')).not.toContain('/resume');
	await first.ask('Name a bird', 'one');
	await first.ask('/new', 'new conversation');
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
	const elsewhere = {cwd: createDirectory({})};
	for (const options of [elsewhere, {argv: ['-c']}, {argv: ['-q']}, {argv: ['--no-save']}]) {
		const other = await first.again(options);
		expect(other.terminal.scrollback().join('\n')).not.toContain('Earlier in this folder');
	}
	const plain = await first.again({argv: ['--plain']});
	await plain.terminal.untilText(
		/^Earlier in this folder:\n1\. Name 3 trees, 1 turn, .*\n2\. .*\n3\. .*\n\/resume 1 goes on/m,
	);
	plain.terminal.type('/resume 1\r');
	await plain.terminal.untilText(/You: Name 3 trees\nAnswer:\nthree/);
});

test('/resume switches to another conversation, whose file the next turns go to', async () => {
	const replies = ['one', 'two', 'three', 'four'].map(say);
	const {terminal, service, ask, leave} = await open(replies, {argv: ['--temperature', '0']});
	await ask('/model terra', 'model changed');
	await ask('pelicans', 'one');
	await ask('/new', 'returns to it');
	const shown = terminal.scrollback({isJoined: true}).join('\n');
	const [, id = ''] = /(\w{8}) is saved; \/resume \1 returns to it/.exec(shown) ?? [];
	await ask('/model luna', 'model changed');
	await ask('herons', 'two');
	// Both prompts wait until the other conversation is there.
	terminal.type(`/resume ${id.slice(0, 4)}\rmore\r`);
	await terminal.untilText(/three[\s\S]*MODEL-5.6-terra/);
	const saved = String.raw`\w{8} is saved; /resume \w{8} returns to it\s+`;
	const switched = String.raw`· continuing ${id} "pelicans" \(1 turn, just now\)\s+`;
	expect(terminal.screen().join('\n')).toMatch(
		new RegExp(String.raw`${saved}${switched}› pelicans\s+one\s`),
	);
	expect(service.bodies.at(-1)).toMatchObject({model: 'MODEL-5.6-terra', temperature: 0});
	terminal.type('/resume her');
	await terminal.untilText(/^› herons +\S/m);
	terminal.press('tab');
	await terminal.untilText(/^› \/resume \w{8}$/m);
	await ask('', /continuing \w{8} "herons"/);
	await ask('again', 'four');
	await leave();
	expect(service.bodies.map(({messages}) => messages.map(({content}) => content))).toEqual([
		...[['pelicans'], ['herons'], ['pelicans', 'one', 'more'], ['herons', 'two', 'again']],
	]);
	const files = sessionsIn(terminal.home);
	const [, newest = '?'] = /chat -r (\w{8})/.exec(terminal.screen().join('\n')) ?? [];
	expect(newest).not.toBe(id);
	expect(files.map((name) => name.endsWith(`-${newest}.jsonl`)).sort()).toEqual([false, true]);
});

test('/name titles a conversation before and after its first turn', async () => {
	const key = 'sk-very-secret-0123456789';
	const env = {CHAT_API_KEY: key};
	const {terminal, ask, leave, again} = await open([say('one'), say('two')], {env});
	await ask('/name', /\w{8}, not saved before the first prompt/);
	await ask('/name  water \x1b[D birds ', /\w{8} is now called "water birds"/);
	expect(sessionsIn(terminal.home)).toEqual([]);
	await ask('pelicans', 'one');
	await ask('/new', 'new conversation');
	await ask('herons', 'two');
	await ask('/name', /\w{8} "herons"/);
	await ask(`/name about ${key}`, 'is now called "about [redacted]"');
	await ask('/resume water birds', /continuing \w{8} "water birds"/);
	await ask('/name geese', 'is now called "geese"');
	await leave();
	const variables = {HOME: terminal.home};
	const {stdout} = await runProcess(['sessions', 'list', '-o', 'json'], {variables});
	const titles = JSON.parse(stdout).map(({title}: {title: string}) => title);
	expect(titles).toEqual(['about [redacted]', 'geese']);
	const copy = await again({argv: ['-r', 'geese', '--fork']});
	await copy.ask('/name', /\w{8}, not saved before the first prompt/);
});

describe('/private', () => {
	test('keeps everything after it from the disk, until it ends in another conversation', async () => {
		const replies = ['one', 'two', 'three', 'four'].map(say);
		const {terminal, sent, ask, leave} = await open(replies);
		await ask('open', 'one');
		// In one chunk: the prompt is private already.
		terminal.type('/private\rsecret\r');
		await terminal.untilText(/two[\s\S]*MODEL-5.6-sol · private/);
		expect(sent()).toHaveLength(3);
		await ask('/name x', 'a private conversation is not saved');
		await ask('/private', 'private turns cannot be saved later');
		await ask('/new', 'new conversation, still private');
		await ask('hidden', 'three');
		terminal.press('up');
		await terminal.untilText('› hidden');
		terminal.press('ctrl+c');
		await ask('/new', /still private[\s\S]*still private/);
		await ask('/private', 'no longer private');
		await ask('public', 'four');
		expect(terminal.screen().join('\n')).not.toContain('· private');
		await leave();
		expect(terminal.screen().join('\n')).toContain('saved without 2 private turns; to continue');
		const kept = textsBelow(join(terminal.home, '.local', 'state', 'chat'));
		expect(kept).toContain('public');
		for (const word of ['secret', 'two', 'hidden', 'three']) expect(kept).not.toContain(word);
		expect(sessionsIn(terminal.home)).toHaveLength(2);
	});

	test('from the start leaves nothing, and says so', async () => {
		const {terminal, ask, leave} = await open([say('one')]);
		await ask('/private', 'nothing from here on is saved');
		await ask('secret', 'one');
		await leave();
		expect(terminal.screen().join('\n')).toContain('1 private turn not saved');
		expect(existsSync(join(terminal.home, '.local'))).toBe(false);
	});
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

test('a killed session gives its prompt back, and keeps the answers before it', async () => {
	const gate = createGate();
	const service = await startScripted(say('an answer'), [{gate}], say('at last'));
	const env = {...service.env, CHAT_SAVE: undefined};
	const terminal = await openTerminal({env});
	await terminal.untilText(ready);
	terminal.type('one\r');
	await terminal.untilText(/an answer[\s\S]*Ask something/);
	terminal.type('two\r');
	await terminal.until((screen) => screen.includes('› two') && service.bodies.length === 2);
	process.kill(terminal.pid, 'SIGKILL');
	await terminal.exit;
	const options = {env: {...env, HOME: terminal.home}, cwd: terminal.home, argv: ['-c']};
	const again = await openTerminal(options);
	await again.untilText('› two');
	expect(again.screen().join('\n')).toContain('an answer');
	again.press('enter');
	await again.untilText('at last');
	const sent = service.bodies.at(-1)?.messages.map(({content}) => content);
	expect(sent).toEqual(['one', 'an answer', 'two']);
});
