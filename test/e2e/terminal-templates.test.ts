/** Templates in a session. */
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {say} from '../helpers/scripted-service.ts';
import {writeTree} from '../templates/template-files.ts';
import {openStory, saving, textsBelow} from './story.ts';

const review = `---
description: Reviews a \u001b[31mdiff
argument-hint: "[focus]"
model: luna
system: You review.
params: {tone: }
---
Review in a $tone tone: $ARGUMENTS`;

test('a session lists templates, asks for what is missing, and sends the prompt', async () => {
	const replies = ['Answer 1.', 'Answer 2.', 'Answer 3.'].map(say);
	const options = {argv: ['-s', 'Be brief.'], env: saving, columns: 100};
	const {terminal, service, ask, leave} = await openStory(replies, options);
	writeTree(join(terminal.home, '.config/chat/templates'), {
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
	await ask('/review tone=kind security', 'Answer 1.');
	expect(terminal.screen().join('\n')).toContain('/review tone=kind security');
	await ask('/git:commit', /chat does not run commands from templates[\s\S]*Answer 2\./);
	await ask('/pirate', 'system message set');
	await ask('hello', 'Answer 3.');
	await ask('/help review', 'required');
	terminal.type('/nope\r');
	await terminal.untilText('unknown command /nope');
	terminal.press('ctrl+u');
	await leave();
	const sent = service.bodies.map(({model, messages}) => {
		return [model, messages[0]?.content, messages.at(-1)?.content];
	});
	expect(sent).toEqual([
		['MODEL-5.6-luna', 'You review.', 'Review in a kind tone: security'],
		['MODEL-5.6-sol', 'Be brief.', 'Write a message. !`touch ran`'],
		['MODEL-5.6-sol', 'You are a pirate.', 'hello'],
	]);
	expect(existsSync(join(terminal.home, 'ran'))).toBe(false);
	const saved = textsBelow(join(terminal.home, '.local/state/chat/sessions'));
	expect(saved).toContain('"text":"Review in a kind tone: security"');
	expect(saved).toContain('"typed":{"text":"/review tone=kind security"');
});
