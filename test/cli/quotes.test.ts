/** `chat quotes`: quotations of a text, looked up in files. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {streamReply} from '../helpers/replies.ts';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';
import {createHome} from '../helpers/settings-home.ts';
import {startRecording} from '../helpers/start-service.ts';
import {createDirectory} from '../input/input-helpers.ts';

const files = {
	'contract.txt':
		'The supplier is liable for all dam-\nages. A notice period of 30 days applies.\n',
	'answer.md': `Liability: “the supplier is liable for all damages” (contract.txt).
Notice: "All damages. A notice period of 60 days applies." (contract.txt)`,
	'true.md': '“A notice period of 30 days applies” (annex.txt)',
	'photo.png': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
};

const run = (line: string, stdin?: string) =>
	runChat(line, {cwd: createDirectory(files), ...(stdin === undefined ? {} : {stdin})});

test('prints a line for each quotation, and ends with 80 if one is not found', async () => {
	expect(await run('quotes answer.md contract.txt')).toEqual({
		stdout:
			'✓ contract.txt:1 “the supplier is liable for all damages”\n' +
			'✗ changed “All damages. A notice period of 60 days applies.”\n',
		stderr: 'chat: 2 quotations: 1 verbatim, 1 changed\n',
		exitCode: 80,
	});
	expect(await run('quotes -q - contract.txt', 'It says “is liable for all”.')).toEqual({
		stdout: '✓ contract.txt:1 “is liable for all”\n',
		stderr: '',
		exitCode: 0,
	});
	expect(await run('quotes - contract.txt', 'Nothing')).toEqual({
		stdout: '',
		stderr: 'chat: no quotations of 12 or more characters\n',
		exitCode: 0,
	});
});

const claim =
	'It says “liable for all damages” (contract.txt), and “liable for no damages” (contract.txt).';

/** A service that answers with the claim. */
async function ask(line: string, options: RunOptions = {}) {
	const service = await startRecording(streamReply([claim]));
	const cwd = createDirectory(files);
	const result = await runChat(line, {cwd, ...options, variables: service.variables});
	return {...result, sent: JSON.stringify(service.bodies()[0])};
}

test('--quotes asks for quotations, checks them, and marks them beside the answer', async () => {
	const {sent, ...result} = await ask('-f contract.txt --quotes liability?');
	expect(result).toEqual({
		stdout: `${claim}\n`,
		stderr:
			'✓ contract.txt:1 “liable for all damages”\n' +
			'✗ not in the files “liable for no damages”\n' +
			'chat: 2 quotations: 1 verbatim, 1 not in the files\n',
		exitCode: 80,
	});
	expect(sent).toContain('Support each claim with a verbatim quotation');
	const quiet = await ask('-q -f contract.txt --check-quotes liability?');
	expect(quiet.stderr).toBe(
		'✗ not in the files “liable for no damages”\nchat: 2 quotations: 1 verbatim, 1 not in the files\n',
	);
	expect(quiet.sent).not.toContain('Support each claim');
});

test('--quotes looks in piped text, and JSON has the verdicts', async () => {
	const run = await ask('-o json --check-quotes liability?', {stdin: files['contract.txt']});
	expect(JSON.parse(run.stdout).quotes).toMatchObject([
		{found: 'elsewhere', file: 'stdin', line: 1, named: 'contract.txt'},
		{found: 'absent', file: null},
	]);
	expect(run.exitCode).toBe(80);
	expect(JSON.parse((await ask('-o json liability?')).stdout).quotes).toBeNull();
});

test('a PDF that nothing here reads is named', async () => {
	const options = {stdin: '%PDF-1.7\n', cwd: createDirectory(files)};
	const {stderr, exitCode} = await ask('--check-quotes liability?', options);
	expect(stderr).toMatch(/^chat: quotations were not looked up in stdin: pdftotext/m);
	expect(exitCode).toBe(80);
});

test('verdicts are kept with a conversation, and its exports show them', async () => {
	const home = createHome();
	const options = {...home.source, cwd: createDirectory(files)};
	const service = await startRecording(streamReply([claim]));
	const variables = {...service.variables, CHAT_SAVE: 'true'};
	await runChat('-f contract.txt --quotes liability?', {...options, variables});
	const [saved] = JSON.parse((await runChat('sessions list -o json', options)).stdout);
	const markdown = await runChat(['sessions', 'export', saved.id], options);
	expect(markdown.stdout).toContain('- ✗ not in the files “liable for no damages”');
	const path = join(options.cwd, 'saved.md');
	writeFileSync(path, markdown.stdout.replace(/^session: .*\n/m, ''));
	const imported = await runChat('sessions import saved.md -o json', options);
	const [{id}] = JSON.parse(imported.stdout);
	const again = await runChat(['sessions', 'export', id], options);
	expect(again.stdout).toContain('- ✗ not in the files “liable for no damages”');
});
