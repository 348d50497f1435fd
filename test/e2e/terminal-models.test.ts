/** `/model` in a terminal: what is read, when, and what stands beside a name. */
import type {ServerResponse} from 'node:http';
import {describe, expect, test} from 'vitest';
import {modelLists} from '../fixtures/model-lists.ts';
import {createGate} from '../helpers/scripted-service.ts';
import {startPathService} from '../helpers/start-path-service.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';

const ready = 'Ask something';
const key = 'sk-0123456789abcdef';

async function open(replies: Readonly<Record<string, unknown>>, argv: readonly string[] = []) {
	const service = await startPathService(replies);
	const env = {CHAT_BASE_URL: service.url, CHAT_API_KEY: key, CHAT_MODEL: 'qwen3:4b'};
	const terminal = await openInProcess({argv: [...argv], env, columns: 120});
	await terminal.untilText(argv.length === 0 ? ready : 'You:');
	const lines = () => service.requests.map(({line}) => line);
	return {terminal, service, lines, env};
}

const described = 'current · reasons · 262k';

describe('the list of models', () => {
	test('is read when it is opened, once, while keys work', async () => {
		const gate = createGate();
		const list = async (response: ServerResponse) => {
			await gate.opened;
			response.end(JSON.stringify(modelLists.ollama['GET /v1/models']));
		};
		const replies = {...modelLists.ollama, 'GET /v1/models': list};
		const {terminal, lines} = await open(replies);
		terminal.type('/mod');
		await terminal.untilText('choose another model');
		expect(lines()).toEqual([]);
		terminal.type('el\r');
		await terminal.untilText('reading the list of models… · the model is qwen3:4b');
		terminal.type('\u0015draft');
		await terminal.untilText('› draft');
		gate.open();
		terminal.type('\u0015/model\r');
		await terminal.untilText(described);
		expect(lines()).toEqual(['GET /v1/models', 'POST /api/show']);
		terminal.type('\r');
		await terminal.untilText('the model is qwen3:4b already');
	});

	test('shows no key that the service quotes as a name', async () => {
		const data = [{id: 'first'}, {id: `model-of-${key}`}];
		const {terminal} = await open({'GET /v1/models': {object: 'list', data}});
		terminal.type('/model\r');
		await terminal.untilText(/first\n.*model-of-/);
		expect(terminal.screen().join('\n')).not.toContain(key);
	});
});

describe('the list of models as plain lines', () => {
	test('marks the current one, and takes another name when it is entered twice', async () => {
		const {terminal} = await open(modelLists.ollama, ['--plain']);
		terminal.type('/model\r');
		await terminal.untilText(`1. qwen3:4b, ${described}`);
		await terminal.untilText('Number:');
		terminal.type('llama9\r');
		await terminal.untilText('llama9 is not in the list; enter it again to use it anyway.');
		terminal.type('7\r');
		await terminal.untilText('Error: the answer is 1');
		terminal.type('llama9\r');
		await terminal.untilText(/again to use it[\s\S]*again to use it/);
		terminal.type('llama9\r');
		await terminal.untilText('model changed to llama9');
	});
});
