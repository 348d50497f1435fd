/** Saved conversations of processes that are killed, and of several that write at once. */
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {treeOf} from '../../src/chat/conversation.ts';
import {readSession, type StoredSession} from '../../src/sessions/read-session.ts';
import {listSessionFiles} from '../../src/sessions/session-files.ts';
import {fuzz} from '../helpers/fuzz.ts';
import {runChat} from '../helpers/run-chat.ts';
import {runProcess, startProcess} from '../helpers/run-process.ts';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {createSeededRandom} from '../helpers/seeded-random.ts';
import {createHome} from '../helpers/settings-home.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {textsOf} from '../sessions/session-files.ts';

function readOnly(directory: string): StoredSession {
	const [file, ...more] = listSessionFiles(directory);
	if (file === undefined || more.length > 0) throw new Error('expected one session');
	return readSession(file);
}

const maxLost = 16 * 1024;
const line = `${'word '.repeat(200)}\n`;
const lines = Array.from({length: 100}, (_, index) => `line ${index} ${line}`);

describe('a run that is killed in the middle of its answer', () => {
	fuzz('loses no prompt, and at most 16 KiB of what was printed', async (seed) => {
		const draw = createSeededRandom(seed);
		const service = await startScripted(lines.map((text) => ({text})));
		for (let run = 0; run < 3; run += 1) {
			const {home} = createHome();
			const variables = {...service.env, HOME: home, CHAT_SAVE: ''};
			const {child, stdout, ended} = startProcess(['-q', 'the prompt'], {variables});
			const limit = draw(0, lines.join('').length);
			let printed = '';
			stdout.on('data', (bytes: Buffer) => {
				printed += bytes.toString();
				if (printed.length > limit) child.kill('SIGKILL');
			});
			await ended;
			const stored = readOnly(join(home, '.local', 'state', 'chat'));
			const [prompt, kept = ''] = textsOf(stored);
			expect(prompt ?? stored.draft?.text).toBe('the prompt');
			expect(lines.join('').startsWith(kept)).toBe(true);
			expect(printed.length - kept.length).toBeLessThanOrEqual(maxLost + line.length);
			// The record that was being written may be torn.
			expect(stored.notices.filter(({code}) => code !== 'session-damaged')).toEqual([]);
		}
	});
});

describe('a session that is killed while it compacts', () => {
	fuzz('goes on with the conversation before or after', async (seed) => {
		const draw = createSeededRandom(seed);
		const service = await startScripted(say('one'), say('two'), ...Array(99).fill(say('summary')));
		for (let run = 0; run < 2; run += 1) {
			const {home} = createHome();
			const directory = join(home, '.local', 'state', 'chat');
			const env = {...service.env, HOME: home, CHAT_SAVE: '', CHAT_MODEL: 'm'};
			const given = {home, cwd: home, variables: env};
			await runChat(['-q', 'first'], given);
			await runChat(['-q', '-c', 'second'], given);
			const before = readOnly(directory);
			const terminal = await openTerminal({
				argv: ['--plain', '-r', before.id],
				env,
				columns: 200,
				rows: 40,
			});
			await terminal.untilText('You:');
			terminal.type('/compact\r');
			await terminal.untilText('an empty line applies it');
			// The question takes no answer before that.
			await pause(600 + draw(0, 60));
			terminal.type('\r');
			await pause(draw(0, 30));
			process.kill(terminal.pid, 'SIGKILL');
			await terminal.exit;
			const {conversation, notices} = readOnly(directory);
			const {compactions = [], ...rest} = conversation;
			expect(rest).toEqual(before.conversation);
			expect(compactions.map(({text}) => text)).toEqual(
				compactions.length === 0 ? [] : ['summary'],
			);
			expect(notices.filter(({code}) => code !== 'session-damaged')).toEqual([]);
		}
	});
});

test('five runs that continue a conversation at once lose nothing, and mix nothing', async () => {
	const service = await startScripted(...Array.from({length: 6}, (_, run) => say(`answer ${run}`)));
	const {home} = createHome();
	const directory = join(home, '.local', 'state', 'chat');
	const variables = {...service.env, HOME: home, CHAT_SAVE: ''};
	await runChat(['-q', 'first'], {home, cwd: home, variables});
	const {id} = readOnly(directory);
	const writers = Array.from({length: 5}, (_, writer) => `writer ${writer}`);
	await Promise.all(writers.map((prompt) => runProcess(['-q', '-r', id, prompt], {variables})));
	const stored = readOnly(directory);
	expect(textsOf(stored).slice(0, 2)).toEqual(['first', 'answer 0']);
	expect(stored.notices).toEqual([]);
	const turns = treeOf(stored.conversation).map(({turn}) => turn);
	expect(turns.map(({prompt}) => prompt.text).sort()).toEqual(['first', ...writers]);
	const answers = textsOf({conversation: {...stored.conversation, turns}}).filter((text) =>
		text.startsWith('answer'),
	);
	expect(answers.sort()).toEqual(Array.from({length: 6}, (_, run) => `answer ${run}`));
});
