/** Calls of tools, and what `/copy` and `/save` take of an answer. */
import {describe, expect, test} from 'vitest';
import type {ChatEvent} from '../../src/chat/event.ts';
import {textOutput} from '../../src/chat/tool-output.ts';
import type {ReplState} from '../../src/repl/state.ts';
import {activityOf} from '../../src/ui/ink/live/status-line.ts';
import {textDelta} from '../helpers/events.ts';
import {
	at,
	begin,
	callsOf,
	entriesOf,
	events,
	expectRows,
	play,
	type Step,
	settle,
	stepEnd,
	stepStart,
} from './play.ts';

const call = (callId: string, name: string): readonly ChatEvent[] => [
	{type: 'tool-call-start', callId, name},
	{type: 'tool-call', call: {callId, name, arguments: `{"of":"${callId}"}`, isRunnable: true}},
];
const decided = (callId: string, decision: 'once' | 'denied'): ChatEvent => ({
	...{type: 'tool-decision', callId, decision},
});
const result = (callId: string) =>
	events({type: 'tool-result', callId, ...textOutput('ran', false)});

const two = [...call('a', 'first'), ...call('b', 'second'), stepEnd()];
const calling = events(stepStart, textDelta('Calling.'), ...two);
const asked = play(
	begin(),
	...['one⏎', calling, at(5000, events(decided('a', 'once'), decided('b', 'once')))],
).state;

test('the status line names the running tools instead of the rate, and no denied one', () => {
	const statusOf = (state: ReplState, ...steps: readonly Step[]) =>
		activityOf({state: play(state, ...steps).state, reasoningKey: undefined}).lines.join();
	expect(statusOf(asked)).toContain('running first {"of":"a"}, second {"of":"b"}');
	expect(statusOf(asked)).not.toContain('tokens/s');
	expect(statusOf(asked, result('a'))).toContain('running second {"of":"b"}');
	expect(statusOf(asked, result('a'), result('b'))).not.toContain('running');
	const denied = events(stepStart, ...call('a', 'first'), stepEnd(), decided('a', 'denied'));
	expect(statusOf(begin(), 'one⏎', denied)).not.toContain('running');
});

test('a stopped turn names the calls awaiting approval, and those that may have had an effect', () => {
	const printed = (...steps: readonly Step[]) =>
		entriesOf(play(begin(), 'one⏎', calling, ...steps, '<< !interrupted').effects).slice(1);
	expect(printed()).toMatchObject([
		{type: 'tool', name: 'first', result: textOutput('not run', true)},
		{type: 'tool', name: 'second', result: textOutput('not run', true)},
		{type: 'truncation'},
	]);
	const running = events(decided('a', 'once'), decided('b', 'once'));
	expect(printed(running, result('a'))).toMatchObject([
		{name: 'first', result: textOutput('ran', false)},
		{name: 'second', result: textOutput('stopped before it finished', true)},
		{type: 'truncation'},
	]);
});

describe('/tool', () => {
	const done = events(stepStart, textDelta('Done.'));
	const ran = play(asked, result('a'), result('b'), done, '<<').state;
	const third = events(stepStart, ...call('a', 'third'), stepEnd(), decided('a', 'once'));
	const again = play(ran, 'two⏎', third, result('a'), done, '<<').state;

	test('prints the call with its number in the session, also after it was undone', () => {
		const numbers = {'1': 'first', '2': 'second', '3': 'third', '': 'third'};
		for (const state of [again, play(again, '/undo⏎', '<ctrl+c>').state]) {
			for (const [number, name] of Object.entries(numbers).slice(state === again ? 0 : 1, 3)) {
				expect(entriesOf(play(state, `/tool ${number}⏎`).effects)).toMatchObject([
					{type: 'command', text: `/tool ${number}`.trim()},
					{type: 'tool', name, isWhole: true, result: textOutput('ran', false)},
				]);
			}
		}
	});

	test('follows after the text of an answer, and says which calls there are', () => {
		const after = play(asked, result('a'), '/tool 1⏎');
		expect(entriesOf(after.effects).at(-1)).toMatchObject({type: 'tool', name: 'first'});
		expectRows(after.state, [[], {popup: 'the tool call follows after the answer'}]);
		expectRows(
			again,
			['/tool⏎', {popup: '', prints: expect.objectContaining({length: 2})}],
			['/tool 4⏎', {popup: 'there are only 3 tool calls yet', does: []}],
			['/tool x⏎', {popup: '/tool needs a call number', does: []}],
			['/tool 0⏎', {popup: '/tool needs a call number', does: []}],
		);
		expectRows(begin(), ['/tool⏎', {popup: 'no tool was called yet'}]);
	});
});

describe('/copy', () => {
	const block = (code: string) => `\`\`\`js\n${code}\n\`\`\``;
	const [look, done] = [`I look.\n\n${block('first')}`, `Done.\n\n${block('second')}`];
	const withTool = play(
		begin(),
		...['How?⏎', events(stepStart, textDelta(look), ...call('a', 'look'), stepEnd()), result('a')],
		...[events(stepStart, textDelta(done)), '<<'],
	).state;
	const copied = (state: ReplState, ...steps: readonly Step[]) =>
		callsOf(play(state, ...steps).effects)
			.at(-1)
			?.slice(0, 2);

	test.each<readonly [steps: readonly Step[], text: string]>([
		[['/copy 2⏎'], 'second'],
		[['/copy⏎'], `${look}\n\n${done}`],
		[['And?⏎', '<< No code.', '/copy js⏎'], 'second'],
		[['And?⏎', '<< (in vain)…', '<< !interrupted', '<ctrl+u>', '/copy 2⏎'], 'second'],
		[['And?⏎', '<< (in vain)…', '<< !interrupted', '<ctrl+u>', '/copy reasoning⏎'], 'in vain'],
		[['And?⏎', '<< ```\nopen…', '<< !incomplete', '/copy⏎'], '```\nopen'],
		// A number is that beside the block, whatever has become of its turn.
		...['/undo⏎', '/new⏎'].map((command) => {
			const gone = ['And?⏎', `<< ${block('third')}`, command, '<ctrl+u>'];
			return [[...gone, 'More?⏎', `<< ${block('fourth')}`, '/copy 4⏎'], 'fourth'] as const;
		}),
	])('takes text or blocks of all steps, as the screen numbers them: %j', (steps, text) => {
		expect(copied(withTool, ...steps)).toEqual(['copy', text]);
	});
});

const python = 'def f():\n\treturn 1';
const shell = 'ls -l | wc';
const text = `First *this*:\n\n\`\`\`python\n${python}\n\`\`\`\n\nThen:\n\n\`\`\`sh\n${shell}\n\`\`\`\n`;
const answered = play(begin(), 'How?⏎', `<< (Hmm.\nWell.) ${text}`).state;
const copies = (part: string, isPartial = false) => ({calls: [['copy', part, isPartial]]});
const saves = (...given: readonly string[]) => ({calls: [['save', ...given]]});

test('/copy takes the answer, a code block by number or language, or the reasoning', async () => {
	expectRows(
		answered,
		['/copy⏎', copies(text)],
		['/copy 1⏎', copies(python)],
		['/copy Bash⏎', copies(shell)],
		['/copy py⏎', copies(python)],
		['/copy reasoning⏎', copies('Hmm.\nWell.')],
		['/copy rust⏎', {popup: 'there is no code block in rust'}],
		['/copy 3⏎', {popup: 'there are only 2 code blocks yet'}],
	);
	expectRows(begin(), ['/copy⏎', {popup: 'there is no answer to copy yet'}]);
	const refusal = events(stepStart, {type: 'refusal-delta', text: 'No.'});
	expectRows(begin(), [['How?⏎', refusal, '<<', '/copy⏎'], copies('No.')]);
	expectRows(
		play(begin(), 'How?⏎', '<< So.').state,
		['/copy 1⏎', {popup: 'there is no code block yet'}],
		['/copy reasoning⏎', {popup: 'there is no reasoning to copy yet'}],
	);
	const copied: string[] = [];
	const copy = async (whole: string) => `copied ${copied.push(whole)}`;
	await settle(play(answered, '/copy all⏎'), {printConversation: async () => 'all of it', copy});
	expect(copied).toEqual(['all of it']);
});

test('during an answer, /copy takes the finished blocks and the text so far', () => {
	const written = '```js\nlet a;\n```\n\n```js\nlet b;\n';
	const {state} = play(begin(), 'Both⏎', `<< ${written}…`);
	expectRows(
		state,
		['/copy js⏎', {popup: 'that code block is not finished yet'}],
		['/copy 1⏎', copies('let a;')],
		['<alt+c>', copies(written, true)],
		[['<< ```\n', '/copy js⏎'], copies('let b;')],
	);
});

test('/save takes the same parts, and a file name', () => {
	expectRows(
		answered,
		['/save answer.md⏎', saves(text, '', 'answer.md')],
		['/save 2 list.sh⏎', saves(shell, '2', 'list.sh')],
		['/save "my list"⏎', saves(text, '', '"my list"')],
		['/save 2⏎', {popup: '/save needs a file name: /save 2 main.py'}],
	);
});
