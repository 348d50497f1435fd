/** Unfinished command lines, as shells split them. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {findArguments} from '../../../src/cli/commands/completion/find-program.ts';
import {quoteForPowerShell, quoteRest} from '../../../src/cli/commands/completion/quote-rest.ts';
import {type Shell, splitLine} from '../../../src/cli/commands/completion/split-line.ts';
import {fuzzProperty} from '../../helpers/fuzz.ts';

/** Returns the arguments before the last word, and the last word. */
function split(line: string, shell: Shell = 'bash') {
	const {words, last} = splitLine(line, shell);
	return [findArguments(words), last.text];
}

describe('a line of bash or zsh', () => {
	test.each([
		['chat -m terra he', [['-m', 'terra'], 'he']],
		['chat ', [[], '']],
		['chat', [undefined, 'chat']],
		// Quotes.
		['chat "a b" \'c "d\' e\\ f g', [['a b', 'c "d', 'e f'], 'g']],
		['chat "say \\"hi\\" for \\$5" x', [['say "hi" for $5'], 'x']],
		["chat $'it\\'s' x", [["it's"], 'x']],
		['chat "an open qu', [[], 'an open qu']],
		["chat 'an open \\", [[], 'an open \\']],
		['chat two\\\nlines x', [['twolines'], 'x']],
		// Commands in a word stay as they are typed.
		['chat "explain $(touch x; ls "a b")" x', [['explain $(touch x; ls "a b")'], 'x']],
		['chat `touch x`y z', [['`touch x`y'], 'z']],
		['chat a"$(b "$(c)" d)"e f', [['a$(b "$(c)" d)e'], 'f']],
		// The command at the cursor counts, also within another one.
		['git diff | chat -t re', [['-t'], 're']],
		['chat a; chat b && chat c || chat -m d', [['-m'], 'd']],
		['echo "$(chat -m ', [['-m'], '']],
		['echo `chat -m ', [['-m'], '']],
		['(cd x && chat -m ', [['-m'], '']],
		['if ! chat -m ', [['-m'], '']],
		['diff <(chat -m a) <(chat -m b', [['-m'], 'b']],
		// Before the program.
		['FOO=1 BAR="a b" chat -m ', [['-m'], '']],
		['npx --yes chat -m ', [['-m'], '']],
		['sudo -u ada /usr/local/bin/chat -m ', [['-m'], '']],
		['./bin/chat.js -m ', [['-m'], '']],
		['an-alias -m ', [['-m'], '']],
		['npx ', [undefined, '']],
		// Redirections are not arguments.
		['chat a 2>errors <in.txt >>out.txt b', [['a'], 'b']],
		['chat a 2>&1 b', [['a'], 'b']],
		// Colons and equals signs do not end a word.
		['chat -m llama3.2:la', [['-m'], 'llama3.2:la']],
		['chat --model=llama3.2:la', [[], '--model=llama3.2:la']],
	])('is split: %s', (line, expected) => {
		expect(split(line)).toEqual(expected);
		expect(split(line, 'zsh')).toEqual(expected);
	});

	test('names the open quote, and a file that output goes to', () => {
		const lastOf = (line: string) => splitLine(line, 'bash').last;
		expect(lastOf('chat "a b')).toMatchObject({raw: '"a b', quote: '"'});
		expect(lastOf("chat x'a b")).toMatchObject({raw: "x'a b", quote: "'"});
		expect(lastOf("chat $'a b")).toMatchObject({raw: "$'a b", quote: "$'"});
		expect(lastOf('chat a\\')).toMatchObject({quote: 'escape'});
		expect(lastOf('chat a >out')).toMatchObject({text: 'out', isRedirection: true});
		expect(lastOf('chat a >out ')).toMatchObject({text: '', isRedirection: false});
	});
});

test('fish escapes in single quotes, and has no backticks', () => {
	expect(split("chat 'it\\'s' `a b", 'fish')).toEqual([["it's", '`a'], 'b']);
	expect(split('chat (echo a b) "$(chat -m ', 'fish')).toEqual([['-m'], '']);
});

test('PowerShell escapes with backticks, and doubles quotes', () => {
	expect(split("chat 'it''s' a` b C:\\x\\y", 'powershell')).toEqual([["it's", 'a b'], 'C:\\x\\y']);
	expect(split('chat "a `"b`" ""c""" d', 'powershell')).toEqual([['a "b" "c"'], 'd']);
});

test('PowerShell takes typographic quotes for straight ones', () => {
	expect(split('chat ‘a b’ “c d„ "e”', 'powershell')).toEqual([['a b', 'c d'], 'e']);
	expect(split("chat 'a’’b' ‘c d", 'powershell')).toEqual([['a’b'], 'c d']);
	expect(split('chat ‘a b', 'bash')).toEqual([['‘a'], 'b']);
});

test.each(["it's mine", 'x’; calc; ‘y', '‚a‛ "b" “c” `d` $e', 'C:\\x y'])(
	'PowerShell reads %s back as one word',
	(text) => {
		expect(split(`chat ${quoteForPowerShell(text)} `, 'powershell')).toEqual([[text], '']);
	},
);

const anyText = fc.string({unit: fc.constantFrom(...' ab\t\n\'"\\$`()|&;<>=:!#~*é日😀')});

describe('any line', () => {
	fuzzProperty(
		'ends with its last word as typed',
		2_000,
		fc.property(anyText, fc.constantFrom('bash', 'zsh', 'fish', 'powershell'), (line, shell) => {
			const {last} = splitLine(`chat ${line}`, shell);
			expect(`chat ${line}`.endsWith(last.raw)).toBe(true);
		}),
	);

	const word = anyText.filter((text) => text !== '');
	const quotes: ReadonlyArray<(text: string) => string> = [
		(text) => quoteRest(text, ''),
		(text) => `'${quoteRest(text, "'")}'`,
		(text) => `"${quoteRest(text, '"')}"`,
		(text) => `$'${quoteRest(text, "$'")}'`,
	];
	fuzzProperty(
		'gives back the words it was made of, however they are quoted',
		2_000,
		fc.property(fc.array(fc.tuple(word, fc.constantFrom(...quotes))), (words) => {
			const line = ['echo', ...words.map(([text, quote]) => quote(text)), ''].join(' ');
			// Outside of quotes, a backslash before a line feed continues the line.
			fc.pre(!line.includes('\\\n'));
			expect(splitLine(line, 'bash').words).toEqual(['echo', ...words.map(([text]) => text)]);
		}),
	);

	fuzzProperty(
		'is completed to exactly the value that was chosen',
		2_000,
		fc.property(anyText, word, (line, rest) => {
			const {last} = splitLine(`chat ${line}`, 'bash');
			const added = quoteRest(rest, last.quote);
			fc.pre(last.quote !== 'escape' && !added.includes('\\\n') && !isCut(last.raw));
			const completed = splitLine(`chat ${line}${added}`, 'bash').last;
			expect(completed.text).toBe(last.text + rest);
		}),
	);
});

/** Whether the last character, with the next one, could mean something else. */
function isCut(raw: string): boolean {
	return /[$<>&]$/.test(raw);
}
