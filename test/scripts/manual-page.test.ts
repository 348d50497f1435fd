import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {printManual} from '../../scripts/manual/page.ts';
import {entries, example, paragraph, section, title} from '../../scripts/manual/roff.ts';
import {rowsOf} from '../../src/cli/command-line/command.ts';
import {exitCodeRows} from '../../src/cli/command-line/exit-code-rows.ts';
import {chat, commands} from '../../src/cli/commands.ts';
import {slashCommands} from '../../src/repl/commands/slash-commands.ts';

const release = {version: '1.2.3', date: '2026-11-22'};

type Format = {
	readonly argv: readonly string[];
	readonly lint: readonly string[];
};

/** The programs that print manual pages, and how they report mistakes in one. */
const formatters: Readonly<Record<string, Format>> = {
	groff: {argv: ['-Tutf8', '-k', '-P-cbou'], lint: ['-ww', '-b']},
	mandoc: {argv: ['-Tutf8'], lint: ['-Tlint', '-Wwarning']},
	man: {argv: ['-Tutf8', '-EUTF-8', '-l'], lint: ['--warnings=w', '-Tutf8', '-Z', '-l']},
};

const installed = Object.keys(formatters).filter(
	(name) =>
		spawnSync(name, [name === 'mandoc' ? '-Tlint' : '--version'], {input: ''}).error === undefined,
);

/** Runs one of them on a page; returns what it prints, without overstrikes, and reports. */
function format(name: string, page: string, words: keyof Format) {
	const folder = mkdtempSync(join(tmpdir(), 'chat-manual-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	const path = join(folder, 'chat.1');
	writeFileSync(path, page);
	const macros = name === 'groff' ? ['-man'] : [];
	const argv = [...macros, ...(formatters[name]?.[words] ?? []), path];
	const env = {PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', MANWIDTH: '100', PAGER: 'cat'};
	const {stdout, stderr} = spawnSync(name, argv, {env, encoding: 'utf8'});
	return {text: stdout.replaceAll(/.[\b]/g, ''), reports: stderr};
}

const page = await printManual(release);
const loaded = await Promise.all(Object.values(commands).map(({load}) => load()));

describe.each(installed)('in %s, the page', (name) => {
	test('has no mistake', () => {
		const {text, reports} = format(name, page, 'lint');
		expect({reports, found: name === 'mandoc' ? text : ''}).toEqual({reports: '', found: ''});
	});

	test('has every command, verb, flag, variable, slash command and exit code', () => {
		const {text} = format(name, page, 'argv');
		const rows = [chat, ...loaded].flatMap((command) => Object.values(rowsOf(command)));
		const words = [
			...loaded.map(({name: command}) => `chat ${command}`),
			...loaded.flatMap(({verbs}) => Object.keys(verbs)),
			...rows.flatMap(({flags, negatedSummary}) =>
				negatedSummary === undefined ? flags.slice(0, 1) : flags,
			),
			...rows.flatMap(({variable = 'CHAT_API_KEY'}) => variable),
			...slashCommands.map((command) => `/${command.name}`),
			...exitCodeRows.map(({code}) => code),
			'chat 1.2.3',
			'2026-11-22',
		];
		const missing = words
			.map((word) => word.replaceAll(/[<>]/g, ''))
			.filter((word) => !text.includes(word));
		expect(missing).toEqual([]);
	});

	test('shows every text as it was written', () => {
		const hostile = [
			`.so /etc/passwd`,
			`'quoted' and "quoted" \`twice\``,
			String.raw`C:\new\fB \*(xx \n(yy \\`,
			'--a-b ~/x ^ … “é” 日',
		];
		const start = title(release);
		const shown = format(
			name,
			start + section('S', example(hostile), entries(hostile.map((text) => ['-x', text]))),
			'argv',
		).text.replaceAll(/ +/g, ' ');
		// The backquotes of a meaning mark code.
		for (const text of hostile) {
			expect(shown).toContain(`\n ${text}\n`);
			expect(shown).toContain(`-x ${text.replaceAll('`', '')}\n`);
		}
	});
});

test('lines of a page never begin with a quote or a foreign request', () => {
	const written =
		paragraph(".x 'y'") + paragraph("'x") + entries([['.x', "'y"]]) + example(['.x', "'y"]);
	const requests = written.split('\n').filter((line) => /^[.']/.test(line));
	expect(new Set(requests)).toEqual(new Set(['.PP', '.TP', '.RS 4', '.nf', '.fi', '.RE']));
});
