/** The words that shells hand over, and what bash and PowerShell read back. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	quoteForPowerShell,
	quoteRest,
	readTypedWords,
} from '../../../src/cli/commands/completion/typed-words.ts';
import {fuzzProperty} from '../../helpers/fuzz.ts';

/** Reads the pieces that bash 5.2 makes of a line up to the cursor. */
function readBash(line: string, ...pieces: readonly string[]) {
	const {words, last} = readTypedWords.bash(['9', '', line, ...pieces]);
	return [words, last.text];
}

describe('the words of bash', () => {
	test.each([
		['chat ', ['chat', ''], [[], '']],
		// Bash splits at colons, equals signs and at signs.
		['chat -m l3.2:l', ['chat', '-m', 'l3.2', ':', 'l'], [['-m'], 'l3.2:l']],
		['chat --model=l:', ['chat', '--model', '=', 'l', ':'], [[], '--model=l:']],
		['chat a::b= c', ['chat', 'a', '::', 'b', '=', 'c'], [['a::b='], 'c']],
		['chat -p t="a b', ['chat', '-p', 't', '=', '"a b'], [['-p'], 't=a b']],
		// Bash 3.2 does not.
		['chat -m l3.2:l', ['chat', '-m', 'l3.2:l'], [['-m'], 'l3.2:l']],
		// Nothing beyond the cursor counts.
		['chat -m ', ['chat', '-m', 'terra'], [['-m'], '']],
		// Quotes and substitutions.
		[
			'chat "a b" \'c "d\' e\\ f g',
			['chat', '"a b"', "'c \"d'", 'e\\ f', 'g'],
			[['a b', 'c "d', 'e f'], 'g'],
		],
		['chat $(touch "x y") z', ['chat', '$(touch "x y")', 'z'], [['$(touch x y)'], 'z']],
	])('are joined and unquoted: %s', (line, pieces, expected) => {
		expect(readBash(line, ...pieces)).toEqual(expected);
	});

	test.each([
		['chat a >no', ['chat', 'a', '>', 'no'], true],
		['chat a>no', ['chat', 'a', '>', 'no'], true],
		['chat a ">" ', ['chat', 'a', '">"', ''], false],
	])('show a redirection to a file: %s', (line, pieces, isRedirection) => {
		const {last} = readTypedWords.bash(['9', '', line, ...pieces]);
		expect(last.isRedirection).toBe(isRedirection);
	});
});

test('PowerShell passes its words on in base64, the last one as typed', () => {
	const encoded = Buffer.from(['chat', 'say "hi"', '', '"two wo'].join('\0')).toString('base64');
	const {words, last} = readTypedWords.powershell([encoded]);
	expect([words, last.text]).toEqual([['say "hi"', ''], 'two wo']);
});

test.each(["it's mine", 'x’; calc; ‘y', '‚a‛ "b" “c” `d` $e', 'C:\\x y'])(
	'PowerShell reads %s back as one word',
	(text) => {
		const quoted = quoteForPowerShell(text);
		expect(quoted).toMatch(/^'(?:[^'‘’‚‛]|['‘’‚‛]{2})*'$/);
		expect(quoted.slice(1, -1).replace(/['‘’‚‛](?=['‘’‚‛])/g, '')).toBe(text);
	},
);

const anyText = fc.string({unit: fc.constantFrom(...' ab\'"\\$`()|&;<>=:!#~*é日😀')});
const quotes = ['', "'", '"'] as const;

fuzzProperty(
	'an open word is completed to exactly the value that was chosen',
	2_000,
	fc.property(anyText, anyText, fc.constantFrom(...quotes), (start, rest, quote) => {
		const read = (raw: string) => readTypedWords.zsh(['chat', raw]).last;
		const raw = quote + quoteRest(start, quote);
		expect(read(raw)).toMatchObject({text: start, quote});
		expect(read(raw + quoteRest(rest, quote)).text).toBe(start + rest);
	}),
);
