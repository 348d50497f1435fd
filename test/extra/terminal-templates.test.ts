/** Templates in a shell: missing values and texts are asked for. */
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {createHome} from '../helpers/settings-home.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import {writeTree} from '../input/input-helpers.ts';
import type {Files} from '../templates/template-files.ts';

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

test('a text that is missing is read from the terminal, to its end', async () => {
	const service = await startScripted(say('Answer 1.'));
	const {home: HOME} = createHome();
	writeTree(join(HOME, '.config/chat/templates'), {'sum.md': 'Sum up: $INPUT'});
	const terminal = await openInProcess({argv: ['-t', 'sum'], env: {...service.env, HOME}});
	await terminal.untilText('reading the prompt from the terminal; end it with Ctrl-D');
	terminal.type('one\rtwo\r\u0004');
	await terminal.untilText('Answer 1.');
	await terminal.exit;
	expect(service.bodies[0]?.messages).toEqual([{role: 'user', content: 'Sum up: one\ntwo'}]);
});
