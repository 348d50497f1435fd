import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {parseResult} from '../helpers/json-output.ts';
import {wholeReply} from '../helpers/replies.ts';
import {runChat} from '../helpers/run-chat.ts';
import {createHome} from '../helpers/settings-home.ts';
import {startRecording} from '../helpers/start-service.ts';

const usage = {prompt_tokens: 1000, completion_tokens: 170, total_tokens: 1170};

/** Asks for an answer of `gpt-4o` where the prices of this service are known. */
async function ask(flags: readonly string[], counts: Readonly<Record<string, unknown>> = usage) {
	const {variables} = await startRecording(wholeReply({text: 'Hi.'}, {usage: counts}));
	const {home, source} = createHome();
	const {host} = new URL(variables.CHAT_BASE_URL);
	const models = {'gpt-4o': [128_000, 16_384, 'it', 2.5, 10, 1.25]};
	mkdirSync(join(home, '.cache', 'chat'), {recursive: true});
	writeFileSync(
		join(home, '.cache', 'chat', 'models.json'),
		JSON.stringify({date: '2026-07-01', services: {[host]: models}}),
	);
	const argv = ['--no-save', '--no-stream', ...flags, 'p'];
	return await runChat(argv, {...source, variables});
}

test('-u shows what an answer cost, with the day of the prices', async () => {
	const {stderr} = await ask(['-u', '-m', 'gpt-4o']);
	const counts = 'chat: 1000 tokens in, 170 out, 1170 total';
	expect(stderr).toContain(`${counts}, about $0.0042 at the prices of 2026-07-01, `);
});

test('JSON has the cost, and cached input at its own price', async () => {
	const details = {prompt_tokens_details: {cached_tokens: 800}};
	const {stdout} = await ask(['-o', 'json', '-m', 'gpt-4o'], {...usage, ...details});
	expect(parseResult(stdout).cost).toEqual({usd: 0.0032, prices_of: '2026-07-01'});
});

test('nothing is shown for a model without known prices, and for no usage', async () => {
	for (const [model, counts] of [
		['gpt-4o-mini', usage],
		['gpt-4o', {prompt_tokens: 5}],
	] as const) {
		const {stdout} = await ask(['-o', 'json', '-m', model], counts);
		expect(parseResult(stdout).cost).toBeNull();
		const {stderr} = await ask(['-u', '-m', model], counts);
		expect(stderr).toContain('tokens in');
		expect(stderr).not.toContain('$');
	}
});

test('the built-in service costs nothing', async () => {
	const run = await runChat(['-u', 'p']);
	expect(run.stderr).toContain('tokens in');
	expect(run.stderr).not.toContain('$');
});
