/** The commands of the documents, run by a shell, do what the documents say. */
import {execFile, spawnSync} from 'node:child_process';
import {
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {delimiter, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, it} from 'vitest';
import {appendTitle} from '../../src/sessions/rename-session.ts';
import {createToolsFailure, parseTools} from '../../src/tools/parse-tools.ts';
import {builtProgram} from '../helpers/built-program.ts';
import {filesystemServer} from '../helpers/mcp-servers.ts';
import {startReference} from '../helpers/start-service.ts';
import {createDirectory} from '../input/input-helpers.ts';
import {makeSolidPng} from '../server/helpers/images.ts';
import {createFolder, openWriter, pathOf} from '../sessions/session-files.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Scenarios have a test of their own, with a service for each. */
const names = [
	'README.md',
	...readdirSync(`${root}docs`)
		.filter((name) => name.endsWith('.md') && name !== 'scenarios.md')
		.map((name) => `docs/${name}`),
];

function fenced(language: string): ReadonlyArray<{readonly name: string; readonly text: string}> {
	const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
	return names.flatMap((name) =>
		[...readFileSync(root + name, 'utf8').matchAll(pattern)].map(([, text = '']) => ({name, text})),
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
	'main.ts': "console.log('a line');\n",
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

/** Runs lines in a shell, in a folder with the files that they name. */
function createShell(variables: Readonly<Record<string, string>> = {}) {
	const cwd = createDirectory(files);
	for (const folder of ['src', 'docs']) mkdirSync(join(cwd, folder));
	renameSync(join(cwd, 'main.ts'), join(cwd, 'src/main.ts'));
	writeFileSync(join(cwd, 'docs/notes.md'), 'It prints two lines.\n');
	const templates = {
		'.config/chat/templates/review.md': files['review.md'],
		'.config/chat/mcp.json': JSON.stringify({mcpServers: {files: filesystemServer(cwd)}}),
		'.claude/commands/tidy.md': 'Tidy up $ARGUMENTS.\n',
		'.config/aichat/roles/shell.md': 'A command for this: __INPUT__\n',
		'fabric/data/patterns/summarize/system.md': 'You summarize.\n',
	};
	for (const [path, text] of Object.entries(templates)) {
		mkdirSync(dirname(join(cwd, path)), {recursive: true});
		writeFileSync(join(cwd, path), text);
	}
	const commands = createDirectory();
	symlinkSync(builtProgram, join(commands, 'chat'));
	const env = {
		HOME: cwd,
		PATH: [commands, dirname(process.execPath), process.env['PATH']].join(delimiter),
		EDITOR: 'true',
		question: 'count to 5',
		...variables,
	};
	type Ran = {readonly code: number; readonly text: string};
	return (lines: string): Promise<Ran> =>
		new Promise((resolve) => {
			const script = `exec </dev/null; { ${lines}\n} 2>&1`;
			const child = execFile('sh', ['-ec', script], {cwd, env}, (error, text) =>
				resolve({code: error === null ? 0 : Number(error.code), text}),
			);
			child.stdin?.end();
		});
}

/** A repository with a change that is staged, and one that is not. */
const prepareRepository = `git init -q && git config user.name Ada && git config user.email ada@example.com
	git add main.c notes.txt && git commit -qm first
	echo more >> notes.txt && git add notes.txt && echo '// more' >> main.c`;

/** Runs the commands and returns them with their output, as a terminal shows them. */
async function play(text: string): Promise<string> {
	const shell = createShell();
	let shown = '';
	for (const line of text.split('\n').filter((candidate) => candidate.startsWith('$ '))) {
		shown += `${line}\n${(await shell(line.slice(2))).text}`;
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

describe('an example of the documents', () => {
	it.each(
		fenced('console').filter(({text}) => isRunnable(text) && !/\$ chat serve|--quotes/.test(text)),
	)('prints what it says: $name: $text', async ({text}) => {
		const shown = await play(text);
		expect(steady(text.match(notice) ? shown : shown.replace(notice, ''))).toBe(steady(text));
	});

	it.each(tools)('is a valid tools file: $name', ({name, text}) => {
		const source = {fail: createToolsFailure(name), directory: '/', taken: []};
		expect(parseTools(text, source)).toHaveLength(1);
	});

	const scripts = fenced('sh').map(({name, text}) => ({
		name,
		commands: commandsOf(text).filter(
			(command) => !unattended.test(command) && !elsewhere.test(command) && isRunnable(command),
		),
	}));

	it.each(scripts.filter(({commands}) => commands.length > 0))(
		'exits with 0: $name: $commands',
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

	it('is found', () => {
		const all = scripts.flatMap(({commands}) => commands);
		expect(all.length).toBeGreaterThan(30);
	});
});
