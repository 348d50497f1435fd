/** `/model` in a terminal: when the list is read, and what stands beside a name. */
import type {ServerResponse} from 'node:http';
import {expect, test} from 'vitest';
import {modelLists} from '../fixtures/model-lists.ts';
import {createGate} from '../helpers/scripted-service.ts';
import {startPathService} from '../helpers/start-path-service.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import {ready} from './story.ts';

const key = 'sk-0123456789abcdef';

async function open(replies: Readonly<Record<string, unknown>>) {
	const service = await startPathService(replies);
	const env = {CHAT_BASE_URL: service.url, CHAT_API_KEY: key, CHAT_MODEL: 'qwen3:4b'};
	const terminal = await openInProcess({env, columns: 120});
	await terminal.untilText(ready);
	return {terminal, lines: () => service.requests.map(({line}) => line)};
}

test('the list is read when it is opened, once, while keys work, and shows no key', async () => {
	const gate = createGate();
	const {data} = modelLists.ollama['GET /v1/models'];
	const list = async (response: ServerResponse) => {
		await gate.opened;
		response.end(JSON.stringify({object: 'list', data: [...data, {id: `model-of-${key}`}]}));
	};
	const {terminal, lines} = await open({...modelLists.ollama, 'GET /v1/models': list});
	terminal.type('/mod');
	await terminal.untilText('choose another model');
	expect(lines()).toEqual([]);
	terminal.type('el\r');
	await terminal.untilText('reading the list of models… · the model is qwen3:4b');
	terminal.type('\u0015draft');
	await terminal.untilText('› draft');
	gate.open();
	terminal.type('\u0015/model\r');
	await terminal.untilText('current · reasons · 262k');
	await terminal.untilText('model-of-[redacted]');
	expect(lines().filter((line) => line === 'GET /v1/models')).toHaveLength(1);
	expect(terminal.raw()).not.toContain(key);
	terminal.type('\r');
	await terminal.untilText('the model is qwen3:4b already');
});
