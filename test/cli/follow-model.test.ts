import {expect, test, vi} from 'vitest';
import {followModel} from '../../src/cli/run/repl/follow-model.ts';
import {enter, stepEnd, stepStart, textDelta, turnEnd} from '../repl/play.ts';
import {openScripted} from '../repl/scripted-session.ts';

const usage = stepEnd({promptTokens: 1000, completionTokens: 24});
const answered = [[stepStart, textDelta('a'), usage, turnEnd]];

function openFollowed() {
	const scripted = openScripted([answered, answered]);
	const service = new URL('https://api.example.com/v1/chat/completions');
	followModel(scripted.session, service, {variables: {}, platform: 'linux', homedir: undefined});
	const found = () => scripted.actions.filter(({type}) => type === 'window-known');
	return {...scripted, found};
}

test('a session learns the context window of its model after an answer, and of the next one', async () => {
	const {play, until, idle, found} = openFollowed();
	play(enter('/model gpt-4o'));
	await vi.dynamicImportSettled();
	expect(found()).toEqual([]);
	play(enter('hello'));
	const first = await until(({contextWindow}) => contextWindow !== undefined);
	expect(first.contextWindow).toEqual({model: 'gpt-4o', tokens: 128_000});
	play(enter('/model o3'));
	await until(({contextWindow}) => contextWindow?.model === 'o3');
	play(enter('again'));
	await idle();
	expect(found().map((action) => 'tokens' in action && action.tokens)).toEqual([128_000, 200_000]);
});
