import {expect, test, vi} from 'vitest';
import {followModels} from '../../src/cli/run/find-model.ts';
import {enter, stepEnd, stepStart, textDelta, turnEnd} from '../repl/play.ts';
import {openScripted} from '../repl/scripted-repl.ts';

const usage = stepEnd({promptTokens: 1000, completionTokens: 24});
const answered = [[stepStart, textDelta('a'), usage, turnEnd]];

function openFollowed() {
	const scripted = openScripted([answered, answered]);
	const service = new URL('https://api.example.com/v1/chat/completions');
	followModels(scripted.repl, () => service, {
		variables: {},
		platform: 'linux',
		homedir: undefined,
	});
	const found = () => scripted.actions.filter(({type}) => type === 'model-known');
	return {...scripted, found};
}

test('a session learns the context window of its model after an answer, and of the next one', async () => {
	const {play, until, idle, found} = openFollowed();
	play(enter('/model gpt-4o'));
	await vi.dynamicImportSettled();
	expect(found()).toEqual([]);
	play(enter('hello'));
	const first = await until(({knownModels}) => knownModels.size > 0);
	expect(first.knownModels.get('gpt-4o')).toEqual({context: 128_000, prices: undefined});
	play(enter('/model o3'));
	await until(({knownModels}) => knownModels.has('o3'));
	play(enter('again'));
	await idle();
	expect(found().map((action) => 'name' in action && action.name)).toEqual(['gpt-4o', 'o3']);
});
