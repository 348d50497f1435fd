/** Sessions that end, on purpose or not, and go on in another process. */
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {mkdir, mkdtemp, rm, symlink} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {runProcess} from '../helpers/run-process.ts';
import {createGate, say, startScripted} from '../helpers/scripted-service.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';

const ready = 'Ask something';

function sessionsIn(home: string): readonly string[] {
	const root = join(home, '.local', 'state', 'chat', 'sessions');
	if (!existsSync(root)) return [];
	return readdirSync(root, {recursive: true, encoding: 'utf8'}).filter((name) =>
		name.endsWith('.jsonl'),
	);
}

function textsBelow(folder: string): string {
	return readdirSync(folder, {recursive: true, withFileTypes: true})
		.filter((entry) => entry.isFile())
		.map(({parentPath, name}) => readFileSync(join(parentPath, name), 'utf8'))
		.join('');
}

async function ask(terminal: TestTerminal, prompt: string, answer: string | RegExp): Promise<void> {
	terminal.type(`${prompt}\r`);
	await terminal.untilText(answer);
	await terminal.untilText(ready);
}

async function leave(terminal: TestTerminal): Promise<void> {
	terminal.type('/exit\r');
	expect(await terminal.exit).toMatchObject({exitCode: 0});
}

test('an answer that was cut off says so, on a screen, in plain lines and in a later session', async () => {
	const cut = [{text: 'Half of'}, {finish: 'length'}];
	const service = await startScripted(cut, cut, [{text: 'Part'}, {finish: 'SAFETY'}]);
	const env = {...service.env, CHAT_SAVE: undefined, CHAT_MAX_TOKENS: '500'};
	const screen = await openInProcess({env});
	await screen.untilText(ready);
	const mark = 'cut off at the token limit (500) · /continue, or /set max_tokens lifts it';
	await ask(screen, 'first', mark);
	await ask(screen, '/set max_tokens', 'max_tokens: not set');
	await ask(screen, 'second', 'cut off at the token limit · /continue, or /set max_tokens N asks for more');
	await leave(screen);

	const home = {...env, HOME: screen.home};
	const plain = await openInProcess({env: home, argv: ['--plain', '-r', 'first']});
	await plain.untilText(/Half of\nNote: the answer was cut off at the token limit$/m);
	plain.type('third\r');
	await plain.untilText(
		/Answer cut off\. 1 paragraph\.\nNote: .* service's content filter \(SAFETY\)/,
	);
	plain.type('/exit\r');
	await plain.exit;

	const again = await openInProcess({env: home, argv: ['-r', 'first']});
	await again.untilText(/^ {2}◐ cut off by the service's content filter \(SAFETY\)$/m);
	expect(again.scrollback()).toContain('  ◐ cut off at the token limit');
});

test('a session says how to continue it, and comes back with its last two turns', async () => {
	const texts = ['first answer', '**second** answer', 'third answer', 'fourth answer'];
	const service = await startScripted(...texts.map(say));
	const env = {...service.env, CHAT_SAVE: undefined};
	const terminal = await openInProcess({env});
	await terminal.untilText(ready);
	await ask(terminal, 'first prompt', 'first answer');
	expect(terminal.scrollback({isJoined: true}).join('\n')).toMatch(
		/\nfirst answer\n\n {2}· conversations are saved in ~\/\.local\/state\/chat; \/private stops/,
	);
	await ask(terminal, '/model terra', 'model changed');
	await ask(terminal, 'second prompt', 'second answer');
	await ask(terminal, 'third prompt', 'third answer');
	await leave(terminal);
	const screen = terminal.screen().join('\n');
	const farewell = /third answer\n\n {2}· saved; to continue: chat -r ([0-9a-v]{8})\n/;
	const [, id = ''] = farewell.exec(screen) ?? [];
	expect(sessionsIn(terminal.home)).toHaveLength(1);

	const again = await openInProcess({env: {...env, HOME: terminal.home}, argv: ['-r', id]});
	await again.untilText(ready);
	const shown = again.scrollback({isJoined: true}).join('\n');
	expect(shown).not.toContain('first answer');
	expect(shown.split('\n').filter((line) => /\w/.test(line))).toEqual([
		expect.stringMatching(/^ {2}chat /),
		expect.stringContaining('1 earlier turn'),
		...['› second prompt', 'second answer', '› third prompt', 'third answer'],
		expect.stringMatching(/continuing \w{8} "first prompt" \(3 turns, just now\)/),
		...[`› (${ready})`, expect.stringMatching(/^MODEL-5.6-terra /)],
	]);
	await ask(again, 'fourth prompt', 'fourth answer');
	await leave(again);
	expect(service.bodies.at(-1)).toMatchObject({model: 'MODEL-5.6-terra'});
	expect(service.bodies.at(-1)?.messages.map(({content}) => content)).toEqual([
		...['first prompt', 'first answer', 'second prompt', '**second** answer'],
		...['third prompt', 'third answer', 'fourth prompt'],
	]);
	expect(sessionsIn(terminal.home)).toHaveLength(1);
});

test('the first screen lists the last conversations of the folder, which /resume takes by number', async () => {
	const service = await startScripted(...['one', 'two', 'three', 'four', 'five'].map(say));
	const env = {...service.env, CHAT_SAVE: undefined};
	const first = await openInProcess({env});
	await first.untilText(ready);
	expect(first.screen().join('\n')).not.toContain('/resume');
	await ask(first, 'Name a bird', 'one');
	await ask(first, '/new', 'new conversation');
	await ask(first, 'Name a fish', 'two');
	await leave(first);
	const home = {...env, HOME: first.home};

	const second = await openInProcess({env: home, cwd: first.home, rows: 30});
	await second.untilText(ready);
	const list = [
		'  Earlier in this folder · /resume 1 goes on',
		'  1  Name a fish   1 turn · just now',
		'  2  Name a bird   1 turn · just now',
	];
	expect(second.screen().slice(2, 5)).toEqual(list);
	await ask(second, 'Name 3 trees', 'three');
	await ask(second, '/resume 2', /› Name a bird\n\none/);
	// The numbers mean what was shown, whatever was used since.
	await ask(second, '/resume 1', /› Name a fish\n\ntwo/);
	// Another conversation has this number in its title.
	await ask(second, '/resume 3', 'no conversation has the id or title "3"');
	expect(second.screen().join('\n')).toContain('/sessions lists them');
	await leave(second);

	const elsewhere = await mkdtemp(join(tmpdir(), 'chat-other-'));
	onTestFinished(() => rm(elsewhere, {recursive: true}));
	for (const options of [{cwd: elsewhere}, {argv: ['-c']}, {argv: ['-q']}, {argv: ['--no-save']}]) {
		const other = await openInProcess({env: home, cwd: first.home, ...options});
		await other.untilText(ready);
		expect(other.scrollback().join('\n')).not.toContain('Earlier in this folder');
	}

	const plain = await openInProcess({env: home, cwd: first.home, argv: ['--plain']});
	await plain.untilText(
		/^Earlier in this folder:\n1\. Name 3 trees, 1 turn, .*\n2\. .*\n3\. .*\n\/resume 1 goes on/m,
	);
	plain.type('/resume 1\r');
	await plain.untilText(/You: Name 3 trees\nAnswer:\nthree/);
});

test('/resume switches to another conversation, whose file the next turns go to', async () => {
	const service = await startScripted(...['one', 'two', 'three', 'four'].map(say));
	const env = {...service.env, CHAT_SAVE: undefined};
	const terminal = await openInProcess({env, argv: ['--temperature', '0']});
	await terminal.untilText(ready);
	await ask(terminal, '/model terra', 'model changed');
	await ask(terminal, 'pelicans', 'one');
	await ask(terminal, '/new', 'returns to it');
	const shown = terminal.scrollback({isJoined: true}).join('\n');
	const [, id = ''] = /(\w{8}) is saved; \/resume \1 returns to it/.exec(shown) ?? [];
	await ask(terminal, '/model luna', 'model changed');
	await ask(terminal, 'herons', 'two');
	// Both prompts wait until the other conversation is there.
	terminal.type(`/resume ${id.slice(0, 4)}\rmore\r`);
	await terminal.untilText('three');
	await terminal.untilText(/three[\s\S]*MODEL-5.6-terra/);
	expect(terminal.screen().join('\n')).toMatch(
		new RegExp(
			`\\w{8} is saved; /resume \\w{8} returns to it\\s+· continuing ${id} "pelicans" \\(1 turn, just now\\)\\s+› pelicans\\s+one\\s`,
		),
	);
	expect(service.bodies.at(-1)).toMatchObject({model: 'MODEL-5.6-terra', temperature: 0});
	terminal.type('/resume her');
	await terminal.untilText(/^› herons +\S/m);
	terminal.press('tab');
	await terminal.untilText(/^› \/resume \w{8}$/m);
	await ask(terminal, '', /continuing \w{8} "herons"/);
	await ask(terminal, 'again', 'four');
	await leave(terminal);
	expect(service.bodies.map(({messages}) => messages.map(({content}) => content))).toEqual([
		...[['pelicans'], ['herons'], ['pelicans', 'one', 'more'], ['herons', 'two', 'again']],
	]);
	const files = sessionsIn(terminal.home);
	expect(files).toHaveLength(2);
	const newest =
		terminal
			.screen()
			.join('\n')
			.match(/chat -r (\w{8})/)?.[1] ?? '?';
	expect(newest).not.toBe(id);
	expect(files.some((name) => name.endsWith(`-${newest}.jsonl`))).toBe(true);
});

test('/name titles a conversation before and after its first turn', async () => {
	const key = 'sk-very-secret-0123456789';
	const service = await startScripted(say('one'), say('two'));
	const env = {...service.env, CHAT_API_KEY: key, CHAT_SAVE: undefined};
	const terminal = await openInProcess({env});
	await terminal.untilText(ready);
	await ask(terminal, '/name', /\w{8}, not saved before the first prompt/);
	await ask(terminal, '/name  water \x1b[D birds ', /\w{8} is now called "water birds"/);
	expect(sessionsIn(terminal.home)).toEqual([]);
	await ask(terminal, 'pelicans', 'one');
	await ask(terminal, '/new', 'new conversation');
	await ask(terminal, 'herons', 'two');
	await ask(terminal, '/name', /\w{8} "herons"/);
	await ask(terminal, `/name about ${key}`, 'is now called "about [redacted]"');
	await ask(terminal, '/resume water birds', /continuing \w{8} "water birds"/);
	await ask(terminal, '/name geese', 'is now called "geese"');
	await leave(terminal);
	const variables = {HOME: terminal.home};
	const {stdout} = await runProcess(['sessions', 'list', '-o', 'json'], {variables});
	expect(JSON.parse(stdout).map(({title}: {title: string}) => title)).toEqual([
		'about [redacted]',
		'geese',
	]);
	const copy = await openInProcess({env: {...env, ...variables}, argv: ['-r', 'geese', '--fork']});
	await copy.untilText(ready);
	await ask(copy, '/name', /\w{8}, not saved before the first prompt/);
});

describe('/private', () => {
	test('keeps everything after it from the disk, until it ends in another conversation', async () => {
		const service = await startScripted(...['one', 'two', 'three', 'four'].map(say));
		const terminal = await openInProcess({env: {...service.env, CHAT_SAVE: undefined}});
		await terminal.untilText(ready);
		await ask(terminal, 'open', 'one');
		// In one chunk: the prompt is private already.
		terminal.type('/private\rsecret\r');
		await terminal.untilText(/two[\s\S]*MODEL-5.6-sol · private/);
		expect(service.bodies.at(-1)?.messages).toHaveLength(3);
		await ask(terminal, '/name x', 'a private conversation is not saved');
		await ask(terminal, '/private', 'private turns cannot be saved later');
		await ask(terminal, '/new', 'new conversation, still private');
		await ask(terminal, 'hidden', 'three');
		terminal.press('up');
		await terminal.untilText('› hidden');
		terminal.press('ctrl+c');
		await ask(terminal, '/new', /still private[\s\S]*still private/);
		await ask(terminal, '/private', 'no longer private');
		await ask(terminal, 'public', 'four');
		expect(terminal.screen().join('\n')).not.toContain('· private');
		await leave(terminal);
		expect(terminal.screen().join('\n')).toContain('saved without 2 private turns; to continue');
		const kept = textsBelow(join(terminal.home, '.local', 'state', 'chat'));
		expect(kept).toContain('public');
		for (const word of ['secret', 'two', 'hidden', 'three']) expect(kept).not.toContain(word);
		expect(sessionsIn(terminal.home)).toHaveLength(2);
	});

	test('from the start leaves nothing, and says so', async () => {
		const service = await startScripted(say('one'));
		const terminal = await openInProcess({env: {...service.env, CHAT_SAVE: undefined}});
		await terminal.untilText(ready);
		await ask(terminal, '/private', 'nothing from here on is saved');
		await ask(terminal, 'secret', 'one');
		await leave(terminal);
		expect(terminal.screen().join('\n')).toContain('1 private turn not saved');
		expect(existsSync(join(terminal.home, '.local'))).toBe(false);
	});
});

test('a disk that fails is reported once, whatever the number of conversations', async () => {
	const service = await startScripted(...['one', 'two', 'three'].map(say));
	const home = await mkdtemp(join(tmpdir(), 'chat-full-'));
	onTestFinished(() => rm(home, {recursive: true}));
	const [year = '', month = ''] = new Date().toISOString().split('-');
	const root = join(home, '.local', 'state', 'chat', 'sessions', year);
	await mkdir(root, {recursive: true});
	// Nothing can be created there, not even by root.
	await symlink('/proc', join(root, month));
	const env = {...service.env, HOME: home, CHAT_SAVE: undefined};
	const terminal = await openInProcess({env});
	await terminal.untilText(ready);
	await ask(terminal, 'first', 'one');
	await ask(terminal, '/new', 'new conversation');
	await ask(terminal, 'second', 'two');
	await ask(terminal, '/name x', 'this conversation is not saved, so it cannot be named');
	await leave(terminal);
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
	await ask(terminal, 'one', 'an answer');
	terminal.type('two\r');
	await terminal.untilText('› two');
	await terminal.until(() => service.bodies.length === 2);
	process.kill(terminal.pid, 'SIGKILL');
	await terminal.exit;

	const again = await openInProcess({
		env: {...env, HOME: terminal.home},
		cwd: terminal.home,
		argv: ['-c'],
	});
	await again.untilText('› two');
	expect(again.screen().join('\n')).toContain('an answer');
	again.press('enter');
	await again.untilText('at last');
	await leave(again);
	expect(service.bodies.at(-1)?.messages.map(({content}) => content)).toEqual([
		'one',
		'an answer',
		'two',
	]);
});
