import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, onTestFinished, test} from 'vitest';
import {approveServers} from '../helpers/approve-servers.ts';
import {hostileServer, writeServers} from '../helpers/mcp-servers.ts';
import {streamReply} from '../helpers/replies.ts';
import {runProcess} from '../helpers/run-process.ts';
import {createHome, modeOf} from '../helpers/settings-home.ts';
import {startRecording} from '../helpers/start-service.ts';

const key = 'sk-0123456789abcdef';

describe('five processes that change the file at the same time', () => {
	test('lose no key, and the file is complete at every moment', async () => {
		const {home, configPath, config, directory} = createHome({config: {later: {deep: [1]}}});
		const changes = [
			['max-tokens', '5'],
			['model', 'terra'],
			['temperature', '1'],
			['--profile', 'work', 'model', 'luna'],
			['--profile', 'work', 'usage', 'true'],
		];
		const running = changes.map((words) =>
			runProcess(['config', 'set', ...words], {variables: {HOME: home, XDG_CONFIG_HOME: ''}}),
		);
		let isOver = false;
		const ended = Promise.all(running).finally(() => {
			isOver = true;
		});
		let reads = 0;
		while (!isOver) {
			expect(JSON.parse(readFileSync(configPath, 'utf8'))).toHaveProperty('later');
			reads++;
			await new Promise((resolve) => setImmediate(resolve));
		}
		for (const run of await ended) expect(run).toMatchObject({code: 0, stdout: '', stderr: ''});
		expect(config()).toEqual({
			later: {deep: [1]},
			'max-tokens': 5,
			model: 'terra',
			temperature: 1,
			profiles: {work: {model: 'luna', usage: true}},
		});
		expect(readdirSync(directory)).toEqual(['config.json']);
		expect(reads).toBeGreaterThan(10);
	});
});

describe('files', () => {
	test('are readable by the user alone, also without a umask', async () => {
		const {home, directory, configPath, credentialsPath, credentials} = createHome();
		const variables = {HOME: home, KEY: key};
		const shell = (line: string) => ({variables, shell: `umask 0; ${line}`});
		const set = await runProcess(['config', 'set', 'usage', 'no'], shell('exec "$@"'));
		expect(set.code).toBe(0);
		const auth = ['auth', 'set', '--base-url', 'http://localhost:1'];
		const stored = await runProcess(auth, shell('printf %s "$KEY" | "$@"'));
		expect(stored.code).toBe(0);
		expect(credentials()).toEqual({'http://localhost:1': key});
		const folders = [directory, join(directory, '..')];
		expect(folders.map(modeOf)).toEqual(['700', '700']);
		expect([configPath, credentialsPath].map(modeOf)).toEqual(['600', '600']);
	});
});

test('no folder that a hostile checkout could fill is used for settings', async () => {
	const {home} = createHome();
	for (const HOME of ['', '.']) {
		const variables = {HOME, XDG_CONFIG_HOME: HOME, XDG_CACHE_HOME: HOME};
		const shell = `cd '${home}'; exec "$@"`;
		const {stdout, code} = await runProcess(['config', 'path'], {variables, shell});
		expect(code).toBe(0);
		expect(stdout).toMatch(/^\//);
		expect(stdout).not.toContain(home);
		expect(readdirSync(home)).toEqual([]);
	}
});

test.skipIf(process.platform !== 'linux')(
	'a read-only home folder neither stops a run nor blocks it',
	async () => {
		const {variables} = await startRecording(streamReply(['Hi.']));
		const saved = {...variables, HOME: '/proc', CHAT_SAVE: 'true'};
		const answer = await runProcess(['hi'], {variables: saved});
		expect(answer).toMatchObject({stdout: 'Hi.\n', code: 0});
		expect(answer.stderr).toMatch(/^chat: the conversation could not be saved: .*\n$/);
		const set = await runProcess(['config', 'set', 'model', 'x'], {variables: saved});
		expect(set).toMatchObject({stdout: '', code: 73});
		expect(set.stderr).toMatch(/^chat: cannot write \/proc\/\.config\/chat\/config\.json: ENOENT/);
	},
);

/** Sources that one answer does not need, below `src/`. */
const otherRuns = `cli/run/load-schema cli/commands/config/config cli/command-line/help
	cli/run/service/choose-model cli/run/service/find-local cli/run/service/open-built-in
	cli/run/saving/resume-session cli/run/chat-file/ask-chat-file cli/run/service/open-llama
	cli/commands/setup/setup models/known-models protocol/read-models protocol/list-models
	protocol/messages/messages protocol/responses/responses settings/files/update-config
	input/load-tree server/server sessions/read-session tools/parse-tools`;

/** Returns the packages and source files that a run of the built command has loaded. */
async function listLoaded(argv: readonly string[], variables: Readonly<Record<string, string>>) {
	const folder = mkdtempSync(join(tmpdir(), 'chat-coverage-'));
	onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
	const run = await runProcess(argv, {variables: {...variables, NODE_V8_COVERAGE: folder}});
	const [report = ''] = readdirSync(folder);
	const {result} = JSON.parse(readFileSync(join(folder, report), 'utf8')) as {
		readonly result: ReadonlyArray<{readonly url: string}>;
	};
	const chunks = result.map(({url}) => url).filter((url) => url.includes('/dist/'));
	const texts = chunks.map((url) => readFileSync(fileURLToPath(url), 'utf8'));
	const find = (pattern: RegExp) =>
		texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name));
	// The bundler names each file in a chunk.
	const files = find(/^\/\/ ((?:node_modules|src)\/\S+)$/gm);
	const builtins = find(/getBuiltinModule\("([^"]+)"\)/g);
	const packages = files.flatMap(
		(name) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? [],
	);
	return {run, files, chunks, builtins, packages: [...new Set(packages)].sort()};
}

test('the help does not load the code of a run', async () => {
	const {run, files} = await listLoaded(['--help'], {HOME: createHome().home});
	expect(run).toMatchObject({stderr: '', code: 0});
	expect(files).toContain('src/cli/command-line/help.ts');
	expect(files).not.toContain('src/cli/run/run-chat.ts');
});

describe('one answer', () => {
	test('with a config file and a stored key does not load code for other runs', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const url = service.variables.CHAT_BASE_URL;
		const {home} = createHome({
			config: {'base-url': url, model: 'm', usage: false},
			credentials: {[new URL(url).origin]: key},
		});
		const {run, files, packages} = await listLoaded(['-f', 'package.json', 'p'], {HOME: home});
		expect(run).toMatchObject({stdout: 'Hi.\n', stderr: '', code: 0});
		expect(service.requests[0]?.headers['authorization']).toBe(`Bearer ${key}`);
		expect(packages).toEqual(['commander', 'eventsource-parser']);
		expect(files).toContain('src/settings/files/config-file.ts');
		for (const name of otherRuns.split(/\s+/)) {
			const late = `${name}.ts`;
			expect(existsSync(join('src', late))).toBe(true);
			expect(files).not.toContain(`src/${late}`);
		}
	});

	test('with three servers that are known loads nothing to start them', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const {home} = createHome();
		const servers = [hostileServer(), hostileServer(), hostileServer()];
		writeServers(home, Object.fromEntries(servers.map(({entry}, place) => [`s${place}`, entry])));
		const argv = ['--mcp', 's0', '--mcp', 's1', '--mcp', 's2', 'p'];
		const variables = {HOME: home, CHAT_MODEL: 'm', ...service.variables};
		await approveServers({home}, 's0', 's1', 's2');
		const {run, files, chunks, builtins, packages} = await listLoaded(argv, variables);
		expect(run).toMatchObject({stdout: 'Hi.\n', stderr: '', code: 0});
		expect(service.bodies()[0]?.['tools']).toHaveLength(3);
		expect(servers.map((server) => server.events('start').length)).toEqual([1, 1, 1]);
		expect(packages).toEqual(['commander', 'eventsource-parser', 'valibot']);
		expect(files).toContain('src/mcp/open-servers.ts');
		// Each file takes a turn of the module loader.
		const plain = await listLoaded(['p'], variables);
		expect(chunks).toHaveLength(plain.chunks.length + 1);
		// It takes 5 ms.
		expect(builtins).not.toContain('node:child_process');
	});
});

test('a change of the settings loads what a list of them does not', async () => {
	const {home: HOME} = createHome();
	const {run, packages} = await listLoaded(['config', 'set', 'usage', 'no'], {HOME});
	expect(run.code).toBe(0);
	expect(packages).toEqual(expect.arrayContaining(['ajv', 'conf']));
	const listed = await listLoaded(['config', 'list'], {HOME});
	expect(listed.packages).not.toContain('conf');
});
