/** Batches in processes that are killed. */
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runProcess, startProcess} from '../helpers/run-process.ts';
import {createHome} from '../helpers/settings-home.ts';
import {startReference} from '../helpers/start-service.ts';
import {waitUntil} from '../helpers/wait-until.ts';

/** 100 takes some minutes. */
const kills = Number(process.env['BATCH_KILLS'] ?? 3);

test('a batch killed again and again answers every line exactly once', async () => {
	const {home} = createHome();
	const input = join(home, 'in.jsonl');
	const output = join(home, 'out.jsonl');
	const places = Array.from({length: kills * 20}, (_, place) => place);
	const lines = places.map(
		(place) => `{"id":"q${place}","prompt":"Reply with exactly: ${place}"}\n`,
	);
	writeFileSync(input, lines.join(''));
	const service = await startReference({latencyMs: 5});
	const variables = {HOME: home, CHAT_BASE_URL: service.url, CHAT_MODEL: 'sol'};
	const argv = ['batch', input, '-o', output, '-j', '8'];
	const read = () => (existsSync(output) ? readFileSync(output, 'utf8') : '');
	for (let kill = 0; kill < kills; kill++) {
		const {child, ended} = startProcess(argv, {variables});
		const before = read().length;
		// The answers have some 700 bytes: anywhere from the first one to the fourth.
		const isGrown = () => read().length > before + (kill % 4) * 700;
		await waitUntil(isGrown, new Set(), 30_000, read);
		child.kill('SIGKILL');
		expect(await ended).toMatchObject({signal: 'SIGKILL'});
	}
	expect(await runProcess(argv, {variables})).toMatchObject({code: 0});
	const answers = read()
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line));
	const contents = answers.map(({id, content, exit_code}) => `${id} ${content} ${exit_code}`);
	expect(contents.sort()).toEqual(places.map((place) => `q${place} ${place} 0`).sort());
	expect(existsSync(`${output}.lock`)).toBe(false);
});
