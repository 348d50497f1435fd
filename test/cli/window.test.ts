/** Requests larger than the model's context window. */
import {expect, test} from 'vitest';
import {openScene} from '../helpers/run-table.ts';
import {startReference} from '../helpers/start-service.ts';

test('a prompt too large for a known window is not sent, and its largest parts are named', async () => {
	const {url} = await startReference({scenario: {isStrict: false, window: 5000, rules: []}});
	const files = {'notes.txt': 'word '.repeat(6000), 'short.txt': 'word '.repeat(2000)};
	const {run} = await openScene({files, variables: {CHAT_BASE_URL: url}});
	expect(await run('-f notes.txt -f short.txt what?')).toEqual({
		stdout: '',
		stderr:
			'chat: about 8,000 tokens for a window of 5,000; notes.txt is 6,000 of them, short.txt 2,000\n' +
			'      Nothing was sent. Send less, or send it anyway with --compact off.\n',
		exitCode: 65,
	});
	const piped = await run('-o json what?', {stdin: files['notes.txt']});
	const message = 'about 6,000 tokens for a window of 5,000; [Piped 1 line] is 6,000 of them';
	expect(piped.exitCode).toBe(65);
	expect(JSON.parse(piped.stdout)).toMatchObject({error: {kind: 'data', message}});
	// The service refuses what it gets.
	const sent = await run('--compact off -f notes.txt what?');
	expect(sent.stderr).toMatch(/maximum context length is 5000 tokens/);
	expect((await run('-f short.txt what?')).exitCode).toBe(0);
});
