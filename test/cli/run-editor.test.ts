import {describe, expect, test} from 'vitest';
import {findEditor} from '../../src/cli/run/run-editor.ts';
import {splitShellWords} from '../../src/cli/run/shell-words.ts';

describe('shell words', () => {
	test.each([
		['', []],
		['  ', []],
		['vi', ['vi']],
		[' code  --wait ', ['code', '--wait']],
		["'two words' x", ['two words', 'x']],
		['"two words" x', ['two words', 'x']],
		['two\\ words x', ['two words', 'x']],
		['a\'b c\'d"e f"', ['ab cde f']],
		['"a \\" \\\\ \\n"', ['a " \\ \\n']],
		["'\\'", ['\\']],
		["emacs -e ''", ['emacs', '-e', '']],
		['x $HOME `id` $(id) ; rm *', ['x', '$HOME', '`id`', '$(id)', ';', 'rm', '*']],
		['a\tb\nc', ['a', 'b', 'c']],
	])('of %j are %j', (text, words) => {
		expect(splitShellWords(text, 'linux')).toEqual(words);
	});

	test.each(["'x", '"x', 'x\\', '"x\\"'])('of %j have an unclosed quote', (text) => {
		expect(splitShellWords(text, 'linux')).toBeUndefined();
	});

	test('keep their backslashes on Windows', () => {
		const text = '"C:\\Program Files\\e.exe" -x C:\\a b\'s';
		const words = ['C:\\Program Files\\e.exe', '-x', 'C:\\a', "b's"];
		expect(splitShellWords(text, 'win32')).toEqual(words);
	});
});

describe('the editor', () => {
	test.each([
		[{VISUAL: 'code --wait', EDITOR: 'ed'}, ['code', '--wait']],
		[{VISUAL: '', EDITOR: 'ed'}, ['ed']],
		[{VISUAL: ' ', EDITOR: ''}, ['vi']],
		[{}, ['vi']],
	])('of %j is %j', (variables, argv) => {
		expect(findEditor({variables, platform: 'linux'})).toEqual(argv);
	});

	test('is notepad on Windows', () => {
		expect(findEditor({variables: {}, platform: 'win32'})).toEqual(['notepad']);
	});

	test('is an error that names the variable if it is not a valid command', () => {
		const variables = {EDITOR: "vi '"};
		expect(() => findEditor({variables, platform: 'linux'})).toThrow(
			expect.objectContaining({
				kind: 'config',
				message: 'EDITOR is not a valid command: unclosed quote',
			}),
		);
	});
});
