/** The slash commands, prompts that look like them, and the popup below the prompt, where replies are. */
import {describe, expect, test} from 'vitest';
import {messagesOf as messagesOfConversation, reasoningOf} from '../../src/chat/conversation.ts';
import type {ChatEvent} from '../../src/chat/event.ts';
import {ChatError} from '../../src/errors.ts';
import type {Action} from '../../src/repl/action.ts';
import {slashCommands} from '../../src/repl/commands/slash-commands.ts';
import {isAttaching} from '../../src/repl/task.ts';
import {statusOf} from '../../src/ui/ink/live/status-line.ts';
import {textDelta, turnEnd} from '../helpers/events.ts';
import {
	at,
	attached,
	begin,
	enter,
	entriesOf,
	events,
	expectRows,
	expectSeen,
	lineOf,
	messagesOf,
	paste,
	play,
	refused,
	replyOf,
	type Step,
	settle,
	stepEnd,
	stepStart,
} from './play.ts';

const idle = play(begin(), 'first⏎', '<< (because) 1', 'second⏎', '<< 2').state;
const sent = ['user: first', 'assistant: <reasoning> 1', 'user: second', 'assistant: 2'];
const streaming = play(idle, 'third⏎', '<< partly…').state;
const thinking = play(idle, 'third⏎', '<< (hm)…').state;
const answering = play(thinking, '<< partly…').state;
const thought = ['<< (in vain)…', '<< !interrupted', '<ctrl+c>'];
const some = (text: string) => expect.stringContaining(text);
const does = (name: unknown) => expect.arrayContaining([name]);

const imagePart = {type: 'image', url: 'data:image/png;base64,AAAA'} as const;
const readImage = attached(
	[{type: 'image', name: 'a.png', part: imagePart}],
	['a.png is large (5 MB)'],
);
const readFile = attached([{type: 'file', name: 'notes.txt', text: 'remember'}]);
const image = ['/image a.png⏎', readImage];
const file = ['/file notes.txt⏎', readFile];
const twoAttached = play(idle, ...image, ...file).state;

test('a command that needs the end of the answer changes nothing before it', () => {
	for (const name of ['new', 'tree', 'resume', 'export']) {
		const {state} = play(streaming, `/${name}⏎`);
		const reply = `/${name} is available after the answer`;
		expectSeen({state, effects: []}, {reply, draft: `/${name}`});
		const {editor, popup, menu, tasks, now} = state;
		expect(state).toEqual({...streaming, editor, popup, menu, tasks, now});
	}
	const reply = '/resume is available after the answer';
	expectRows(streaming, [
		{type: 'session-picked', id: 'k3f9q2xw'},
		{does: [], reply},
	]);
	expectRows(
		idle,
		['/resume⏎', {does: ['pick-session']}],
		['/sessions⏎', {does: ['pick-session']}],
	);
});

test('each name and alias belongs to one command', () => {
	const names = slashCommands.flatMap(({name, aliases = []}) => [name, ...aliases]);
	expect(new Set(names).size).toBe(names.length);
});

describe('text that starts with a slash', () => {
	test('is not a command without a name of ours, in any case', () => {
		for (const [text, next] of [
			['/nope', '/help lists the commands'],
			['/modle luna', 'did you mean /model?'],
		] as const) {
			const known = `unknown command ${text.split(' ')[0]}; ${next}`;
			const reply = `${known} (to send it as a prompt, start with a space)`;
			expectRows(idle, [[`${text}⏎`, refused()], {reply, draft: text, prompt: undefined}]);
		}
		expect(play(idle, '/Quit⏎').effects).toEqual(play(idle, '/exit⏎').effects);
	});

	test('is a prompt as a path, or after a space', () => {
		const paths = ['/etc/passwd is what?', '//', '/ help', '/a.b', 'a /help', '/usr/', '/héllo'];
		for (const prompt of paths) expectRows(idle, [enter(prompt), {prompt}]);
		for (const prompt of [' /help', '\n/exit']) {
			expectRows(idle, [[paste(prompt), '⏎'], {prompt, does: ['print', 'start-turn']}]);
		}
		const prints = does(expect.objectContaining({type: 'command'}));
		expectRows(idle, [[paste('/help\n'), '⏎'], {prints, prompt: undefined}]);
	});

	test('is echoed at once, above what a command prints later, and goes to the history', () => {
		const text = '/file notes.txt';
		expectRows(idle, [enter(text), {prints: [{type: 'command', text}]}]);
		expectRows(idle, [['/usage⏎', '<up>'], {draft: '/usage'}]);
	});
});

test('/help lists the basic commands or all, and explains one by any of its names', async () => {
	const basic = replyOf(play(idle, '/help⏎'));
	expect(basic).toContain('/help [all|keys|name]');
	expect(basic).not.toContain('/tree');
	const all = replyOf(play(idle, '/help all⏎'));
	for (const {name} of slashCommands) expect(all).toContain(`/${name} `);
	const reply = '/new  start a new conversation (keeps the system message)\n/clear  same as /new';
	for (const name of ['new', '/new', 'CLEAR']) expectRows(idle, [`/help ${name}⏎`, {reply}]);
	// Another name may be a template, or a mistake.
	const asked = play(idle, '/help modle⏎');
	expectSeen(asked, {calls: [['explainTemplate', 'modle']]});
	const error = new ChatError('input', 'there is no template modle', {closestNames: []});
	const missing = await settle(asked, {explainTemplate: () => Promise.reject(error)});
	expectSeen(missing, {said: 'unknown command /modle; did you mean /model?', popup: ''});
});

test('/new keeps only the system message and the settings', () => {
	const steps = ['/system Be brief.⏎', '/set temperature 1⏎', ...file, '/new⏎'];
	const played = play(idle, ...steps);
	expectSeen(played, {messages: ['system: Be brief.'], files: [], said: some('new conversation')});
	expect(played.state.options.temperature).toBe(1);
	expect(played.state.conversation.turns).toEqual([]);
	expectRows(played.state, ['/reasoning⏎', {reply: 'there are no turns yet'}]);
});

test('/model changes the model for the next request, expands short names, and says what it is', () => {
	const same = {reply: 'the model is MODEL-5.6-sol already', does: [], model: 'MODEL-5.6-sol'};
	expectRows(
		idle,
		['/model terra⏎', {said: 'model changed to MODEL-5.6-terra', model: 'MODEL-5.6-terra'}],
		['/model vendor/model:7b⏎', {model: 'vendor/model:7b'}],
		['/model sol⏎', same],
		['/model MODEL-5.6-sol⏎', same],
		[lineOf('/model'), {reply: 'model: MODEL-5.6-sol'}],
	);
	expectRows(begin({family: 'ACME'}), ['/model luna⏎', {model: 'ACME-5.6-luna'}]);
});

describe('a word that leaves other programs', () => {
	test('names the command first, and is sent by a second Enter', () => {
		for (const [word, command] of [
			['Quit ', '/exit'],
			['help', '/help'],
		] as const) {
			expectRows(
				idle,
				[enter(word), {popup: some(command), does: [], draft: word}],
				[[enter(word), '⏎'], {does: does('start-turn')}],
				[[enter(word), '⏎', '<< 7', enter(word)], {popup: some(command), prompt: undefined}],
				[[enter(word), '<ctrl+c>', enter(word)], {popup: some(command), prompt: undefined}],
			);
		}
	});

	test('is a prompt beside other words, with an attachment, and as the second of two lines', () => {
		for (const text of ['constructor', '__proto__', 'exit now', 'help me']) {
			expectRows(idle, [enter(text), {popup: '', prompt: text}]);
		}
		expectRows(twoAttached, ['help⏎', {prompt: some('help')}]);
		const named = {popup: some('/exit'), prompt: undefined};
		expectRows(
			idle,
			[lineOf('exit'), named],
			[[lineOf('exit'), lineOf('exit')], {prompt: 'exit'}],
			[[lineOf('exit'), lineOf('/usage'), lineOf('exit')], named],
		);
	});
});

test('/system sets, shows, replaces and removes the first message', () => {
	const long = 'system: Be brief.\nBe kind.';
	expectRows(idle, ['/system⏎', {reply: 'no system message is set'}]);
	expectRows(
		play(idle, paste('/system Be brief.\nBe kind.'), '⏎').state,
		['/system⏎', {reply: long, messages: [long, ...sent]}],
		['/system Be long.⏎', {messages: ['system: Be long.', ...sent]}],
		['/system -⏎', {said: 'system message removed', messages: sent}],
	);
});

describe('/set', () => {
	test.each([
		['temperature=0.5', {temperature: 0.5}],
		['top-p .2', {topP: 0.2}],
		['stream no', {isStreaming: false}],
	])('%s is set, shown, sent, and reset', (text, options) => {
		const name = (text.split(/[ =]/)[0] ?? '').replace('-', '_');
		const {state, effects} = play(idle, enter(`/set ${text}`));
		const fieldSources = {[name]: '/set'};
		expect(state.options).toEqual({...idle.options, ...options, fieldSources});
		expectSeen({state, effects}, {said: `${name}: ${String(Object.values(options)[0])}`});
		const asked = play(state, 'hello⏎').effects.find(({type}) => type === 'start-turn');
		expect(asked).toMatchObject({options});
		const reset = play(state, `/set ${name}⏎`).state;
		expect(reset.options).toEqual({...idle.options, fieldSources});
	});

	test.each([
		['temperature 3', 'temperature is "3", but it must be a number from 0 to 2'],
		[
			'temprature 1',
			/^unknown setting temprature; the settings are temperature, .*, stream; to set any other/,
		],
		['=1', /^unknown setting =1; .*: \/set name=value$/],
		['a=@b.json', 'files are only read at the start, with -O'],
		['__proto__=1', '__proto__ is "1", but it must not set __proto__'],
	])('%s is refused', (text, complaint) => {
		const {state, effects} = play(idle, `/set ${text}⏎`);
		expectSeen({state, effects}, {reply: expect.stringMatching(complaint)});
		expect(state.options).toEqual(idle.options);
	});

	test('any other field is sent as it is, shown, and taken out by null', () => {
		const set = play(idle, String.raw`/set a\.b.c=1⏎`);
		expect(set.state.options).toEqual({...idle.options, extraFields: {'a.b': {c: 1}}});
		expectSeen(set, {said: 'a.b: {"c":1}'});
		expect(replyOf(play(set.state, '/set⏎')).endsWith('\nstream: true\na.b: {"c":1}')).toBe(true);
		const removed = play(set.state, String.raw`/set a\.b.c=null⏎`);
		expect(removed.state.options.extraFields).toEqual({});
		expectSeen(removed, {said: expect.stringMatching(/: not set$/)});
	});
});

test.each([
	['/model luna', 'model changed to MODEL-5.6-luna'],
	['/system Be brief.', 'system message set'],
])('%s during an answer applies to the next prompt', (text, said) => {
	const changed = play(streaming, `${text}⏎`);
	expectSeen(changed, {reply: `${said}, from the next prompt on`});
	expect(statusOf(changed.state).lines.join()).toContain('MODEL-5.6-sol');
	const {state, effects} = play(changed.state, 'next⏎', '<<');
	const idly = play(idle, `${text}⏎`).state;
	const asked = effects.find(({type}) => type === 'start-turn');
	expect(asked).toMatchObject({options: idly.options});
	const messages = [...messagesOf(idly), 'user: third', 'assistant: partly', 'user: next'];
	expect(messagesOf(state)).toEqual(messages);
});

describe('/image and /file', () => {
	test('report what was attached, and send it with the next prompt only', () => {
		expectRows(idle, ['/image a b.png⏎', {calls: [['load', 'image', 'a b.png']]}]);
		const loading = play(idle, '/image a.png⏎', '/file n⏎', readImage);
		expect(isAttaching(loading.state)).toBe(true);
		const both = play(idle, '/image a.png⏎', '/file n⏎', readImage, readFile);
		const said = 'a.png is large (5 MB)\nattached [image a.png]\nattached [file notes.txt]';
		expectSeen(both, {said});
		expect(isAttaching(both.state)).toBe(false);
		const last = (...steps: readonly Step[]) =>
			messagesOfConversation(play(both.state, ...steps).state.conversation).at(-1);
		const text = '<file name="notes.txt">\nremember\n</file>\n\ncompare';
		expect(last('compare⏎')).toEqual({role: 'user', parts: [{type: 'text', text}, imagePart]});
		const [alone] = [{role: 'user', parts: [{type: 'text', text: 'sure?'}]}];
		expect(last('compare⏎', '<< same', 'sure?⏎')).toEqual(alone);
		// Attachments alone are not sent.
		expectRows(both.state, ['⏎', {does: [], files: ['a.png', 'notes.txt']}]);
	});

	test('report what cannot be read, and keep a prompt waiting for what is being read', async () => {
		const error = new ChatError('input', 'cannot read a.png');
		const load = () => Promise.reject(error);
		const unread = await settle(play(idle, '/image a.png⏎'), {load});
		expectSeen(unread, {prints: [{type: 'error', error}], files: []});
		expect(isAttaching(unread.state)).toBe(false);
		const waiting = {reply: some('a file is still being read; try again'), draft: 'read it'};
		expectRows(
			idle,
			[['/file notes.txt⏎', 'read it⏎'], waiting],
			[['/file notes.txt⏎', 'read it⏎', readFile, '⏎'], {sent: ['notes.txt']}],
		);
	});

	test('list what is attached, name the first files of a folder, and count the rest', () => {
		const list = some('1  [image a.png]\n2  [file notes.txt]');
		for (const text of ['/image⏎', '/file⏎']) {
			expectRows(idle, [text, {reply: 'nothing is attached'}]);
			expectRows(twoAttached, [text, {said: list, files: ['a.png', 'notes.txt']}]);
		}
		const all = Array.from({length: 8}, (_, place) => {
			return {type: 'file', name: `src/${place}`, text: ''} as const;
		});
		const said = expect.stringMatching(/^src: 8 files\nattached \[file src\/0\] .*4\] and 3 more$/);
		const files = all.map(({name}) => name);
		expectRows(idle, [['/attach src⏎', attached(all, ['src: 8 files'])], {said, files}]);
	});

	test.each([
		['/detach', ['a.png'], 'detached [file notes.txt]'],
		['/detach 1', ['notes.txt'], 'detached [image a.png]'],
		['/detach 3', ['a.png', 'notes.txt'], '/detach needs a number from 1 to 2'],
	])('%s keeps %j', (text, files, reply) => {
		expectRows(twoAttached, [enter(text), {files, reply}]);
	});
});

test('/reasoning prints that of the last turn or of any, and sets how it is shown', () => {
	const last = play(idle, 'third⏎', '<< (so be it) 3').state;
	for (const [line, text] of [
		['', 'so be it'],
		[' 1', 'because'],
		[' 3', 'so be it'],
	]) {
		const printed = entriesOf(play(last, enter(`/reasoning${line}`)).effects).slice(1);
		expect(printed).toEqual([{type: 'reasoning', text}]);
	}
	expectRows(idle, ['/reasoning 2⏎', {reply: 'that turn has no reasoning'}]);
	const set = play(streaming, '/reasoning show⏎');
	expectSeen(set, {said: 'reasoning: show'});
	expect(set.state.reasoningMode).toBe('show');
	// That of a turn without an answer is shown, not sent, and goes with the turn before it.
	const {state} = play(idle, 'third⏎', ...thought);
	expect(entriesOf(play(state, '/reasoning⏎').effects)[1]).toMatchObject({text: 'in vain'});
	const undone = play(state, '/undo⏎');
	expect(undone.state.conversation.turns.map(reasoningOf)).toEqual(['because']);
	expectRows(
		state,
		['<ctrl+o>', {fold: 0, messages: sent}],
		['/undo⏎', {draft: 'second'}],
		['/retry⏎', {prompt: 'second'}],
	);
});

describe('/retry', () => {
	const asked = [...sent.slice(0, 2), 'user: second'];

	test('sends the last prompt again, without its answer, with settings of now', () => {
		expectRows(
			idle,
			['/retry⏎', {does: ['print', 'print', 'start-turn'], messages: asked}],
			[['/retry⏎', '<< two'], {messages: [...asked, 'assistant: two']}],
			[[...image, 'what?⏎', '<< a cat', '/retry⏎'], {sent: ['a.png']}],
			[['/undo⏎', '<ctrl+c>', '/undo⏎', '<ctrl+c>', '/retry⏎'], {reply: some('nothing to retry')}],
		);
		expectRows(begin(), ['/retry⏎', {reply: 'nothing to retry'}]);
	});
});

describe('/continue', () => {
	const once = {usage: undefined, attempts: 1};
	const joined = {state: 'joined', id: 'c1', created: 0, model: 'm', attempts: 1} as const;
	const rejected = {state: 'rejected', text: 'Something else.', ...once} as const;
	const cut = play(
		begin(),
		...['first⏎', '<< ```\na\n```\n', 'second⏎', '<< ```\nb\n```\nhalf…', '<< !incomplete'],
	).state;

	test('goes on with the last answer in its turn, which keeps its numbers', () => {
		const started = play(cut, '/continue⏎');
		const [start] = started.effects.filter((effect) => effect.type === 'start-turn');
		expect(start?.conversation).toMatchObject({turns: [{}], open: {prompt: {text: 'second'}}});
		expect(entriesOf(started.effects).map(({type}) => type)).toEqual(['command', 'notice']);
		const begun = events({type: 'continuation', continuation: joined});
		const {conversation, shown} = play(started.state, begun, '<<  and half').state;
		const texts = conversation.turns.map(({messages}) => messages[0]?.parts);
		expect(texts).toMatchObject([{}, [{text: '```\nb\n```\nhalf and half'}]]);
		expect(conversation.turns[1]?.status).toBe('complete');
		expect(shown.map(({codeBlocks}) => codeBlocks.length)).toEqual([1, 1]);
	});

	test('shows a rest apart that cannot be joined, and keeps the answer as it was', () => {
		const rest = events({type: 'continuation', continuation: rejected});
		const {effects, state} = play(cut, '/continue⏎', rest, '<< !incomplete');
		expect(entriesOf(effects)).toContainEqual({type: 'text', text: 'Something else.'});
		expect(messagesOf(state)).toEqual(messagesOf(cut));
		expect(state.conversation.turns).toHaveLength(2);
		expectRows(idle, ['/continue⏎', {popup: 'no cut answer to continue', phase: undefined}]);
	});
});

test('/undo undoes one turn after another, and brings the prompt back as it was', () => {
	const said = 'last turn undone; its prompt is the draft again';
	const pasted = [...image, 'look⏎', '<< ok', ...file, '/undo⏎'];
	expectRows(
		idle,
		['/undo⏎', {messages: sent.slice(0, 2), draft: 'second', said}],
		[['/undo⏎', '<ctrl+c>', '/undo⏎'], {messages: [], draft: 'first'}],
		[['/undo⏎', '<ctrl+c>', '/undo⏎', '<ctrl+c>', '/undo⏎'], {popup: 'nothing to undo'}],
		[pasted, {draft: 'look', files: ['a.png', 'notes.txt']}],
	);
	const system = ['/system Be brief.⏎', 'hi⏎', '<< ho', '/undo⏎'];
	expectRows(begin(), [system, {messages: ['system: Be brief.']}]);
});

describe('/usage', () => {
	const counted = stepEnd({promptTokens: 12_000, completionTokens: 345});
	const reply = (...more: readonly ChatEvent[]) => events(stepStart, ...more, turnEnd);

	test('shows the reported tokens, and totals', () => {
		const first = at(1500, reply(textDelta('a'), counted));
		const second = at(2000, reply(textDelta('b'), stepEnd()));
		const lines = [
			'        tokens in  tokens out   time',
			'turn 1     12,000         345  1.5 s',
			'turn 2          –           –  0.5 s',
			'total      12,000         345  2.0 s',
		];
		expectRows(
			begin(),
			['/usage⏎', {reply: 'there are no turns yet'}],
			[['q⏎', first, '/usage⏎'], {reply: lines.slice(0, 2).join('\n')}],
			[['q⏎', first, enter('r', 1500), second, '/usage⏎'], {reply: lines.join('\n')}],
			// A turn with reasoning alone counts, one without anything does not.
			[['q⏎', '<< !timeout', '<ctrl+c>', '/usage⏎'], {said: some('there are no turns yet')}],
			[['q⏎', ...thought, '/usage⏎'], {said: some('turn 1 ')}],
		);
	});

	test('shows what turns cost if the prices of their models are known', () => {
		const answered = reply(textDelta('a'), counted);
		const prices = {input: 2.5, output: 10, date: '2026-07-01'};
		const model = {context: undefined, prices};
		const known: Action = {type: 'model-known', name: begin().options.model, model};
		const turns = ['q⏎', answered, known, '/model other⏎', 's⏎', answered];
		const {state} = play(begin(), ...turns);
		expect(replyOf(play(state, '/usage⏎')).split('\n')).toEqual([
			'            in  out   time   about',
			'turn 1  12,000  345  0.0 s  $0.033',
			'turn 2  12,000  345  0.0 s       –',
			'total   24,000  690  0.0 s  $0.033',
			'tokens in and out; prices of 2026-07-01',
		]);
	});
});

test('/quotes shows the quotations that were checked last, after the answer that is under way', () => {
	const place = {name: 'contract.txt', line: 112};
	const quotation = {text: 'shall not be liable', found: 'verbatim', places: [place]} as const;
	const quotations = [{...quotation, named: undefined}];
	const checked = (...found: typeof quotations) => {
		const check: ChatEvent = {type: 'quotations-checked', quotations: found};
		return events(stepStart, textDelta('a'), stepEnd(), check, turnEnd);
	};
	const prints = [{type: 'quotations', quotations}];
	const asked = ['q⏎', checked(...quotations), 'r⏎', checked()];
	expectRows(
		begin(),
		['/quotes⏎', {reply: 'no quotations were checked yet'}],
		[[...asked, '/quotes⏎'], {prints: expect.arrayContaining(prints)}],
		[[...asked, 's⏎', '/quotes⏎'], {reply: 'the quotations follow after the answer'}],
	);
});

describe('a question mark on the empty prompt', () => {
	test('shows the basic keys, and is inserted before text', () => {
		const basic = 'Ctrl-O, Alt-T  open the reasoning, then the tool calls';
		const keys = expect.stringMatching(new RegExp(`${basic}(?!.*Ctrl-W).*/help keys`, 's'));
		expectRows(
			begin(),
			['?', {popup: keys, draft: '', does: []}],
			['/help keys⏎', {reply: some('Ctrl-W')}],
			[['?', 'a'], {draft: '?a', popup: ''}],
			[['?', paste('what')], {draft: '?what', popup: ''}],
			[['?', '/mo'], {draft: '/mo'}],
			[['what', '?'], {draft: 'what?'}],
			[paste('?'), {draft: '?'}],
		);
	});

	test('stays open for keys that scroll it, and is dropped after others', () => {
		const scrolled = {popup: some('/help keys'), does: ['scroll']};
		expectRows(idle, [['?', '<page-down>'], scrolled], [['?', '<up>', 'a'], {draft: '?a'}]);
		for (const key of ['<backspace>', '⏎', '<escape>']) {
			expectRows(begin(), [['?', key], {draft: '', popup: '', does: []}]);
		}
	});
});

describe('a typing mistake', () => {
	test.each([
		['/model a b', some('cannot contain spaces')],
		['/system @style.txt', some('-s @file')],
		['/detach', 'nothing is attached'],
		['/reasoning never', '/reasoning needs a turn number, or one of auto, show, hide'],
	])('%s prints nothing', (text, popup) => {
		expectRows(idle, [enter(text), {popup, does: [], messages: sent}]);
	});

	test('is told until the next key, however often Enter is pressed', () => {
		const notice = {type: 'notice-given', text: 'could not copy', isBrief: true} as const;
		expectRows(
			idle,
			[['/new it⏎', '⏎', '⏎'], {popup: some('takes no argument'), draft: '/new it', does: []}],
			[['<ctrl+r>', notice], {popup: 'could not copy'}],
			[['<ctrl+r>', notice, 'f'], {popup: ''}],
			[['/tree⏎', notice, '<up>'], {popup: ''}],
		);
		expectRows(answering, [['<ctrl+o>', '/mo⏎', '<escape>'], {phase: 'stopping'}]);
	});
});

describe('during an answer', () => {
	test.each(['/help', '/usage'])('%s prints nothing', (text) => {
		const tick = {type: 'tick', now: 9000} as const;
		const some = {popup: expect.stringMatching(/./), prints: []};
		expectRows(
			answering,
			[enter(text), some],
			[[enter(text), tick, events(textDelta('more'))], some],
		);
	});

	test('Esc closes the popup, then stops the answer', () => {
		expectRows(
			answering,
			[['/help⏎', '<escape>'], {popup: '', does: []}],
			[['/help⏎', '<escape>', '<escape>'], {does: ['stop-turn']}],
		);
	});

	test('/usage includes the turn under way, and /reasoning follows after its text', () => {
		const usage = [{type: 'tick', now: 2500} as const, {...enter('/usage', 2500)}];
		expectRows(thinking, [usage, {popup: expect.stringMatching(/turn 3 +– +– +2\.5 s/)}]);
		expectRows(thinking, ['/reasoning⏎', {popup: some('still thinking'), does: []}]);
		const prints = [
			{type: 'command', text: '/reasoning'},
			{type: 'reasoning', text: 'hm'},
			{type: 'command', text: '/reasoning 1'},
			{type: 'reasoning', text: 'because'},
		];
		const popup = 'the reasoning follows after the answer';
		expectRows(answering, [['/reasoning⏎', '/reasoning 1⏎'], {popup, prints}]);
	});
});
