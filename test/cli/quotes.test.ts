/** `chat quotes`, and the quotations of an answer, looked up in files. */
import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {streamReply} from '../helpers/replies.ts';
import {runChat} from '../helpers/run-chat.ts';
import {openScene} from '../helpers/run-table.ts';
import {createDirectory} from '../input/input-helpers.ts';
import {play} from '../server/helpers/scenario.ts';

const files = {
	'contract.txt':
		'The supplier is liable for all dam-\nages. A notice period of 30 days applies.\n',
	'answer.md': `Liability: “the supplier is liable for all damages” (contract.txt).
Notice: "All damages. A notice period of 60 days applies." (contract.txt)`,
	'true.md': '“A notice period of 30 days applies” (annex.txt)',
};
const claim =
	'It says “liable for all damages” (contract.txt), and “liable for no damages” (contract.txt).';
const open = () => openScene({files, replies: [streamReply([claim])]});

test('a line is printed for each quotation, and 80 means that one is not found', async () => {
	const {run} = await open();
	expect(await run('quotes answer.md contract.txt')).toEqual({
		stdout:
			'✓ contract.txt:1 “the supplier is liable for all damages”\n' +
			'✗ changed “All damages. A notice period of 60 days applies.”\n',
		stderr: 'chat: 2 quotations: 1 verbatim, 1 changed\n',
		exitCode: 80,
	});
	expect(await run('quotes -q - contract.txt', {stdin: 'It says “is liable for all”.'})).toEqual({
		stdout: '✓ contract.txt:1 “is liable for all”\n',
		stderr: '',
		exitCode: 0,
	});
	expect(await run('quotes - contract.txt', {stdin: 'Nothing'})).toEqual({
		stdout: '',
		stderr: 'chat: no quotations of 12 or more characters\n',
		exitCode: 0,
	});
	const {stdout, exitCode} = await run('quotes -o json true.md contract.txt');
	const found = {found: 'elsewhere', file: 'contract.txt', line: 2, named: 'annex.txt'};
	const quotes = [{text: 'A notice period of 30 days applies', ...found}];
	expect([JSON.parse(stdout), exitCode]).toEqual([{quotes}, 0]);
});

test('--quotes asks for quotations, checks them, and marks them beside the answer', async () => {
	const {run, service} = await open();
	const sum = 'chat: 2 quotations: 1 verbatim, 1 not in the files\n';
	const marks = `✗ not in the files “liable for no damages”\n${sum}`;
	expect(await run('-f contract.txt --quotes liability?')).toEqual({
		stdout: `${claim}\n`,
		stderr: `✓ contract.txt:1 “liable for all damages”\n${marks}`,
		exitCode: 80,
	});
	const quiet = await run('-q -f contract.txt --check-quotes liability?');
	expect(quiet.stderr).toBe(marks);
	const asked = service.bodies().map((body) => JSON.stringify(body).includes('Support each claim'));
	expect(asked).toEqual([true, false]);
});

test('the page about quotations shows what a run prints', async () => {
	const page = readFileSync(new URL('../../docs/quotes.md', import.meta.url), 'utf8');
	const [, answer = '', marks] = /^\$ chat -f .*\n(.*\n)([^`]*)```$/m.exec(page) ?? [];
	const {url} = await play(
		JSON.stringify({replies: [{when: {has: 'system'}, reply: answer.trimEnd()}]}),
	);
	const run = await runChat('-f contract.txt --quotes liability?', {
		cwd: createDirectory({
			'contract.txt': '1. Liability\nThe supplier is liable for all damages.\n',
		}),
		variables: {CHAT_BASE_URL: url},
	});
	expect(run).toEqual({stdout: answer, stderr: marks, exitCode: 80});
});

test('quotations are looked up in piped text, but not in a PDF that nothing here reads', async () => {
	const {run} = await open();
	const json = await run('-o json --check-quotes p', {stdin: files['contract.txt']});
	expect(JSON.parse(json.stdout).quotes).toMatchObject([
		{found: 'elsewhere', file: 'stdin', line: 1, named: 'contract.txt'},
		{found: 'absent', file: null},
	]);
	expect(json.exitCode).toBe(80);
	const said = await run('-o json --check-quotes liable for no damages', {stdin: 'A notice.'});
	expect(JSON.parse(said.stdout).quotes).toMatchObject([
		{found: 'absent'},
		{found: 'elsewhere', file: 'the prompt', line: null},
	]);
	expect(JSON.parse((await run('-o json p')).stdout).quotes).toBeNull();
	const pdf = await run('--check-quotes p', {stdin: '%PDF-1.7\n', variables: {PATH: '/nowhere'}});
	expect(pdf.stderr).toMatch(/^chat: quotations were not looked up in stdin: pdftotext/m);
	expect(pdf.exitCode).toBe(80);
});

test('quotations are looked up in the text of a PDF, if pdftotext is installed', async () => {
	const {run, cwd} = await open();
	const pdf = '%PDF-1.7\nThe supplier is liable for all damages.\n';
	writeFileSync(join(cwd, 'contract.pdf'), pdf);
	const programs = createDirectory({pdftotext: '#!/bin/sh\nexec tail -n 1\n'});
	chmodSync(join(programs, 'pdftotext'), 0o755);
	const found = {variables: {PATH: `${programs}:/usr/bin:/bin`}};
	const verdict = '✓ contract.pdf, not contract.txt “liable for all damages”\n';
	expect((await run('quotes true.md contract.pdf', found)).exitCode).toBe(80);
	const said = {...found, stdin: 'It is “liable for all damages”.'};
	expect(await run('quotes -q - contract.pdf', said)).toMatchObject({exitCode: 0});
	const {stderr} = await run('-f contract.pdf --check-quotes p', found);
	expect(stderr).toContain(verdict);
	const missing = await run('quotes true.md contract.pdf', {variables: {PATH: '/nowhere'}});
	expect(missing).toMatchObject({exitCode: 65, stderr: expect.stringContaining('poppler-utils')});
});

test('verdicts are kept with a conversation, and its exports show them', async () => {
	const {run, cwd} = await open();
	await run('-f contract.txt --quotes liability?', {variables: {CHAT_SAVE: 'true'}});
	const [saved] = JSON.parse((await run('sessions list -o json')).stdout);
	const {stdout: markdown} = await run(['sessions', 'export', saved.id]);
	const verdict = '- ✗ not in the files “liable for no damages”';
	expect(markdown).toContain(verdict);
	writeFileSync(join(cwd, 'saved.md'), markdown.replace(/^session: .*\n/m, ''));
	const [{id}] = JSON.parse((await run('sessions import saved.md -o json')).stdout);
	expect((await run(['sessions', 'export', id])).stdout).toContain(verdict);
});
