/** Requests larger than the model's context window. */
import {expect, test} from 'vitest';
import {runChat} from '../helpers/run-chat.ts';
import {startReference} from '../helpers/start-service.ts';
import {createDirectory} from '../input/input-helpers.ts';

const files = {'notes.txt': 'word '.repeat(6000), 'short.txt': 'word '.repeat(2000)};

async function openScene(window: number) {
	const scenario = {isStrict: false, window, rules: []};
	const {url} = await startReference({scenario});
	const cwd = createDirectory(files);
	return (line: string, stdin?: string) =>
		runChat(line, {cwd, ...(stdin && {stdin}), variables: {CHAT_BASE_URL: url}});
}

test('a prompt too large for a known window is not sent, and its largest parts are named', async () => {
	const run = await openScene(5000);
	const refused = await run('-f notes.txt -f short.txt what?');
	expect(refused).toMatchObject({exitCode: 65, stdout: ''});
	expect(refused.stderr).toBe(
		'chat: about 8,000 tokens for a window of 5,000; notes.txt is 6,000 of them, short.txt 2,000\n' +
			'      Nothing was sent. Send less, or send it anyway with --compact off.\n',
	);
	const piped = await run('-o json what?', files['notes.txt']);
	const message = 'about 6,000 tokens for a window of 5,000; [Piped 1 line] is 6,000 of them';
	expect(piped.exitCode).toBe(65);
	expect(JSON.parse(piped.stdout)).toMatchObject({error: {kind: 'data', message}});
	// The service refuses what it gets.
	const sent = await run('--compact off -f notes.txt what?');
	expect(sent.exitCode).toBe(65);
	expect(sent.stderr).toMatch(/maximum context length is 5000 tokens/);
});

test('a prompt that may fit is sent', async () => {
	const run = await openScene(8000);
	expect((await run('-f notes.txt what?')).exitCode).toBe(0);
	expect((await run('--dry-run -f notes.txt -f short.txt what?')).exitCode).toBe(0);
});
