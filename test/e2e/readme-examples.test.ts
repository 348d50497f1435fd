/** The commands of the README, run by a shell, print what the README says. */
import {spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, renameSync, symlinkSync} from 'node:fs';
import {delimiter, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, it} from 'vitest';
import {createToolsFailure, parseTools} from '../../src/tools/parse-tools.ts';
import {builtProgram} from '../helpers/built-program.ts';
import {createDirectory} from '../input/input-helpers.ts';
import {makeSolidPng} from '../server/helpers/images.ts';

const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');

const fenced = (language: string) =>
	[...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
		([, text = '']) => text,
	);

const files = {
	'notes.txt': 'one two\nthree\n',
	'red.png': makeSolidPng(64, 48, [200, 30, 30]),
	'tools.json': fenced('json').find((text) => text.includes('"get_weather"')) ?? '',
	'README.md': 'It prints a line.\n',
	'main.ts': "console.log('a line');\n",
	'build.log': 'a line of the build\n'.repeat(50),
	'report.pdf': '%PDF-1.7\n',
	'openrouter.json': '{"order": ["groq"]}',
	'style.txt': 'Answer in one sentence.\n',
	...Object.fromEntries(
		['before.png', 'after.png', 'photo.png'].map((name) => [name, makeSolidPng(8, 8, [0, 0, 200])]),
	),
};

const runs = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;

/** Without servers, which run until they are stopped. */
const examples = fenced('console')
	.filter((text) => !text.includes('$ chat serve'))
	.map((text) => ({
		text,
		title: text.split('\n', 1)[0],
		isRunnable: runs('jq') || !/\bjq\b/.test(text),
	}));

/** Scripts that need neither a real service, nor its saved conversations, nor a person. */
const scripts = fenced('sh').filter(
	(text) => !/\b(?:npm|npx|export|https?:|setup|local:)| -[cir] /.test(text),
);

/** Runs lines of the README in a shell, in a folder with the files that they name. */
function createShell() {
	const cwd = createDirectory(files);
	mkdirSync(join(cwd, 'src'));
	renameSync(join(cwd, 'main.ts'), join(cwd, 'src/main.ts'));
	const commands = createDirectory();
	symlinkSync(builtProgram, join(commands, 'chat'));
	const env = {
		HOME: cwd,
		PATH: [commands, dirname(process.execPath), process.env['PATH']].join(delimiter),
		question: 'count to 5',
	};
	return (lines: string) => {
		const script = `{ ${lines}\n} 2>&1`;
		const stdio = ['ignore', 'pipe', 'pipe'] as const;
		return spawnSync('sh', ['-ec', script], {cwd, env, encoding: 'utf8', stdio: [...stdio]});
	};
}

/** Runs the commands and returns them with their output, as a terminal shows them. */
function play(text: string): string {
	const shell = createShell();
	const lines = text.split('\n').filter((line) => line.startsWith('$ '));
	return lines.map((line) => `${line}\n${shell(line.slice(2)).stdout}`).join('');
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

describe('an example of the README', () => {
	it('is found', () => {
		expect(examples.length).toBeGreaterThan(7);
	});

	it.each(examples.filter(({isRunnable}) => isRunnable))(
		'prints what it says: $title',
		({text}) => {
			const shown = play(text);
			expect(steady(text.match(notice) ? shown : shown.replace(notice, ''))).toBe(steady(text));
		},
	);

	it.each(fenced('json').filter((text) => text.includes('"function"')))(
		'is a valid tools file: %s',
		(text) => {
			const source = {fail: createToolsFailure('README.md'), directory: '/', taken: []};
			expect(parseTools(text, source)).toHaveLength(1);
		},
	);

	it.each(scripts)('exits with 0: %s', (text) => {
		expect(createShell()(text)).toMatchObject({status: 0});
	});
});
