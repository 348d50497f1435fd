/** Templates in a session. */
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import {type Files, writeTree} from '../templates/template-files.ts';

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
