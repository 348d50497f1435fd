/** `chat quotes`: quotations of a text, looked up in files. */
import {expect, test} from 'vitest';
import {runChat} from '../helpers/run-chat.ts';
import {createDirectory} from '../input/input-helpers.ts';

const files = {
	'contract.txt':
		'The supplier is liable for all dam-\nages. A notice period of 30 days applies.\n',
	'answer.md': `Liability: “the supplier is liable for all damages” (contract.txt).
Notice: "A notice period of 60 days applies." (contract.txt)`,
	'true.md': '“A notice period of 30 days applies” (annex.txt)',
	'photo.png': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
};

const run = (line: string, stdin?: string) =>
	runChat(line, {cwd: createDirectory(files), ...(stdin === undefined ? {} : {stdin})});

test('prints a line for each quotation, and ends with 80 if one is not found', async () => {
	expect(await run('quotes answer.md contract.txt')).toEqual({
		stdout:
			'✓ contract.txt:1 “the supplier is liable for all damages”\n' +
			'✗ changed “A notice period of 60 days applies.”\n',
		stderr: 'chat: 2 quotations: 1 verbatim, 1 changed\n',
		exitCode: 80,
	});
	expect(await run('quotes -q - contract.txt', 'It says “is liable for all”.')).toEqual({
		stdout: '✓ contract.txt:1 “is liable for all”\n',
		stderr: '',
		exitCode: 0,
	});
});

test('prints JSON', async () => {
	const {stdout, exitCode} = await run('quotes -o json true.md contract.txt');
	expect(JSON.parse(stdout)).toEqual({
		quotes: [
			{
				text: 'A notice period of 30 days applies',
				found: 'elsewhere',
				file: 'contract.txt',
				line: 2,
				named: 'annex.txt',
			},
		],
	});
	expect(exitCode).toBe(0);
});

test.each([
	['quotes answer.md', 64, 'chat: quotes needs more arguments\n'],
	['quotes answer.md none.txt', 66, 'chat: no such file: none.txt\n'],
	['quotes none.md contract.txt', 66, 'chat: no such file: none.md\n'],
	['quotes answer.md photo.png', 65, 'chat: photo.png is a PNG image, not text\n'],
	['quotes - contract.txt', 64, 'chat: nothing was piped in\n'],
])('%s ends with %i', async (line, exitCode, message) => {
	const {stderr, ...result} = await run(line);
	expect(result).toEqual({stdout: '', exitCode});
	expect(stderr.startsWith(message), stderr).toBe(true);
});
