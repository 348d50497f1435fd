/** Templates in a terminal, which asks for what they lack. */
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import {type Files, writeTree} from '../templates/template-files.ts';

/** Runs these commands one after the other in a terminal, in a home folder with these templates. */
async function open(commands: readonly string[], templates: Files) {
	const service = await startScripted(say('Answer 1.'), say('Answer 2.'), say('Answer 3.'));
	const shell = ['read -r _', ...commands.map((command) => `${command}; echo "code $?"`)].join(
		'; ',
	);
	const terminal = await openTerminal({shell, env: service.env});
	writeTree(join(terminal.home, '.config/chat/templates'), templates);
	terminal.type('\r');
	return {terminal, service};
}

test('a text that is missing is read from the terminal, to its end', async () => {
	const {terminal, service} = await open(['chat -t sum'], {'sum.md': 'Sum up: $INPUT'});
	await terminal.untilText('reading the prompt from the terminal; end it with Ctrl-D');
	terminal.type('one\rtwo\r\u0004');
	await terminal.untilText('Answer 1.');
	await terminal.exit;
	expect(service.bodies[0]?.messages).toEqual([{role: 'user', content: 'Sum up: one\ntwo'}]);
});

test('a text that is missing is read after a question', async () => {
	const templates = {'sum.md': '---\nparams: {level: }\n---\nSum up for $level: $INPUT'};
	const {terminal, service} = await open(['chat -t sum'], templates);
	await terminal.untilText('level:');
	terminal.type('children\r');
	await terminal.untilText('reading the prompt from the terminal; end it with Ctrl-D');
	terminal.type('one\r\u0004');
	await terminal.untilText('Answer 1.');
	await terminal.exit;
	const [prompt] = service.bodies[0]?.messages ?? [];
	expect(prompt?.content).toBe('Sum up for children: one');
});

test('missing values are asked for, and then the answer comes', async () => {
	const templates = {
		'explain.md':
			'---\nparams: {level: }\nargument-hint: <topic>\n---\nExplain $ARGUMENTS for $level.',
		'role.md': '---\nparams: {who: }\nsystem: You are $who.\n---\n',
		'out.md': '---\nfiles: [../secret.txt]\n---\nUse it.',
		'../secret.txt': 'SECRET',
	};
	const commands = [
		'chat -t explain',
		'chat -t explain x',
		'chat -t out',
		'chat -t out',
		'chat -t role',
	];
	const {terminal, service} = await open(commands, templates);
	await terminal.untilText('level:');
	terminal.type('children\r');
	await terminal.untilText('<topic>:');
	terminal.type("don't panic\r");
	await terminal.untilText('Answer 1.');
	await terminal.untilText('code 0');
	await terminal.until((screen) => screen.split('level:').length === 3);
	terminal.press('ctrl+c');
	await terminal.untilText('code 130');
	await terminal.untilText('The template out names ../secret.txt, outside of its folder. Use it?');
	terminal.type('no\r');
	await terminal.untilText('which is outside of its folder');
	await terminal.untilText('code 64');
	terminal.type('yes\r');
	await terminal.untilText('Answer 2.');
	await terminal.untilText('who:');
	terminal.type('a pirate\r');
	await terminal.untilText('? keys');
	terminal.type('hello\r');
	await terminal.untilText('Answer 3.');
	terminal.press('ctrl+d');
	await terminal.exit;
	const sent = service.bodies.map(({messages}) => JSON.stringify(messages));
	expect(sent).toHaveLength(3);
	expect(sent[0]).toContain("Explain don't panic for children.");
	expect(sent[1]).toContain('SECRET');
	expect(sent[2]).toContain('{"role":"system","content":"You are a pirate."}');
});

const review = `---
description: Reviews a \u001b[31mdiff
argument-hint: "[focus]"
model: luna
system: You review.
params: {tone: }
---
Review in a $tone tone: $ARGUMENTS`;

/** Opens a session in a home folder with these templates. */
async function openSession(argv: readonly string[], templates: Files) {
	const service = await startScripted(say('Answer 1.'), say('Answer 2.'), say('Answer 3.'));
	const env = {...service.env, CHAT_SAVE: undefined};
	const terminal = await openInProcess({argv, env, columns: 100});
	writeTree(join(terminal.home, '.config/chat/templates'), templates);
	await terminal.untilText(argv.includes('--plain') ? 'You:' : '? keys');
	return {terminal, service};
}

function textsBelow(folder: string): string {
	return readdirSync(folder, {recursive: true, withFileTypes: true})
		.filter((entry) => entry.isFile())
		.map(({parentPath, name}) => readFileSync(join(parentPath, name), 'utf8'))
		.join('');
}

test('a session lists templates, asks for what is missing, and sends the prompt', async () => {
	const {terminal, service} = await openSession(['-s', 'Be brief.'], {
		'review.md': review,
		'git/commit.md': '---\n---\nWrite a message. !`touch ran`',
		'pirate.md': 'You are a pirate.',
	});
	terminal.type('/rev');
	await terminal.untilText('/review  [focus]: Reviews a diff');
	terminal.press('tab');
	await terminal.untilText(/\/review\n/);
	terminal.type('security\r');
	await terminal.untilText('the template review needs tone: /review tone=…');
	expect(terminal.screen().join('\n')).toContain('/review security');
	terminal.press('ctrl+u');
	terminal.type('/review tone=kind security\r');
	await terminal.untilText('Answer 1.');
	expect(terminal.screen().join('\n')).toContain('/review tone=kind security');
	terminal.type('/git:commit\r');
	await terminal.untilText('chat does not run commands from templates');
	await terminal.untilText('Answer 2.');
	terminal.type('/pirate\r');
	await terminal.untilText('system message set');
	terminal.type('hello\r');
	await terminal.untilText('Answer 3.');
	terminal.type('/help review\r');
	await terminal.untilText('required');
	terminal.type('/nope\r');
	await terminal.untilText('unknown command /nope');
	terminal.press('ctrl+u');
	terminal.press('ctrl+d');
	await terminal.exit;
	const sent = service.bodies.map(({model, messages}) => ({
		model,
		system: messages[0]?.content,
		prompt: messages.at(-1)?.content,
	}));
	expect(sent).toEqual([
		{model: 'MODEL-5.6-luna', system: 'You review.', prompt: 'Review in a kind tone: security'},
		{model: 'MODEL-5.6-sol', system: 'Be brief.', prompt: 'Write a message. !`touch ran`'},
		{model: 'MODEL-5.6-sol', system: 'You are a pirate.', prompt: 'hello'},
	]);
	expect(existsSync(join(terminal.home, 'ran'))).toBe(false);
	const saved = textsBelow(join(terminal.home, '.local/state/chat/sessions'));
	expect(saved).toContain('"text":"Review in a kind tone: security"');
	expect(saved).toContain('"typed":{"text":"/review tone=kind security"');
});

test('a session in plain lines sends templates too, and does not repeat what was typed', async () => {
	const {terminal, service} = await openSession(['--plain'], {
		'review.md': review.replace('params', 'files: [rules.txt]\nparams'),
		'rules.txt': 'Be kind.',
	});
	terminal.type('/review x\r');
	await terminal.untilText('the template review needs tone');
	terminal.type('/review tone=kind x\r');
	await terminal.untilText('Answer complete');
	terminal.type('/help review\r');
	await terminal.untilText(/You: \/help review\n\/review \[focus\]: Reviews a diff/);
	const screen = terminal.screen().join('\n');
	expect(screen).toContain('\nNote: sent with [file rules.txt]');
	expect(screen.split('/review tone=kind x')).toHaveLength(2);
	terminal.type('/exit\r');
	await terminal.exit;
	expect(service.bodies[0]?.messages.at(-1)?.content).toContain('Review in a kind tone: x');
});
