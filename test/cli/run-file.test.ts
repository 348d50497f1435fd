/** Conversations in a file: `chat run`, and `--edit`, which opens a saved one so. */
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {InterruptSignal} from '../../src/errors.ts';
import {errorReply, streamReply} from '../helpers/replies.ts';
import {type Line, type RunOptions, wordsOf} from '../helpers/run-chat.ts';
import {type Given, openScene, type Scene} from '../helpers/run-table.ts';
import {createGate, startScripted} from '../helpers/scripted-service.ts';
import {openStage} from '../helpers/sessions-stage.ts';
import {waitUntil} from '../helpers/wait-until.ts';
import {createTools} from '../helpers/weather-tool.ts';

const one = streamReply(['one']);
const two = streamReply(['two']);
const three = streamReply(['three']);

async function open(text: string, given: Given = {}) {
	const scene = await openScene({...given, files: {'trip.md': text, ...given.files}});
	const path = join(scene.cwd, 'trip.md');
	const read = () => readFileSync(path, 'utf8');
	const ask = (flags: Line = '', options?: RunOptions) =>
		scene.run(['run', 'trip.md', ...wordsOf(flags)], options);
	return {...scene, path, read, ask};
}

/** The texts of each request. */
function sent({service}: Pick<Scene, 'service'>): ReadonlyArray<readonly unknown[]> {
	return service.bodies().map(({messages = []}) => messages.map(({content}) => content));
}

const prompts = '## User\n\nA\n\n## User\n\nB\n';

test('prompts are asked in order, and their answers go to stdout and into the file', async () => {
	const file = await open(prompts, {replies: [one, two]});
	chmodSync(file.path, 0o640);
	expect(await file.ask()).toEqual({
		stdout: 'one\ntwo\n',
		stderr: 'chat: asking 1 of 2: A\nchat: asking 2 of 2: B\n',
		exitCode: 0,
	});
	expect(sent(file)).toEqual([['A'], ['A', 'one', 'B']]);
	expect(file.read().replace(/<!-- .* -->\n\n/g, '')).toBe(
		'## User\n\nA\n\n## Assistant\n\none\n\n## User\n\nB\n\n## Assistant\n\ntwo\n',
	);
	expect(statSync(file.path).mode & 0o777).toBe(0o640);
	expect(readdirSync(file.cwd)).toEqual(['trip.md']);
	expect(existsSync(join(file.home ?? '', '.local'))).toBe(false);
	const before = [file.read(), statSync(file.path).mtimeMs, statSync(file.path).ino];
	expect(await file.ask()).toEqual({
		stdout: '',
		stderr: 'chat: nothing to ask in trip.md\n',
		exitCode: 0,
	});
	expect([file.read(), statSync(file.path).mtimeMs, statSync(file.path).ino]).toEqual(before);
	writeFileSync(file.path, file.read().replace('B', 'C'));
	const plan = [{turn: 2, line: 11, reason: 'changed', prompt: 'C'}];
	expect(JSON.parse((await file.ask('-n -o json')).stdout)).toEqual(plan);
	expect((await file.ask('-n')).stdout).toBe('line 11: C (changed)\n');
	const request = JSON.parse((await file.ask('--dry-run -q')).stdout);
	expect(request).toMatchObject({
		body: {messages: [{content: 'A'}, {content: 'one'}, {content: 'C'}]},
	});
	expect(file.service.requests).toHaveLength(2);
});

test('front matter counts below flags, and chooses no service, key or program', async () => {
	const front =
		'---\ntitle: Trip\nmodel: a\nsystem: Be brief.\ntemperature: 0.5\noptions: {top_k: 4}\nfiles: [notes.txt]\ntags: [x]\nbase-url: http://127.0.0.1:9\nprofile: work\napi-key: x\ntools: tools.json\n---\n\n';
	const files = {'notes.txt': 'note', 'extra.txt': 'extra', 'tools.json': '[]'};
	const file = await open(front + prompts, {files, replies: [one]});
	const {stderr, exitCode} = await file.ask('-m b -f extra.txt');
	expect(exitCode).toBe(0);
	expect(stderr).toContain(
		'chat: without effect in trip.md: tools, base-url, profile, api-key; a file chooses no service, key or program\n',
	);
	const texts = [
		'Be brief.',
		'<file name="notes.txt">\nnote\n</file>\n<file name="extra.txt">\nextra\n</file>\n\nA',
	];
	expect(file.service.bodies()[0]).toMatchObject({model: 'b', temperature: 0.5, top_k: 4});
	expect(sent(file)[0]).toEqual(texts);
	expect(file.read().startsWith(front)).toBe(true);
	expect(file.read()).toContain('**File extra.txt**');
	expect((await file.ask()).stderr).toContain('nothing to ask');
	for (const [name, text] of [
		['notes.txt', 'other'],
		['trip.md', file.read().replace('temperature: 0.5', 'temperature: 0.7')],
	] as const) {
		const before = readFileSync(join(file.cwd, name));
		writeFileSync(join(file.cwd, name), text);
		expect((await file.ask('-n')).stdout).toMatch(/: A \(changed\)\nline \d+: B \(follows\)\n$/);
		writeFileSync(join(file.cwd, name), before);
	}
});

test('a template in the front matter makes the first prompt', async () => {
	const text = '---\ntemplate: review\nparams: {language: French}\n---\n\n## User\n\nnotes\n';
	const file = await open(text, {replies: [one]});
	const template =
		'---\nsystem: You review.\nparams: [language]\n---\nReview $ARGUMENTS in $language.\n';
	mkdirSync(join(file.directory, 'templates'), {recursive: true});
	writeFileSync(join(file.directory, 'templates', 'review.md'), template);
	expect(await file.ask()).toMatchObject({exitCode: 0});
	expect(sent(file)).toEqual([['You review.', 'Review notes in French.']]);
	expect(file.read()).toContain('\n\nnotes\n\n## Assistant\n\none\n');
	expect((await file.ask()).stderr).toContain('nothing to ask');
});

describe('nothing is lost', () => {
	test('when the file is changed during the answer', async () => {
		const file = await open(prompts, {replies: [one, two]});
		const saved = prompts.replace('A', 'Another');
		const save = () => writeFileSync(file.path, saved);
		const {exitCode, stderr} = await file.ask('', {onStdout: save});
		expect(exitCode).toBe(75);
		expect(stderr).toContain('chat: trip.md was changed meanwhile; the answer is in trip.md.new\n');
		expect(file.read()).toBe(saved);
		expect(readFileSync(`${file.path}.new`, 'utf8')).toContain('## Assistant\n\none\n');
		expect((await file.ask('', {onStdout: () => writeFileSync(file.path, prompts)})).exitCode).toBe(
			75,
		);
		expect(readdirSync(file.cwd).sort()).toEqual(['trip.md', 'trip.md.new', 'trip.md.new2']);
	});

	test('by two runs at once: the second is refused', async () => {
		const gate = createGate();
		const service = await startScripted([{text: 'o'}, {gate}, {text: 'ne'}], [{text: 'two'}]);
		const file = await open(prompts, {variables: service.env});
		const first = file.ask();
		await until(() => service.bodies.length === 1);
		const second = await file.ask();
		gate.open();
		expect(second).toMatchObject({stdout: '', exitCode: 75});
		expect(second.stderr).toBe('chat: another run is writing trip.md\n');
		expect(await first).toMatchObject({stdout: 'one\ntwo\n', exitCode: 0});
		expect(service.bodies).toHaveLength(2);
	});

	test('of an answer that was cut, which is marked and asked again', async () => {
		const cut = streamReply(['two', ' thirds'], {end: 'reset'});
		const file = await open(prompts, {replies: [one, cut, three]});
		expect(await file.ask()).toMatchObject({stdout: 'one\ntwo thirds\n', exitCode: 79});
		expect(file.read()).toContain('## Assistant (incomplete)\n\ntwo thirds\n');
		expect(await file.ask()).toMatchObject({stdout: 'three\n', exitCode: 0});
		expect(file.read()).not.toContain('thirds');
		expect(sent(file).at(-1)).toEqual(['A', 'one', 'B']);
	});

	test('after a failure: what was answered stays', async () => {
		const file = await open(prompts, {replies: [one, errorReply(400, 'No.')]});
		expect(await file.ask()).toMatchObject({exitCode: 65});
		expect(file.read()).toMatch(/## Assistant\n\none\n\n## User\n\nB\n$/);
	});
});

test('a call runs only if it was allowed beforehand; else the file stays as it is', async () => {
	const call = streamReply([{call: {id: 'a', name: 'weather', arguments: '{"city":"Oslo"}'}}], {
		finishReason: 'tool_calls',
	});
	const file = await open('## User\n\nWeather?\n', {replies: [call, one, call, two]});
	const tools = join(createTools(), 'tools.json');
	const before = file.read();
	const denied = await file.ask(['--tools', tools]);
	expect(denied).toMatchObject({stdout: 'one\n', exitCode: 77});
	expect(file.read()).toBe(before);
	expect(await file.ask(['--tools', tools, '--allow-tool', 'weather'])).toMatchObject({
		exitCode: 0,
	});
	expect(file.read()).toContain('## Tool\n');
});

describe('refused before anything is sent', () => {
	test.each<[string, string, number, RegExp]>([
		['run gone.md', prompts, 66, /there is no file gone\.md\n.*chat -- run gone\.md/],
		['run trip.md', 'Hello\n', 65, /trip\.md is not a conversation: line 1: .*\n.*"## User"/],
		['run trip.md', '\0', 65, /trip\.md is not UTF-8 text/],
		['run trip.md', `---\nfiles: [../x]\n---\n${prompts}`, 65, /names \.\.\/x, which is outside/],
		['run trip.md', `---\nsystem: '@/etc/hostname'\n---\n${prompts}`, 65, /outside of its folder/],
		['run trip.md', `---\ntemplate: ./x.md\n---\n${prompts}`, 65, /must be the name of a template/],
		['run the tests', prompts, 64, /run takes fewer arguments\n.*chat -- run/],
		['--edit', prompts, 64, /--edit needs -c or -r/],
	])('%s with %j', async (line, text, code, message) => {
		const {run, service} = await open(text);
		const {stdout, stderr, exitCode} = await run(line);
		expect({stdout, exitCode}).toEqual({stdout: '', exitCode: code});
		expect(stderr).toMatch(message);
		expect(service.requests).toEqual([]);
	});
});

test('with --save the conversation becomes a session, too', async () => {
	const file = await open(prompts, {replies: [one, two]});
	const {stderr} = await file.ask('--save');
	const [, id = ''] = /^chat: saved; to continue: chat -r (\w+)$/m.exec(stderr) ?? [];
	const shown = await file.run(['sessions', 'show', id]);
	expect(shown.stdout).toMatch(
		/^## User\n\nA\n\n## Assistant\n\none\n\n## User\n\nB\n[\s\S]*two\n$/,
	);
});

test('--edit opens a saved conversation in the editor, and makes a branch of what is changed', async () => {
	const stage = await openStage([['one'], ['two'], ['three']]);
	await stage.chat('first');
	await stage.chat('-c second');
	const [id = ''] = stage.ids();
	const before = readFileSync(stage.fileOf(id), 'utf8');
	/** Runs with an editor making this change. */
	const edit = (from: string, to: string, more: RunOptions['variables'] = {}) => {
		const script = `sed s/${from}/${to}/ "$1" > "$1.x" && mv "$1.x" "$1"`;
		const variables = {VISUAL: `sh -c '${script}' sh`, CHAT_MODEL: 'm', ...more};
		return stage.chat(['-r', id, '--edit'], {variables});
	};
	expect((await edit('second', 'second')).stderr).toContain(`chat: ${id} was not changed\n`);
	expect(readFileSync(stage.fileOf(id), 'utf8')).toBe(before);
	const edited = await edit('second', 'other');
	expect(edited).toMatchObject({stdout: 'three\n', exitCode: 0});
	expect(edited.stderr).toContain(`chat: saved as a branch of ${id}; to continue: chat -r ${id}\n`);
	expect(
		stage.service
			.bodies()
			.at(-1)
			?.messages?.map(({content}) => content),
	).toEqual(['first', 'one', 'other']);
	expect(readFileSync(stage.fileOf(id), 'utf8').startsWith(before)).toBe(true);
	const shown = await stage.chat(['sessions', 'show', id, '--all-branches']);
	expect(shown.stdout).toMatch(
		/other\n\n## Assistant\n\nthree\n\n# Branch 2[\s\S]*second\n[\s\S]*two\n$/,
	);
	const lost = {CHAT_BASE_URL: 'http://127.0.0.1:1', CHAT_MAX_RETRIES: '0'};
	const failed = await edit('first', 'new', lost);
	const [, path = ''] =
		/chat: the changed text is in (.+); to go on with it: chat run/.exec(failed.stderr) ?? [];
	expect(failed.exitCode).toBe(69);
	expect(readFileSync(path, 'utf8')).toContain('\n\nnew\n');
	rmSync(dirname(path), {recursive: true});
	const again = await stage.chat(['sessions', 'show', id]);
	expect(again.stdout).toContain('other');
});

function until(isMet: () => boolean): Promise<void> {
	return waitUntil(isMet, new Set(), 10_000, () => 'it did not happen');
}

test('--watch asks when the file is saved, also as by VS Code: emptied, then in pieces', async () => {
	const file = await open(prompts, {replies: [one, two, three]});
	let output = '';
	let stop: ((signal: InterruptSignal) => void) | undefined;
	const running = file.ask('--watch -q', {
		onStdout(text) {
			output = text;
		},
		onListening(send) {
			stop = send;
		},
	});
	await until(() => output === 'one\ntwo\n' && file.read().includes('\ntwo\n'));
	const text = `${file.read()}\n## User\n\nC\n`;
	writeFileSync(file.path, '');
	writeFileSync(file.path, text.slice(0, 20), {flag: 'a'});
	setImmediate(() => writeFileSync(file.path, text.slice(20), {flag: 'a'}));
	await until(() => file.read().endsWith('\nthree\n'));
	stop?.('SIGINT');
	expect(await running).toEqual({stdout: 'one\ntwo\nthree\n', stderr: '', exitCode: 0});
	expect(sent(file).at(-1)).toEqual(['A', 'one', 'B', 'two', 'C']);
});
