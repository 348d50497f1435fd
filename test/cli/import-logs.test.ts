/** Conversations of other programs, from their own logs. */
import {
	appendFileSync,
	mkdirSync,
	readFileSync,
	renameSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {programs} from '../../src/sessions/import/programs.ts';
import {listSessionFiles} from '../../src/sessions/session-files.ts';
import {foreignLogs, otherLogs, textOfLog} from '../fixtures/foreign-logs.ts';
import {linesOf, openStage} from '../helpers/import-stage.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';

test.each([...foreignLogs, ...otherLogs].map((log) => [log.what, log] as const))(
	'%s is recognised by its content, and imported once',
	async (_what, log) => {
		const stage = openStage();
		const {sessions, stderr} = await stage.import(textOfLog(log), log.path);
		const [session] = sessions;
		expect(session, stderr).toMatchObject({source: log.source, title: log.title});
		const stored = stage.read(session?.id ?? '');
		const lines = linesOf(stored).map((line) => line.replace(/^branch .*/, 'branch'));
		expect(lines).toEqual(log.lines);
		expect(/not taken: (.*)/.exec(stderr)?.[1]).toBe(log.omitted);
		const again = await stage.import(textOfLog(log), log.path);
		expect(again.sessions).toEqual([]);
		expect(again.stderr).toContain('1 already there');
	},
);

/** Writes the logs where their programs have them. */
function writeLogs(home: string, logs = foreignLogs): void {
	for (const log of logs) {
		const path = join(home, log.path);
		mkdirSync(dirname(path), {recursive: true});
		writeFileSync(path, textOfLog(log));
	}
}

const names = Object.keys(programs);
const [claudePath = '', , codexPath = ''] = foreignLogs.map(({path}) => path);
const [claudeText = '', , codexText = ''] = foreignLogs.map(textOfLog);

test('all are found where their programs keep them, once each, with their own titles', async () => {
	const stage = openStage();
	writeLogs(stage.home);
	const agent = join(stage.home, dirname(claudePath), 'agent-1.jsonl');
	writeFileSync(agent, claudeText);
	symlinkSync(agent, join(stage.home, dirname(claudePath), 'link.jsonl'));
	writeFileSync(join(stage.home, dirname(claudePath), 'empty.jsonl'), '{"type":"mode"}\n');
	// The plain file of the same conversation counts.
	writeFileSync(`${join(stage.home, codexPath)}.zst`, 'damaged');
	writeFileSync(
		join(stage.home, '.codex', 'session_index.jsonl'),
		'{"id":"aaaa","thread_name":"Old"}\n{"id":"aaaa","thread_name":"Greetings"}\n',
	);
	const run = async (...more: string[]) => {
		const {stdout, ...rest} = await stage.chat(['sessions', 'import', '-o', 'json', ...more]);
		return {...rest, sessions: JSON.parse(stdout) as ReadonlyArray<Record<string, string>>};
	};
	const first = await run(...names);
	const sources = first.sessions.map(({source}) => source);
	expect(sources.sort()).toEqual(foreignLogs.map(({source}) => source).sort());
	expect(first.sessions.find(({source}) => source === 'codex:aaaa')?.['title']).toBe('Greetings');
	expect(first.stderr).toContain('passed over: 1 file (no conversation)');
	const again = await run(...names);
	expect(again).toMatchObject({sessions: [], exitCode: 0});
	expect(again.stderr).toContain(`imported 0 conversations, ${foreignLogs.length} already there`);
	expect(again.stderr).not.toContain('already there:');
});

test('a conversation gets the turns added since, and is held in its own folder', async () => {
	const stage = openStage();
	writeLogs(stage.home);
	const path = join(stage.home, codexPath);
	const old = new Date(Date.now() - 40 * 86_400_000);
	for (const log of foreignLogs) utimesSync(join(stage.home, log.path), old, old);
	utimesSync(path, new Date(), new Date());
	const importRecent = () => stage.chat(['sessions', 'import', 'codex', '--since', '30d']);
	expect((await importRecent()).stderr).toContain('imported 1 conversation\n');
	const item = (role: string, text: string) =>
		JSON.stringify({
			...{type: 'response_item', timestamp: '2026-11-20T11:00:00Z'},
			payload: {type: 'message', role, content: [{type: 'text', text}]},
		});
	appendFileSync(path, `${item('user', 'More')}\n${item('assistant', 'This.')}\n{"type":"resp`);
	expect((await importRecent()).stderr).toMatch(/1 updated.*\n.*updated: .*\(1 turn added\)/);
	const [file] = listSessionFiles(stage.directory);
	expect(linesOf(stage.read(file?.id ?? '')).slice(-3, -1)).toEqual([
		'user: More',
		'assistant text: This.',
	]);
	expect(readFileSync(file?.path ?? '', 'utf8')).toContain('"cwd":"/home/ada/app"');
});

test('a compressed rollout is read, and a damaged one named', async () => {
	const stage = openStage();
	const text = Buffer.from(codexText);
	// A frame with one block as it is.
	const frame = Buffer.alloc(12);
	frame.writeUInt32LE(0xfd2fb528);
	frame.writeUInt8(0xa0, 4);
	frame.writeUInt32LE(text.length, 5);
	frame.writeUIntLE(1 + text.length * 8, 9, 3);
	const path = `${join(stage.home, codexPath)}.zst`;
	mkdirSync(dirname(path), {recursive: true});
	writeFileSync(path, Buffer.concat([frame, text]));
	writeFileSync(path.replace('rollout-', 'rollout-1'), Buffer.concat([frame, text.subarray(9)]));
	const {stderr, exitCode} = await stage.chat(['sessions', 'import', 'codex']);
	expect(stderr).toMatch(/imported 1 conversation, 1 file not imported\n.*cannot read .*\.zst/);
	expect(exitCode).toBe(0);
});

test('on a terminal one is chosen and continued, shown safely, or all are taken', async () => {
	const stage = openStage();
	writeLogs(stage.home, foreignLogs.slice(0, 2));
	const hostile = {type: 'user', message: {content: '\u001b]0;x\u0007Evil \u202egnp'}};
	const folder = join(stage.home, '.claude');
	writeFileSync(join(folder, 'projects/-home-ada/x.jsonl'), JSON.stringify(hostile));
	renameSync(folder, join(stage.home, 'moved'));
	const env = {CLAUDE_CONFIG_DIR: join(stage.home, 'moved'), CHAT_SAVE: undefined};
	const argv = ['sessions', 'import', 'claude-code'];
	const terminal = await openInProcess({argv, env});
	await terminal.untilText('all 3 conversations');
	expect(terminal.screen().join('\n')).toMatch(/Evil .{0,12}gnp +just now/);
	terminal.type('Read the auth\r');
	await terminal.untilText('continuing');
	expect(terminal.screen().join('\n')).toContain('Welcome.');
	terminal.type('/exit\r');
	await terminal.exit;
});
