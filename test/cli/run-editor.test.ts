import {describe, expect, test} from 'vitest';
import {findEditor} from '../../src/cli/run/run-editor.ts';
import {splitShellWords} from '../../src/cli/run/shell-words.ts';

describe('shell words', () => {
	test.each([
		['', []],
		[' code  --wait ', ['code', '--wait']],
		["'two words' x", ['two words', 'x']],
		['a\'b c\'d"e f"', ['ab cde f']],
		['"a \\" \\\\ \\n"', ['a " \\ \\n']],
		["'\\'", ['\\']],
		['x $HOME `id` $(id) ; rm *', ['x', '$HOME', '`id`', '$(id)', ';', 'rm', '*']],
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
		[{VISUAL: 'code --wait', EDITOR: 'ed'}, 'linux', ['code', '--wait']],
		[{VISUAL: '', EDITOR: 'ed'}, 'linux', ['ed']],
		[{VISUAL: ' ', EDITOR: ''}, 'linux', ['vi']],
		[{}, 'win32', ['notepad']],
	])('of %j on %s is %j', (variables, platform, argv) => {
		expect(findEditor({variables, platform})).toEqual(argv);
	});

	test('is an error that names the variable if it is not a valid command', () => {
		const error = {kind: 'config', message: 'EDITOR is not a valid command: unclosed quote'};
		const find = () => findEditor({variables: {EDITOR: "vi '"}, platform: 'linux'});
		expect(find).toThrow(expect.objectContaining(error));
	});
});
