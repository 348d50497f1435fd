/** The slash commands, and prompts that look like them. */
import {describe, expect, test} from 'vitest';
import {
	branchEnds,
	messagesOf as messagesOfConversation,
	reasoningOf,
	treeOf,
} from '../../src/chat/conversation.ts';
import {ChatError} from '../../src/errors.ts';
import type {Action, Effect} from '../../src/repl/action.ts';
import {slashCommands} from '../../src/repl/commands/slash-commands.ts';
import {isAttaching} from '../../src/repl/task.ts';
import {statusOf} from '../../src/ui/ink/live/status-line.ts';
import {
	answer,
	at,
	attached,
	begin,
	callsOf,
	draftOf,
	enter,
	entriesOf,
	events,
	failure,
	lineOf,
	messagesOf,
	paste,
	play,
	popupOf,
	press,
	reasoningDelta,
	refuse,
	replyOf,
	saidBy,
	settle,
	stepEnd,
	stepStart,
	textDelta,
	turnEnd,
	type,
	typesOf,
} from './play.ts';

const idle = play(
	begin(),
	enter('first'),
	answer('1', 'because'),
	enter('second'),
	answer('2'),
).state;
const streaming = play(idle, enter('third'), events(stepStart, textDelta('partly'))).state;

const thoughtOnly = events(stepStart, reasoningDelta('in vain'), failure('interrupted'));

const imagePart = {type: 'image', url: 'data:image/png;base64,AAAA'} as const;
const attachedImage = attached(
	[{type: 'image', name: 'a.png', part: imagePart}],
	['a.png is large (5 MB)'],
);
const attachedFile = attached([{type: 'file', name: 'notes.txt', text: 'remember'}]);

const twoAttached = play(
	idle,
	enter('/image a.png'),
	enter('/file notes.txt'),
	attachedImage,
	attachedFile,
).state;
const failed = events(failure('unavailable'));

describe('the table of commands', () => {
	test.each(['help', 'exit', 'system', 'set', 'image', 'detach', 'reasoning', 'usage'])(
		'/%s works during an answer',
		(name) => {
			const {state, effects} = play(streaming, enter(`/${name}`));
			expect(replyOf({state, effects})).not.toContain('after the answer');
			expect(draftOf(state)).toBe('');
		},
	);

	test.each(['new', 'retry', 'undo'])('/%s is available after the answer', (name) => {
		const {state, effects} = play(streaming, enter(`/${name}`));
		expect(replyOf({state, effects})).toBe(`/${name} is available after the answer`);
		expect(state).toEqual({
			...streaming,
			editor: state.editor,
			popup: state.popup,
			menu: state.menu,
			...{now: state.now, tasks: state.tasks},
		});
		expect(draftOf(state)).toBe(`/${name}`);
	});

	test('gives each name and alias to one command', () => {
		const names = slashCommands.flatMap(({name, aliases = []}) => [name, ...aliases]);
		expect(new Set(names).size).toBe(names.length);
	});
});

describe('text that starts with a slash', () => {
	test.each([
		['/nope', '/help lists the commands'],
		['/etc', '/help lists the commands'],
		['/new-one', '/help lists the commands'],
		['/halp me', 'did you mean /help?'],
		['/exit2', 'did you mean /exit?'],
		['/modle luna', 'did you mean /model?'],
		['/quti', 'did you mean /quit?'],
	])('%s is not a command: %s', (text, next) => {
		const asked = play(idle, enter(text)).state;
		const {state, effects} = play(asked, refuse(asked));
		const [name] = text.split(' ');
		expect(replyOf({state, effects})).toBe(
			`unknown command ${name}; ${next} (to send it as a prompt, start with a space)`,
		);
		expect(draftOf(state)).toBe(text);
		expect(state.turn).toBeUndefined();
	});

	test.each([
		['/HELP', '/help'],
		['/Quit', '/exit'],
		['/clear', '/new'],
	])('%s is %s', (text, same) => {
		expect(play(idle, enter(text)).effects).toEqual(play(idle, enter(same)).effects);
	});

	test.each(['/etc/passwd is what?', '//', '/ help', '/a.b', 'a /help', '/usr/', '/héllo'])(
		'%s is a prompt',
		(text) => {
			expect(play(idle, enter(text)).state.conversation.open?.prompt.text).toBe(text);
		},
	);

	test.each([' /help', '  /nope', '\n/exit'])('%j is a prompt, because of the space', (text) => {
		const {state, effects} = play(idle, paste(text), press('enter'));
		expect(state.conversation.open?.prompt.text).toBe(text);
		expect(typesOf(effects)).toEqual(['print', 'start-turn']);
	});

	test.each(['/file notes.txt', '/resume cats', '/export', '/name cats'])(
		'%s is echoed at once, above what it prints later',
		(text) => {
			const {effects} = play(idle, enter(text));
			expect(entriesOf(effects)).toEqual([{type: 'command', text}]);
		},
	);

	test('/copy, whose notice is not printed, leaves no echo', () => {
		const {state} = play(idle, enter('q'), answer('An answer.'));
		expect(entriesOf(play(state, enter('/copy')).effects)).toEqual([]);
	});

	test.each(['/help ', '/help\n', '/help  keys'])('%j is a command', (text) => {
		const {state, effects} = play(idle, paste(text), press('enter'));
		expect(entriesOf(effects)[0]?.type).toBe('command');
		expect(state.turn).toBeUndefined();
	});

	test('goes to the history as a command', () => {
		expect(draftOf(play(idle, enter('/usage'), press('up')).state)).toBe('/usage');
	});
});

describe('/help', () => {
	test('lists the basic commands, and all of them if it is asked to', () => {
		const basic = replyOf(play(idle, enter('/help')));
		expect(basic).toContain('/help [all|keys|name]');
		expect(basic).not.toContain('/tree');
		const all = replyOf(play(idle, enter('/help all')));
		for (const {name} of slashCommands) expect(all).toContain(`/${name} `);
	});

	test('explains one command, by any of its names', () => {
		const explained =
			'/new  start a new conversation (keeps the system message)\n/clear  same as /new';
		for (const name of ['new', '/new', 'CLEAR']) {
			expect(replyOf(play(idle, enter(`/help ${name}`)))).toBe(explained);
		}
	});

	test('looks for a template of another name, and suggests a command for a mistake', async () => {
		const asked = play(idle, enter('/help modle'));
		expect(callsOf(asked.effects)).toEqual([['explainTemplate', 'modle']]);
		const error = new ChatError('input', 'there is no template modle', {closestNames: []});
		const {state, effects} = await settle(asked, {explainTemplate: () => Promise.reject(error)});
		expect(saidBy(effects)).toBe('unknown command /modle; did you mean /model?');
		expect(popupOf(state)).toBe('');
	});
});

test('/exit exits, even during an answer', () => {
	expect(typesOf(play(idle, enter('/exit')).effects)).toEqual(['exit']);
	expect(typesOf(play(streaming, enter('/exit')).effects)).toEqual(['exit']);
});

describe('/new', () => {
	test('keeps only the system message and the settings', () => {
		const {state, effects} = play(
			idle,
			enter('/system Be brief.'),
			enter('/set temperature 1'),
			enter('/file notes.txt'),
			attachedFile,
			enter('/new'),
		);
		expect(messagesOf(state)).toEqual(['system: Be brief.']);
		expect(state.options.temperature).toBe(1);
		expect(state.attachments).toEqual([]);
		expect(state.conversation.turns).toEqual([]);
		expect(saidBy(effects)).toContain('new conversation');
		expect(replyOf(play(state, enter('/reasoning')))).toBe('there are no turns yet');
	});
});

describe('/model', () => {
	test.each([
		['terra', 'MODEL-5.6-terra'],
		['luna', 'MODEL-5.6-luna'],
		['Sol', 'Sol'],
		['OTHER-5.6-sol', 'OTHER-5.6-sol'],
		['vendor/model:7b', 'vendor/model:7b'],
	])('%s changes the model to %s', (name, model) => {
		const {state, effects} = play(idle, enter(`/model ${name}`));
		expect(saidBy(effects)).toBe(`model changed to ${model}`);
		const asked = play(state, enter('hello')).effects.find(({type}) => type === 'start-turn');
		expect(asked).toMatchObject({options: {model}});
	});

	test('expands a short name with the configured family', () => {
		const {state} = play(begin({family: 'ACME'}), enter('/model luna'));
		expect(state.options.model).toBe('ACME-5.6-luna');
	});

	test.each(['sol', 'MODEL-5.6-sol'])('%s, which is the model already, changes nothing', (name) => {
		const {state, effects} = play(idle, enter(`/model ${name}`));
		expect(replyOf({state, effects})).toBe('the model is MODEL-5.6-sol already');
		expect(typesOf(effects)).toEqual([]);
		expect(state.options).toEqual(idle.options);
	});

	test('as a line of a terminal without a menu shows the model', () => {
		const {state, effects} = play(idle, lineOf('/model'));
		expect(replyOf({state, effects})).toBe('model: MODEL-5.6-sol');
	});
});

describe('a word that leaves other programs', () => {
	test.each([
		['exit', '/exit'],
		['Quit ', '/exit'],
		[':q', '/exit'],
		['exit()', '/exit'],
		['help', '/help'],
	])('%s alone names %s first, and is sent by a second Enter', (word, command) => {
		const asked = play(idle, enter(word));
		expect(popupOf(asked.state)).toContain(command);
		expect(asked.effects).toEqual([]);
		expect(draftOf(asked.state)).toBe(word);
		expect(typesOf(play(asked.state, press('enter')).effects)).toContain('start-turn');
		const again = play(asked.state, press('enter'), answer('7'), enter(word));
		expect(popupOf(again.state)).toContain(command);
	});

	test('asks again after any change of the draft', () => {
		const asked = play(idle, enter('exit'), press('ctrl+c'), enter('exit'));
		expect(popupOf(asked.state)).toContain('/exit');
		expect(typesOf(asked.effects)).not.toContain('start-turn');
		const lines = play(idle, lineOf('exit'), lineOf('/usage'), lineOf('exit'));
		expect(popupOf(lines.state)).toContain('/exit');
		expect(typesOf(lines.effects)).not.toContain('start-turn');
	});

	test.each(['constructor', '__proto__', 'valueof', 'exit now'])('is not %s', (text) => {
		const {state, effects} = play(idle, enter(text));
		expect(popupOf(state)).toBe('');
		expect(typesOf(effects)).toContain('start-turn');
	});

	test('is a question mark where lines are read', () => {
		const asked = play(idle, lineOf('?'));
		expect(popupOf(asked.state)).toContain('/help');
		expect(typesOf(asked.effects)).not.toContain('start-turn');
	});

	test('is a prompt beside other words, and with an attachment', () => {
		expect(typesOf(play(idle, enter('help me')).effects)).toContain('start-turn');
		expect(typesOf(play(twoAttached, enter('help')).effects)).toContain('start-turn');
	});

	test('asks where lines are read, too', () => {
		const line = lineOf('exit');
		const asked = play(idle, line);
		expect(popupOf(asked.state)).toContain('/exit');
		expect(typesOf(play(asked.state, line).effects)).toContain('start-turn');
	});
});

describe('/system', () => {
	test('sets, shows, replaces and removes the first message', () => {
		expect(replyOf(play(idle, enter('/system')))).toBe('no system message is set');
		const set = play(idle, paste('/system Be brief.\nBe kind.'), press('enter')).state;
		expect(messagesOf(set)[0]).toBe('system: Be brief.\nBe kind.');
		expect(messagesOf(set)).toHaveLength(5);
		expect(replyOf(play(set, enter('/system')))).toBe('system: Be brief.\nBe kind.');
		const replaced = play(set, enter('/system Be long.')).state;
		expect(messagesOf(replaced)[0]).toBe('system: Be long.');
		expect(messagesOf(replaced)).toHaveLength(5);
		const removed = play(replaced, enter('/system -'));
		expect(saidBy(removed.effects)).toBe('system message removed');
		expect(messagesOf(removed.state)).toEqual(messagesOf(idle));
	});
});

describe('/set', () => {
	test('shows every setting', () => {
		expect(replyOf(play(idle, enter('/set')))).toBe(
			[
				'model: MODEL-5.6-sol',
				'temperature: not set',
				'top_p: not set',
				'max_tokens: not set',
				'reasoning_effort: not set',
				'verbosity: not set',
				'seed: not set',
				'stop: not set',
				'service_tier: not set',
				'response_format: not set',
				'stream: true',
			].join('\n'),
		);
	});

	test.each([
		['temperature 0.5', {temperature: 0.5}],
		['temperature 0', {temperature: 0}],
		['top_p 1', {topP: 1}],
		['top-p .2', {topP: 0.2}],
		['max_tokens 100', {maxTokens: 100}],
		['max-tokens  100 ', {maxTokens: 100}],
		['reasoning_effort high', {reasoningEffort: 'high'}],
		['verbosity low', {verbosity: 'low'}],
		['seed 7', {seed: 7}],
		['service-tier flex', {serviceTier: 'flex'}],
		['response_format json_object', {responseFormat: 'json_object'}],
		['stream false', {isStreaming: false}],
		['stream no', {isStreaming: false}],
	])('%s is set, shown, and reset', (text, options) => {
		const name = (text.split(' ')[0] ?? '').replace('-', '_');
		const {state, effects} = play(idle, enter(`/set ${text}`));
		const fieldSources = {[name]: '/set'};
		expect(state.options).toEqual({...idle.options, ...options, fieldSources});
		expect(saidBy(effects)).toBe(`${name}: ${String(Object.values(options)[0])}`);
		const reset = play(state, enter(`/set ${name}`)).state;
		expect(reset.options).toEqual({...idle.options, fieldSources});
	});

	test.each([
		['temperature 3', 'temperature is "3", but it must be a number from 0 to 2'],
		['temperature hot', 'temperature is "hot", but it must be a number from 0 to 2'],
		['temperature 1 2', 'temperature is "1 2", but it must be a number from 0 to 2'],
		['top_p -1', 'top_p is "-1", but it must be a number from 0 to 1'],
		['max-tokens 0', 'max_tokens is "0", but it must be a whole number of at least 1'],
		['response_format xml', 'response_format is "xml", but it must be one of text, json_object'],
		['stream perhaps', 'stream is "perhaps", but it must be true or false'],
		[
			'temprature 1',
			expect.stringMatching(
				/^unknown setting temprature; the settings are temperature, .*, stream; to set any other/,
			),
		],
		['constructor 1', expect.stringContaining('unknown setting constructor')],
	])('%s is refused', (text, complaint) => {
		const {state, effects} = play(idle, enter(`/set ${text}`));
		expect(replyOf({state, effects})).toEqual(complaint);
		expect(state.options).toEqual(idle.options);
	});

	test('stop replaces the texts that end an answer', () => {
		const stopped = play(idle, enter('/set stop END OF ANSWER'), enter('/set stop STOP'));
		expect(saidBy(stopped.effects)).toBe('stop: END OF ANSWER\nstop: STOP');
		expect(stopped.state.options.stop).toEqual(['STOP']);
		const reset = play(stopped.state, enter('/set stop'));
		expect(saidBy(reset.effects)).toBe('stop: not set');
		expect(reset.state.options.stop).toEqual([]);
	});

	test.each([
		['top_k=40', {top_k: 40}, 'top_k: 40'],
		['top-k=40', {'top-k': 40}, 'top-k: 40'],
		['tags=["a", "b"]', {tags: ['a', 'b']}, 'tags: ["a","b"]'],
		['reasoning.effort=high', {reasoning: {effort: 'high'}}, 'reasoning: {"effort":"high"}'],
		[String.raw`a\.b.c=1`, {'a.b': {c: 1}}, 'a.b: {"c":1}'],
	])('%s is sent as it is, shown, and taken out by null', (text, extraFields, described) => {
		const set = play(idle, enter(`/set ${text}`));
		expect(set.state.options).toEqual({...idle.options, extraFields});
		expect(saidBy(set.effects)).toBe(described);
		const shown = replyOf(play(set.state, enter('/set')));
		expect(shown.endsWith(`\nstream: true\n${described}`)).toBe(true);
		const [name = ''] = text.split('=');
		const removed = play(set.state, enter(`/set ${name}=null`));
		expect(removed.state.options.extraFields).toEqual({});
		expect(saidBy(removed.effects)).toMatch(/: not set$/);
	});

	test('name=value changes a setting too', () => {
		expect(play(idle, enter('/set temperature=0.5')).state.options.temperature).toBe(0.5);
	});

	test.each([
		['temprature=1', 'temprature: 1'],
		['=1', expect.stringMatching(/^unknown setting =1; .*: \/set name=value$/)],
		['a=@b.json', expect.stringContaining('files are only read at the start, with -O')],
		['__proto__=1', '__proto__ is "1", but it must not set __proto__'],
		['model=x', 'model is "x", but it must not set model: use --model'],
	])('%s is understood or refused', (text, said) => {
		expect(replyOf(play(idle, enter(`/set ${text}`)))).toEqual(said);
	});

	test('goes into the next request', () => {
		const {effects} = play(idle, enter('/set temperature 0.5'), enter('hello'));
		const asked = effects.find(({type}) => type === 'start-turn');
		expect(asked).toMatchObject({options: {temperature: 0.5}});
	});
});

describe('during an answer', () => {
	test.each([
		['/model luna', 'model changed to MODEL-5.6-luna'],
		['/set temperature 1', 'temperature: 1'],
		['/system Be brief.', 'system message set'],
	])('%s applies to the next prompt', (text, said) => {
		const changed = play(streaming, enter(text));
		expect(replyOf(changed)).toBe(`${said}, from the next prompt on`);
		expect(statusOf(changed.state).lines.join()).toContain('MODEL-5.6-sol');
		const {state, effects} = play(changed.state, enter('next'), events(stepEnd(), turnEnd));
		const [asked] = effects.flatMap((effect) => (effect.type === 'start-turn' ? [effect] : []));
		const idly = play(idle, enter(text)).state;
		expect(asked?.options).toEqual(idly.options);
		expect(messagesOf(state).filter((message) => message.startsWith('system'))).toEqual(
			messagesOf(idly).filter((message) => message.startsWith('system')),
		);
		expect(messagesOf(state).slice(-2)).toEqual(['assistant: partly', 'user: next']);
	});
});

describe('/image and /file', () => {
	test.each([
		['/image a b.png', ['image', 'a b.png']],
		['/image https://example.com/a.png', ['image', 'https://example.com/a.png']],
		['/file notes.txt', ['file', 'notes.txt']],
	])('%s loads the attachment', (text, source) => {
		const {state, effects} = play(idle, enter(text));
		expect(callsOf(effects)).toEqual([['load', ...source]]);
		expect(isAttaching(state)).toBe(true);
	});

	test('reports what was attached, and sends it with the next prompt only', () => {
		const both = play(idle, enter('/image a.png'), enter('/file n'), attachedImage, attachedFile);
		expect(saidBy(both.effects)).toBe(
			'a.png is large (5 MB)\nattached [image a.png]\nattached [file notes.txt]',
		);
		expect(isAttaching(both.state)).toBe(false);
		const sent = play(both.state, enter('compare'));
		expect(messagesOfConversation(sent.state.conversation).at(-1)).toEqual({
			role: 'user',
			parts: [
				{type: 'text', text: '<file name="notes.txt">\nremember\n</file>\n\ncompare'},
				imagePart,
			],
		});
		expect(sent.state.attachments).toEqual([]);
		const next = play(sent.state, answer('same'), enter('sure?')).state;
		expect(messagesOfConversation(next.conversation).at(-1)).toEqual({
			role: 'user',
			parts: [{type: 'text', text: 'sure?'}],
		});
	});

	test('reports what cannot be read, and attaches nothing', async () => {
		const error = new ChatError('input', 'cannot read a.png');
		const load = () => Promise.reject(error);
		const {state, effects} = await settle(play(idle, enter('/image a.png')), {load});
		expect(entriesOf(effects)).toEqual([{type: 'error', error}]);
		expect(isAttaching(state)).toBe(false);
		expect(state.attachments).toEqual([]);
	});

	test('does not send a prompt while an attachment is being read', () => {
		const {state, effects} = play(idle, enter('/file notes.txt'), enter('read it'));
		expect(replyOf({state, effects})).toBe('a file is still being read; try again');
		expect(draftOf(state)).toBe('read it');
		const sent = play(state, attachedFile, press('enter')).state;
		expect(sent.conversation.open?.prompt.attachments).toHaveLength(1);
	});

	test.each(['/image', '/file'])('%s without an argument lists the attachments', (text) => {
		expect(replyOf(play(idle, enter(text)))).toBe('nothing is attached');
		const {state, effects} = play(twoAttached, enter(text));
		expect(state.attachments).toEqual(twoAttached.attachments);
		expect(saidBy(effects)).toContain('1  [image a.png]\n2  [file notes.txt]');
	});

	test('names the first files of a folder, and counts the rest', () => {
		const attachments = Array.from({length: 8}, (_, place) => {
			return {type: 'file', name: `src/${place}`, text: ''} as const;
		});
		const loaded = attached(attachments, ['src: 8 files']);
		const {state, effects} = play(idle, enter('/attach src'), loaded);
		expect(saidBy(effects)).toMatch(/^src: 8 files\nattached \[file src\/0\] .*4\] and 3 more$/);
		expect(state.attachments).toHaveLength(8);
		expect(isAttaching(state)).toBe(false);
	});

	test('attaches the same file once, as it is now', () => {
		const attachment = {type: 'file', name: 'notes.txt', text: 'new'} as const;
		const again = attached([attachment]);
		const {state} = play(twoAttached, enter('/file notes.txt'), again);
		expect(state.attachments).toEqual([twoAttached.attachments[0], attachment]);
		const back = play(state, enter('q'), enter('/file notes.txt'), attachedFile, failed).state;
		expect(back.attachments.map(({name}) => name)).toEqual(['a.png', 'notes.txt']);
	});

	test('Ctrl-C removes them with the draft, and names them', () => {
		const {state} = play(twoAttached, type('draft'), press('ctrl+c'));
		expect(state.attachments).toEqual([]);
		expect(popupOf(state)).toBe('detached [image a.png] [file notes.txt]');
		expect(play(twoAttached, press('ctrl+c')).state.armedKey).toBeUndefined();
	});

	test('attachments alone are not sent', () => {
		const attached = play(idle, enter('/image a.png'), attachedImage).state;
		const {state, effects} = play(attached, press('enter'));
		expect(effects).toEqual([]);
		expect(state.attachments).toHaveLength(1);
	});
});

describe('/detach', () => {
	test.each([
		['/detach', ['a.png'], 'detached [file notes.txt]'],
		['/detach 1', ['notes.txt'], 'detached [image a.png]'],
		['/detach 0', ['a.png', 'notes.txt'], '/detach needs a number from 1 to 2'],
		['/detach 3', ['a.png', 'notes.txt'], '/detach needs a number from 1 to 2'],
		['/detach notes.txt', ['a.png', 'notes.txt'], '/detach needs a number from 1 to 2'],
	])('%s keeps %j', (text, names, said) => {
		const played = play(twoAttached, enter(text));
		expect(played.state.attachments.map(({name}) => name)).toEqual(names);
		expect(replyOf(played)).toBe(said);
	});

	test('reports that nothing is attached', () => {
		expect(replyOf(play(idle, enter('/detach')))).toBe('nothing is attached');
	});
});

describe('/reasoning', () => {
	test('prints the reasoning of the last turn, or of any', () => {
		const last = play(idle, enter('third'), answer('3', 'so be it')).state;
		const entries = (text: string) => entriesOf(play(last, enter(text)).effects).slice(1);
		expect(entries('/reasoning')).toEqual([{type: 'reasoning', text: 'so be it'}]);
		expect(entries('/reasoning 1')).toEqual([{type: 'reasoning', text: 'because'}]);
		expect(entries('/reasoning 3')).toEqual([{type: 'reasoning', text: 'so be it'}]);
	});

	test.each([
		['/reasoning 2', 'that turn has no reasoning'],
		['/reasoning 3', 'there is no turn 3 yet'],
		['/reasoning 99999999999999999999', 'there is no turn 99999999999999999999 yet'],
		['/reasoning 0', '/reasoning needs a turn number, or one of auto, show, hide'],
		['/reasoning -1', '/reasoning needs a turn number, or one of auto, show, hide'],
		['/reasoning never', '/reasoning needs a turn number, or one of auto, show, hide'],
	])('%s explains itself', (text, complaint) => {
		expect(replyOf(play(idle, enter(text)))).toBe(complaint);
	});

	test.each(['auto', 'show', 'hide'] as const)('%s sets how reasoning is shown', (mode) => {
		const {state, effects} = play(streaming, enter(`/reasoning ${mode}`));
		expect(state.reasoningMode).toBe(mode);
		expect(saidBy(effects)).toBe(`reasoning: ${mode}`);
	});
});

describe('the reasoning of a turn without an answer', () => {
	const {state} = play(idle, enter('third'), thoughtOnly, press('ctrl+c'));

	test('is shown as that of the last turn, and not sent', () => {
		expect(entriesOf(play(state, enter('/reasoning')).effects).slice(1)).toEqual([
			{type: 'reasoning', text: 'in vain'},
		]);
		expect(play(state, press('ctrl+o')).state.openFold).toBe(0);
		expect(messagesOf(state)).toEqual(messagesOf(idle));
	});

	test('goes with the turn before it on /undo and /retry', () => {
		const undone = play(state, enter('/undo')).state;
		expect(draftOf(undone)).toBe('second');
		expect(undone.conversation.turns.map(reasoningOf)).toEqual(['because']);
		expect(play(state, enter('/retry')).state.conversation.open?.prompt.text).toBe('second');
	});
});

describe('/retry', () => {
	test('sends the last prompt again, without its answer', () => {
		const {state, effects} = play(idle, enter('/retry'));
		expect(typesOf(effects)).toEqual(['print', 'print', 'start-turn']);
		expect(messagesOf(state)).toEqual(['user: first', 'assistant: <reasoning> 1', 'user: second']);
		const again = play(state, answer('two')).state;
		expect(messagesOf(again).slice(2)).toEqual(['user: second', 'assistant: two']);
		expect(again.conversation.turns).toHaveLength(2);
	});

	test('uses the current settings and the original attachments', () => {
		const asked = play(idle, enter('/image a.png'), attachedImage, enter('what?'), answer('a cat'));
		const {state} = play(asked.state, enter('/model luna'), enter('/retry'));
		expect(state.options.model).toBe('MODEL-5.6-luna');
		expect(messagesOfConversation(state.conversation).at(-1)).toMatchObject({
			parts: [{type: 'text'}, imagePart],
		});
	});

	test('repeats an answer that was cut off', () => {
		const cut = play(streaming, events(failure('incomplete'))).state;
		expect(messagesOf(play(cut, enter('/retry')).state).slice(4)).toEqual(['user: third']);
	});

	test('brings the old answer back if there is no new one, and Enter asks again', () => {
		const before = messagesOf(idle);
		const {state, effects} = play(idle, enter('/retry'), failed);
		expect([messagesOf(state), draftOf(state)]).toEqual([before, 'second']);
		expect(saidBy(effects)).toBe('the replaced turns are back');
		expect(messagesOf(play(state, press('ctrl+c'), enter('third')).state)).toEqual([
			...before,
			'user: third',
		]);
		const again = play(state, press('enter'), answer('two')).state;
		expect(messagesOf(again).slice(2)).toEqual(['user: second', 'assistant: two']);
	});

	test('needs a turn', () => {
		expect(replyOf(play(begin(), enter('/retry')))).toBe('nothing to retry');
		const undone = play(
			idle,
			enter('/undo'),
			press('ctrl+c'),
			enter('/undo'),
			press('ctrl+c'),
		).state;
		expect(replyOf(play(undone, enter('/retry')))).toBe('nothing to retry');
	});
});

describe('/edit', () => {
	test('shows the last prompt, and sending it makes a branch', () => {
		const back = play(idle, enter('/edit'));
		expect(draftOf(back.state)).toBe('second');
		expect(back.state.conversation).toBe(idle.conversation);
		const {state, effects} = play(back.state, type(', please'), press('enter'), answer('two'));
		expect(saidBy(effects)).toContain('back to "second"');
		expect(messagesOf(state).slice(2)).toEqual(['user: second, please', 'assistant: two']);
		expect(branchEnds(state.conversation).map(({prompt}) => prompt.text)).toEqual([
			'second, please',
			'second',
		]);
	});

	test('shows a prompt by its number', () => {
		const {state} = play(idle, enter('/edit 1'));
		expect(draftOf(state)).toBe('first');
		const sent = play(state, press('enter')).state;
		expect(messagesOf(sent)).toEqual(['user: first']);
		expect(treeOf(sent.conversation)).toHaveLength(2);
	});

	test('names a long prompt of several lines in one line', () => {
		const {effects} = play(
			begin(),
			...[paste(`${'word '.repeat(50)}\n\nend`), press('enter'), answer('ok'), enter('/edit')],
			press('enter'),
		);
		expect(saidBy(effects)).toContain(`back to "${'word '.repeat(40)}…"`);
	});

	test('brings the attachments back', () => {
		const asked = play(idle, enter('/image a.png'), attachedImage, enter('what?'), answer('a cat'));
		const {state} = play(asked.state, enter('/edit'));
		expect(state.attachments).toEqual([expect.objectContaining({name: 'a.png'})]);
	});

	test.each([
		['/edit 9', 'there is no turn 9 yet'],
		['/edit 0', '/edit needs a prompt number'],
		['/edit first', '/edit needs a prompt number'],
	])('refuses %s, and changes nothing', (command, reply) => {
		const refused = play(idle, enter(command));
		expect(replyOf(refused)).toBe(reply);
		expect(refused.state.conversation).toBe(idle.conversation);
	});

	test('needs a turn, and the end of the answer', () => {
		expect(replyOf(play(begin(), enter('/edit')))).toBe('nothing to edit');
		expect(replyOf(play(streaming, enter('/edit')))).toBe('/edit is available after the answer');
	});
});

describe('/private', () => {
	const changes = (effects: readonly Effect[]) =>
		effects.filter(({type: name}) => name === 'privacy-changed' || name === 'conversation-changed');

	test('ends while there is no private turn, and reports where the user went meanwhile', () => {
		const gone = play(idle, enter('/private'), enter('/undo'), press('ctrl+c'));
		const {state, effects} = play(gone.state, enter('/private'));
		expect(state.privateFrom).toBeUndefined();
		expect(changes(effects)).toEqual([
			{type: 'privacy-changed', isPrivate: false},
			{type: 'conversation-changed', change: {type: 'head-moved', at: 'turn-1'}},
		]);
		const {effects: same} = play(idle, enter('/private'), enter('/private'));
		expect(changes(same).map(({type: name}) => name)).toEqual([
			'privacy-changed',
			'privacy-changed',
		]);
	});

	test('stays once there is a private turn, also after it was undone', () => {
		const asked = play(idle, enter('/private'), enter('secret'), answer('psst')).state;
		const undone = play(asked, enter('/undo'), press('ctrl+c')).state;
		expect(replyOf(play(undone, enter('/private')))).toContain(
			'private turns cannot be saved later',
		);
	});
});

describe('/undo', () => {
	test('undoes one turn after another', () => {
		const once = play(idle, enter('/undo'));
		expect(messagesOf(once.state)).toEqual(['user: first', 'assistant: <reasoning> 1']);
		expect(draftOf(once.state)).toBe('second');
		expect(saidBy(once.effects)).toBe('last turn undone; its prompt is the draft again');
		const twice = play(once.state, press('ctrl+c'), enter('/undo'));
		expect(messagesOf(twice.state)).toEqual([]);
		expect(draftOf(twice.state)).toBe('first');
		const thrice = play(twice.state, press('ctrl+c'), enter('/undo'));
		expect(replyOf(thrice)).toBe('nothing to undo');
	});

	test('keeps the system message', () => {
		const {state} = play(
			begin(),
			enter('/system Be brief.'),
			enter('hi'),
			answer('ho'),
			enter('/undo'),
		);
		expect(messagesOf(state)).toEqual(['system: Be brief.']);
	});

	test('restores the prompt as it was in the editor, with its attachments before newer ones', () => {
		const long = 'x'.repeat(3000);
		const {state} = play(
			begin(),
			enter('/image a.png'),
			attachedImage,
			paste(long),
			press('enter'),
			answer('ok'),
			enter('/file notes.txt'),
			attachedFile,
			enter('/undo'),
		);
		expect(draftOf(state)).toBe(long);
		expect(state.editor.buffer.pastes).toHaveLength(1);
		expect(state.attachments.map(({name}) => name)).toEqual(['a.png', 'notes.txt']);
	});
});

describe('/usage', () => {
	test('shows the reported tokens, and totals', () => {
		expect(replyOf(play(begin(), enter('/usage')))).toBe('there are no turns yet');
		const counted = at(
			1500,
			events(
				stepStart,
				textDelta('a'),
				stepEnd({promptTokens: 12, completionTokens: 345}),
				turnEnd,
			),
		);
		const one = play(begin(), enter('q'), counted).state;
		expect(replyOf(play(one, enter('/usage'))).split('\n')).toEqual([
			'        tokens in  tokens out   time',
			'turn 1         12         345  1.5 s',
		]);
		const two = play(
			one,
			enter('r', 1500),
			at(2000, events(stepStart, textDelta('b'), stepEnd(), turnEnd)),
		);
		expect(
			replyOf(play(two.state, enter('/usage')))
				.split('\n')
				.slice(1),
		).toEqual([
			'turn 1         12         345  1.5 s',
			'turn 2          –           –  0.5 s',
			'total          12         345  2.0 s',
		]);
	});

	test('shows what turns cost if the prices of their models are known', () => {
		const counts = stepEnd({promptTokens: 12_000, completionTokens: 345});
		const reply = events(stepStart, textDelta('a'), counts, turnEnd);
		const prices = {input: 2.5, output: 10, date: '2026-07-01'};
		const known: Action = {
			type: 'model-known',
			name: begin().options.model,
			model: {context: undefined, prices},
		};
		const one = play(begin(), enter('q'), reply, known).state;
		const two = play(one, enter('r'), reply, enter('/model other'), enter('s'), reply).state;
		expect(replyOf(play(two, enter('/usage'))).split('\n')).toEqual([
			'            in    out   time   about',
			'turn 1  12,000    345  0.0 s  $0.033',
			'turn 2  12,000    345  0.0 s  $0.033',
			'turn 3  12,000    345  0.0 s       –',
			'total   36,000  1,035  0.0 s  $0.067',
			'tokens in and out; prices of 2026-07-01',
		]);
	});

	test('includes a turn with reasoning alone, but not one without anything', () => {
		const lost = play(begin(), enter('q'), events(failure('timeout')), press('ctrl+c')).state;
		expect(replyOf(play(lost, enter('/usage')))).toBe('there are no turns yet');
		const thought = play(lost, enter('q'), thoughtOnly, press('ctrl+c')).state;
		expect(replyOf(play(thought, enter('/usage')))).toContain('turn 1 ');
	});
});

describe('an argument of a command that takes none', () => {
	test.each(['new', 'undo', 'retry', 'usage', 'exit'])('/%s stays in the editor', (name) => {
		const {state, effects} = play(idle, enter(`/${name} it`));
		expect(draftOf(state)).toBe(`/${name} it`);
		expect(effects).toEqual([]);
		expect(replyOf({state, effects})).toContain('takes no argument');
		expect(messagesOf(state)).toEqual(messagesOf(idle));
	});

	test('a model name with spaces and a system message from a file are refused', () => {
		expect(replyOf(play(idle, enter('/model a b')))).toContain('cannot contain spaces');
		expect(replyOf(play(idle, enter('/system @style.txt')))).toContain('-s @file');
		expect(play(idle, enter('/system @style.txt')).state.conversation).toBe(idle.conversation);
	});
});

describe('/resume', () => {
	test.each(['/resume', '/sessions'])('as %s lets the user choose', (command) => {
		expect(typesOf(play(idle, enter(command)).effects)).toEqual(['pick-session']);
	});

	test('does not switch during an answer to a prompt that was typed ahead', () => {
		const outcome = play(streaming, {type: 'session-picked', id: 'k3f9q2xw'});
		expect(typesOf(outcome.effects)).toEqual([]);
		expect(replyOf(outcome)).toContain('/resume is available after the answer');
	});
});
