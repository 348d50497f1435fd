/**
 * The commands of the documents do what the documents say. `UPDATE_DOCS=1 npm run test:extra --
 * document-examples` updates what those of scenarios print.
 */
import {execFile, execFileSync, spawnSync} from 'node:child_process';
import {readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {delimiter, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, it} from 'vitest';
import {appendTitle} from '../../src/sessions/rename-session.ts';
import {createToolsFailure, parseTools} from '../../src/tools/parse-tools.ts';
import {builtProgram} from '../helpers/built-program.ts';
import {filesystemServer} from '../helpers/mcp-servers.ts';
import {runChat} from '../helpers/run-chat.ts';
import {startReference} from '../helpers/start-service.ts';
import {createDirectory, writeTree} from '../input/input-helpers.ts';
import {makeSolidPng} from '../server/helpers/images.ts';
import {play} from '../server/helpers/scenario.ts';
import {createFolder, openWriter, pathOf} from '../sessions/session-files.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const names = ['README.md', ...readdirSync(`${root}docs`).map((name) => `docs/${name}`)].filter(
	(name) => name.endsWith('.md'),
);
const scenarios = 'docs/scenarios.md';

/** The blocks of a language in a text. */
function blocksIn(text: string, language: string): readonly string[] {
	const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
	return [...text.matchAll(pattern)].map(([, block = '']) => block);
}

/** The blocks of all documents but the one about scenarios, whose commands need a service each. */
function fenced(language: string): ReadonlyArray<{readonly name: string; readonly text: string}> {
	return names
		.filter((name) => name !== scenarios)
		.flatMap((name) =>
			blocksIn(readFileSync(root + name, 'utf8'), language).map((text) => ({name, text})),
		);
}

const images = ['before.png', 'after.png', 'photo.png', 'receipt.jpg'];
const tools = fenced('json').filter(({text}) => text.includes('"function"'));

const files = {
	'notes.txt': 'one two\nthree\n',
	'mail.txt': 'The invoice of Monday is about 12 and 30.\n',
	'interview.txt': 'Ada: hello\n',
	'red.png': makeSolidPng(64, 48, [200, 30, 30]),
	'tools.json': tools[0]?.text ?? '',
	'README.md': 'It prints a line.\n',
	'src/main.ts': "console.log('a line');\n",
	'docs/notes.md': 'It prints two lines.\n',
	'.claude/commands/tidy.md': 'Tidy up $ARGUMENTS.\n',
	'.config/aichat/roles/shell.md': 'A command for this: __INPUT__\n',
	'fabric/data/patterns/summarize/system.md': 'You summarize.\n',
	'build.log': 'a line of the build\n'.repeat(50),
	'review.md': fenced('markdown').find(({name}) => name === 'docs/templates.md')?.text ?? '',
	'main.c': 'int main() {}\n',
	'report.pdf': '%PDF-1.7\n',
	'contract.txt':
		'1. Liability\nThe supplier is liable for all dam-\nages. Either party may end this contract\nwith 30 days’ notice.\n',
	'questions.jsonl': '{"prompt": "count to 3"}\n{"prompt": "count to 4"}\n',
	'data.json': '{"id": "a", "text": "count to 3"}\n',
	'in.jsonl': '{"prompt": "count to 3"}\n',
	'trip.md': '## User\n\ncount to 3\n',
	'answer.md':
		'“The supplier is liable for all damages”, and “Either party may end this contract with 60 days’ notice”.\n',
	'memo.mp3': 'ID3\u0004\0',
	'openrouter.json': '{"order": ["groq"]}',
	'style.txt': 'Answer in one sentence.\n',
	...Object.fromEntries(images.map((name) => [name, makeSolidPng(8, 8, [0, 0, 200])])),
};

function runs(command: string): boolean {
	return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
}

const hasJq = runs('jq');
const isRunnable = (text: string) => hasJq || !/\bjq\b/.test(text);

/** Commands that need a person, a terminal, a network, a model on disk, or another program. */
const unattended =
	/\b(?:quotes|npm|npx|docker|shasum|tar|curl|export|setup|auth set|serve|update|pdftotext|ffmpeg|make|templates delete|config (?:rename|unset --profile)|mcp add|mcp login|sessions import (?:claude-code|codex)|reviews\.jsonl)\b|--(?:submit|collect|continue-cut|watch|edit)\b| -i |--base-url (?:openai|anthropic):|local:|127\.0\.0\.1|llama:|^chat(?: -c| sessions| --plain)? *(?:#|$)/m;

/** Another service than the one of the test, which is not there. */
const elsewhere = /chat (?:doctor )?--profile \w+ ["-]/;

/** Splits a script where a command ends; quotes and backslashes go on in the next line. */
function commandsOf(script: string): readonly string[] {
	const commands: string[] = [];
	let open = '';
	for (const line of script.split('\n')) {
		open = open === '' ? line : `${open}\n${line}`;
		const isOpen = open.endsWith('\\') || (open.match(/'/g)?.length ?? 0) % 2 === 1;
		if (isOpen) continue;
		if (/^\s*[^#\s]/.test(open)) commands.push(open);
		open = '';
	}
	return commands;
}

type Ran = {readonly code: number; readonly text: string};

/** One `chat` without anything that only a shell knows, perhaps between filters and into a file. */
const plain =
	/^(?:([^|]+) \| )?chat ((?:(?:'[^']*'|"[^"$`\\]*"|[^\s"'$`\\~<>|&;#]+)(?:\s+|$))+)(?:\| ([^&;>]+?))?(?:> (\S+))?\s*(?:#.*)?$/;

/**
 * Runs commands, in a folder with the files that they name. A plain `chat` runs in this process, at a
 * tenth of the cost.
 */
function createShell(variables: Readonly<Record<string, string>> = {}) {
	const cwd = createDirectory({
		...files,
		'.config/chat/templates/review.md': files['review.md'],
	});
	const mcpServers = {files: filesystemServer(cwd)};
	const commands = createDirectory();
	symlinkSync(builtProgram, join(commands, 'chat'));
	writeTree(cwd, {'.config/chat/mcp.json': JSON.stringify({mcpServers})});
	const env = {
		HOME: cwd,
		PATH: [commands, dirname(process.execPath), process.env['PATH']].join(delimiter),
		EDITOR: 'true',
		question: 'count to 5',
		...variables,
	};
	const filter = (script: string, input: string) =>
		execFileSync('sh', ['-ec', script], {cwd, env, input, encoding: 'utf8'});
	const runShell = (lines: string): Promise<Ran> =>
		new Promise((resolve) => {
			const script = `exec </dev/null; { ${lines}\n} 2>&1`;
			execFile('sh', ['-ec', script], {cwd, env}, (error, text) =>
				resolve({code: error === null ? 0 : Number(error.code), text}),
			);
		});
	return async (line: string): Promise<Ran> => {
		const [, before, words, after, file] = plain.exec(line) ?? [];
		if (words === undefined) return await runShell(line);
		const argv = [...words.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
			([, single, double, bare]) => single ?? double ?? bare ?? '',
		);
		let shown = '';
		const {exitCode, stdout, stderr} = await runChat(argv, {
			cwd,
			home: cwd,
			variables: {CHAT_SAVE: undefined, ...env},
			...(before === undefined ? {} : {stdin: filter(before, '')}),
			onOutput: (text) => {
				shown += text;
			},
		});
		if (file !== undefined) writeFileSync(join(cwd, file), stdout);
		if (after === undefined) return {code: exitCode, text: file === undefined ? shown : stderr};
		return {code: exitCode, text: stderr + filter(after, stdout)};
	};
}

/** A repository with a change that is staged, and one that is not. */
const prepareRepository = `git init -q && git config user.name Ada && git config user.email ada@example.com
	git add main.c notes.txt && git commit -qm first
	echo more >> notes.txt && git add notes.txt && echo '// more' >> main.c`;

/** Runs the commands and returns them with their output, as a terminal shows them. */
async function show(text: string, shell: (line: string) => Promise<Ran>): Promise<string> {
	let shown = '';
	for (const line of text.split('\n').filter((candidate) => candidate.startsWith('$ '))) {
		const [command = '', echo] = line.slice(2).split('; echo "exit code $?"');
		const ran = await shell(command);
		shown += `${line}\n${ran.text}${echo === undefined ? '' : `exit code ${ran.code}\n`}`;
	}
	return shown;
}

const notice = /^chat: no service configured: .*\n/gm;

/** Replaces values that differ from run to run. */
function steady(text: string): string {
	return text
		.replace(/chatcmpl-[\w-]+/g, 'chatcmpl-…')
		.replace(/("created"|"first_token_ms"|"total_ms"):\d+/g, '$1:0')
		.replace(/\d+\.\d\d s\b/g, '0.00 s')
		.replace(/\d+ bytes, fingerprint \w+/g, '0 bytes');
}

/** A tool that nothing here runs. */
const weather = '[{"type":"function","function":{"name":"get_weather"}}]';
const model = 'MODEL-5.6-sol';

/** Returns the variables of a service with a saved conversation, which the documents call k3f9. */
async function startWithConversation(): Promise<Readonly<Record<string, string>>> {
	const {url} = await startReference();
	const directory = createFolder();
	const id = 'k3f9k3f9k3f9k3f9';
	openWriter(directory, id).chat('where to go?');
	appendTitle(pathOf(directory, id), 'trip to Iceland');
	const path = pathOf(directory, id);
	writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"model":"m"', `"model":"${model}"`));
	return {CHAT_BASE_URL: url, CHAT_SESSIONS_DIR: directory, CHAT_MODEL: model};
}

it.each(
	fenced('console').filter(({text}) => isRunnable(text) && !/\$ chat serve|--quotes/.test(text)),
)('an example prints what its document says: $name: $text', async ({text}) => {
	const shown = await show(text, createShell());
	expect(steady(text.match(notice) ? shown : shown.replace(notice, ''))).toBe(steady(text));
});

it.each(tools)('a tools file of the documents is valid: $name', ({name, text}) => {
	const source = {fail: createToolsFailure(name), directory: '/', taken: []};
	expect(parseTools(text, source)).toHaveLength(1);
});

const scripts = fenced('sh').map(({name, text}) => ({
	name,
	commands: commandsOf(text).filter(
		(command) => !unattended.test(command) && !elsewhere.test(command) && isRunnable(command),
	),
}));

it('the documents have examples', () => {
	const all = scripts.flatMap(({commands}) => commands);
	expect(all.length).toBeGreaterThan(30);
	expect(all.filter((command) => plain.test(command)).length).toBeGreaterThan(all.length / 2);
});

it.each(scripts.filter(({commands}) => commands.length > 0))(
	'an example of the documents exits with 0: $name: $commands',
	async ({commands}) => {
		const shell = createShell(await startWithConversation());
		if (commands.some((command) => /\bgit\b/.test(command))) await shell(prepareRepository);
		const usesServer = commands.some((command) => command.includes('--mcp files'));
		if (usesServer) await shell('chat mcp refresh files --yes');
		const isSaved = commands.some((command) => command.includes('--save-template review'));
		if (isSaved) await shell('rm "$(chat templates path review)"');
		for (const command of commands) {
			const {code, text} = await shell(command);
			expect(code, `${command}\n${text}`).toBe(0);
		}
	},
);

const recipes = readFileSync(root + scenarios, 'utf8')
	.replace(/\n## Recorded requests[\s\S]*/, '')
	.split('\n### ')
	.slice(1)
	.flatMap((section) => {
		const [yaml] = blocksIn(section, 'yaml');
		const [text] = blocksIn(section, 'console');
		const title = section.slice(0, section.indexOf('\n'));
		return yaml === undefined || text === undefined ? [] : [{title, yaml, text}];
	});

it('the document about scenarios has recipes', () => {
	expect(recipes.length).toBeGreaterThan(7);
});

it.each(recipes)('a scenario does what its document says: $title', async ({yaml, text}) => {
	const {url} = await play(yaml);
	const shell = createShell({CHAT_BASE_URL: url, CHAT_SAVE: 'false'});
	await shell(`cat >tools.json <<'.'\n${weather}\n.`);
	const shown = (await show(text, shell))
		.replaceAll(url, 'http://127.0.0.1:8080')
		.replace(/req_[0-9a-f]{24}/g, 'req_…')
		.replace(/in 0\.\d+ s/g, 'in 0.5 s');
	if (process.env['UPDATE_DOCS'] !== '1') return expect(shown).toBe(text);
	const document = readFileSync(root + scenarios, 'utf8');
	writeFileSync(
		root + scenarios,
		document.replace(text, () => shown),
	);
});
