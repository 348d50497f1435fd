/** The commands of the README, run by a shell, print what the README says. */
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {describe, expect, it} from 'vitest';
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
};

const runs = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;

/** A server runs until somebody stops it. */
const examples = fenced('console')
	.filter((text) => !text.includes('$ chat serve'))
	.map((text) => ({
		text,
		title: text.split('\n', 1)[0],
		isRunnable: runs('jq') || !/\bjq\b/.test(text),
	}));

/** What a terminal shows: the commands, with what they print. */
function play(text: string): string {
	const cwd = createDirectory(files);
	const env = {
		HOME: cwd,
		PATH: process.env['PATH'] ?? '',
		NODE: process.execPath,
		CHAT: builtProgram,
	};
	const lines = text.split('\n').filter((line) => line.startsWith('$ '));
	return lines
		.map((line) => {
			const script = `chat() { "$NODE" "$CHAT" "$@"; }; { ${line.slice(2)}; } 2>&1`;
			const {stdout} = spawnSync('sh', ['-c', script], {cwd, env, encoding: 'utf8'});
			return `${line}\n${stdout}`;
		})
		.join('');
}

const notice = /^chat: the embedded rehearsal service .*\n/gm;

/** Without what differs from run to run. */
function steady(text: string): string {
	return text
		.replace(/chatcmpl-[\w-]+/g, 'chatcmpl-…')
		.replace(/("created"|"first_token_ms"|"total_ms"):\d+/g, '$1:0')
		.replace(/\d+\.\d\d s\b/g, '0.00 s')
		.replace(/\d+ bytes, (mainly .*), fingerprint \w+/g, '$1');
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
});
