/** `--continue-cut`: cut answers go on, in the same run or a later one. */
import {expect, test} from 'vitest';
import {parseResult} from '../helpers/json-output.ts';
import {openStage} from '../helpers/sessions-stage.ts';
import {play} from '../server/helpers/scenario.ts';

const cutOnce = 'replies: [{when: {nth: 1}, fault: {cut: {after_events: 30, how: reset}}}]';
const line = ['-m', 'luna', 'write 60 words'];

async function openCut(scenario = cutOnce) {
	const [{url}, stage] = await Promise.all([play(scenario), openStage()]);
	const chat: typeof stage.chat = (words) => {
		return stage.chat(words, {variables: {CHAT_BASE_URL: url, CHAT_MAX_RETRIES: '0'}});
	};
	return {...stage, chat};
}

test('a cut answer goes on with --continue-cut, and JSON says where', async () => {
	const {chat} = await openCut();
	const run = await chat(['-o', 'json', '--continue-cut', '1', ...line]);
	const whole = parseResult((await chat(['-o', 'json', ...line])).stdout);
	const joined = parseResult(run.stdout);
	expect(joined).toMatchObject({content: whole.content, complete: true, error: null, attempts: 2});
	const model = 'MODEL-5.6-luna';
	expect(joined.seams).toEqual([{at: expect.any(Number), cause: 'incomplete', model}]);
	expect(joined.content.charAt(joined.seams[0]?.at ?? 0)).toMatch(/\W/);
	expect(run.exitCode).toBe(0);
	expect(whole.seams).toEqual([]);
});

test('without its end repeated, the rest stays out of a pipe, and the exit code 79', async () => {
	const {chat} = await openCut(
		'replies: [{reply: {text: Once upon, finish_reason: length}, times: 1}, {reply: There was}]',
	);
	const {stdout, stderr, exitCode} = await chat(['--continue-cut', '2', ...line]);
	expect([stdout, exitCode]).toEqual(['Once upon\n', 79]);
	expect(stderr).toContain(
		'chat: the answer could not be continued: the continuation does not repeat the end of the answer\n',
	);
});

test('the cut answer of a saved conversation goes on with -c and no prompt, in its own turn', async () => {
	const {chat} = await openCut();
	const cut = await chat(line);
	expect(cut.exitCode).toBe(79);
	const run = await chat('-c --continue-cut 1 -o json');
	expect(run.exitCode).toBe(0);
	const reply = JSON.parse(run.stdout);
	expect(reply).toMatchObject({id: expect.stringMatching(/./), created: expect.any(Number)});
	expect(reply.content.startsWith(cut.stdout.trimEnd())).toBe(true);
	const again = await chat('-c --continue-cut 1');
	expect(again.exitCode).toBe(64);
	expect(again.stderr).toContain('is not cut\n');
	const listed = await chat('sessions list -o json');
	expect(JSON.parse(listed.stdout)).toMatchObject([{turns: 1}]);
});
