import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	createMarkdownSpeaker,
	speakMarkdown,
} from '../../../src/terminal/markdown/speech/speaker.ts';
import {findCodeBlocks} from '../../../src/terminal/markdown/stream/code-blocks.ts';
import {hostileSample} from '../../fixtures/hostile-texts.ts';
import {expectLinearCost} from '../../helpers/cost.ts';
import {fuzzProperty} from '../../helpers/fuzz.ts';
import {sample} from './sample.ts';

test.each([
	['a heading with its level', '## Two **bold**', ['Heading 2: Two bold']],
	['a list with its marks', '- a\n  - b\n    1. c\n- d', ['• a', '•• b', '••1. c', '• d']],
	['a task', '- [x] a\n- [ ] b', ['• checked: a', '• not checked: b']],
	[
		'exact code, with its number',
		'```py\nif x:\n\n\ty()\n```\n~~~\n~~~',
		[
			...['Code block 1, py, 3 lines:', 'if x:', '', '\ty()', 'End of code block 1.'],
			...['Code block 2, 0 lines:', 'End of code block 2.'],
		],
	],
	[
		'a table by its rows',
		'| A | B |\n|---|---|\n| x. | |\n| y | `1\\|2` |',
		[
			'Table, 2 rows, 2 columns:',
			'Row 1. A: x. B: empty.',
			'Row 2. A: y. B: `1|2`.',
			'End of table.',
		],
	],
	[
		'a quote',
		'> one\n\n> ## two\n> three',
		['Quote: one', 'Quote:', 'Heading 2: two', 'three', 'End of quote.'],
	],
	[
		'a link with its address',
		'[here](https://a.org/b) <https://c.org>',
		['here (https://a.org/b) https://c.org'],
	],
	[
		'the lines of a formula',
		'So:\n$$\na \\\\\n% note\nb\n$$',
		['So:', '$$', 'a \\\\', '% note', 'b', '$$'],
	],
])('a block is spoken as %s', (_name, source, lines) => {
	expect(speakMarkdown(source)).toEqual(lines);
});

test('blocks are spoken when they are whole, and counted', () => {
	const speaker = createMarkdownSpeaker();
	expect(speaker.push('One\ntwo.\n')).toEqual([]);
	expect(speaker.push('\nThree')).toEqual(['One two.']);
	expect(speaker.push('.\n```\na\n\n')).toEqual(['Three.']);
	expect(speaker.push('b\n```\n')).toEqual([
		'Code block 1, 3 lines:',
		'a',
		'',
		'b',
		'End of code block 1.',
	]);
	expect(speaker.push('- x\n\n- y\n\nend')).toEqual(['• x']);
	expect(speaker.end()).toEqual(['• y', 'end']);
	expect(speaker.countBlocks()).toBe('3 paragraphs, 1 code block, 1 list');
});

test.each(hostileSample)('$name is made safe', ({text}) => {
	const lines = speakMarkdown(
		`${text}\n\n\`${text}\`\n\n- ${text}\n\n\`\`\`${text}\n${text}\n\`\`\``,
	);
	expect(lines.join('')).not.toMatch(/(?!\t)\p{Cc}|\p{Bidi_Control}/u);
});

const pieces = fc.array(
	fc.oneof(
		fc.constantFrom(
			...['\n', '\n\n', '```\n', '~~~', '- ', '1. ', '> ', '| a |\n|---|\n', '    ', '# '],
		),
		fc.constantFrom('word ', '**b** ', '[l](u)', '日本', '\t', '\r', '\x1b[31m', '`'),
	),
	{maxLength: 60},
);

fuzzProperty(
	'the lines do not depend on how the source is cut',
	20,
	fc.property(pieces, (parts) => {
		const speaker = createMarkdownSpeaker();
		const lines = parts.flatMap((part) => [...part].flatMap((letter) => speaker.push(letter)));
		expect([...lines, ...speaker.end()]).toEqual(speakMarkdown(parts.join('')));
	}),
);

test('long sources cost no more for each character', {tags: ['cost']}, () => {
	const letters = Array.from(sample);
	for (const source of [
		letters,
		[...'- item\n\n'],
		[...'```\n\na '],
		[...'word '],
		['[', '*', '`'],
	]) {
		expectLinearCost((size) => {
			const speaker = createMarkdownSpeaker();
			for (let index = 0; index < size; index += 1)
				speaker.push(source[index % source.length] ?? '');
			speaker.end();
		}, 10_000);
	}
});

test('code blocks have the numbers of those that can be copied', () => {
	const source = '```a\n1\n```\n\n    no fence\n\n- x\n  ```b\n  2\n  ```\n\n> ~~~c\n> 3\n> ~~~\n';
	const languages = findCodeBlocks(source).map(({language}) => language);
	expect(languages).toEqual(['a', 'b', 'c']);
	const titles = speakMarkdown(source).filter((line) => line.startsWith('Code block'));
	expect(titles).toEqual(
		languages.map((language, index) => `Code block ${index + 1}, ${language}, 1 line:`),
	);
});
