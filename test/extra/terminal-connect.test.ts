/** `/connect` and `/profile`: a conversation goes on with another service. */
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {ready} from '../e2e/story.ts';
import {startLocalService} from '../helpers/local-service.ts';
import {createHome} from '../helpers/settings-home.ts';
import {answer, key} from '../helpers/setup-dialog.ts';
import {openTerminal} from '../helpers/terminal.ts';

test('/connect asks in the session, and the conversation goes on with the new service', async () => {
	const service = await startLocalService(['large', 'small'], {key});
	const {home, config} = createHome();
	const terminal = await openTerminal({env: {HOME: home, CHAT_SAVE: undefined}});
	await answer(terminal, ready, 'say one word\r');
	await terminal.untilText(/^one word$/m);
	await answer(terminal, ready, '/connect\r');
	await answer(terminal, 'Which service?', `http://${service.host}\r`);
	await answer(terminal, 'API key, or nothing', `${key}\r`);
	await answer(terminal, 'Which model?', 'sma\r');
	await answer(terminal, 'Send “Say hello.” to small', 'n\r');
	await answer(terminal, 'Which runs use this service?', '\r');
	await terminal.untilText(`small at ${service.host} answers from here on`);
	await answer(terminal, ready, 'and now?\r');
	await terminal.untilText('Hello from small');
	expect(service.requests.at(-1)).toBe(`POST /v1/chat/completions Bearer ${key}`);
	await answer(terminal, ready, '/exit\r');
	expect((await terminal.exit).exitCode).toBe(0);
	expect(config()).toEqual({'base-url': `http://${service.host}`, model: 'small'});
	const state = join(home, '.local', 'state', 'chat', 'sessions');
	const saved = readdirSync(state, {recursive: true, encoding: 'utf8'})
		.filter((name) => name.endsWith('.jsonl'))
		.map((name) => readFileSync(join(state, name), 'utf8'))
		.join('');
	expect(saved).toContain('and now?');
	expect(saved + terminal.raw()).not.toContain(key);
});

test('/profile lists the profiles, and goes on with the chosen one', async () => {
	const first = await startLocalService(['first']);
	const second = await startLocalService(['second']);
	const profiles = {
		fast: {'base-url': `http://${second.host}`, model: 'second'},
		dead: {'base-url': 'http://127.0.0.1:1'},
	};
	const env = {CHAT_BASE_URL: `http://${first.host}`, CHAT_MODEL: 'first'};
	const {home: HOME} = createHome({config: {profiles}});
	const terminal = await openTerminal({env: {...env, HOME}});
	await answer(terminal, ready, '/profile\r');
	await terminal.untilText(`http://${second.host} · second`);
	terminal.type('fa');
	await answer(terminal, '› fast', '\r');
	await terminal.untilText(`second at ${second.host} answers from here on`);
	await answer(terminal, ready, 'hello\r');
	await terminal.untilText('Hello from second');
	expect(first.requests).toEqual([]);
});
