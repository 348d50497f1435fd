import {describe, expect, test} from 'vitest';
import {findCodeBlocks} from '../../../src/terminal/markdown/stream/code-blocks.ts';
import {renderMarkdown} from '../../../src/terminal/markdown/stream/streamer.ts';
import {expectLinearCost} from '../../helpers/cost.ts';
import {plainOptions, visible} from './sample.ts';

const rows: ReadonlyArray<readonly [name: string, markdown: string, blocks: readonly string[]]> = [
	['no text', '', []],
	['no block', 'Only `code` in a line.', []],
	['one block', 'See:\n```js\nlet a;\n```\nDone.', ['let a;']],
	['a block without a language', '```\na\n\nb\n```', ['a\n\nb']],
	['two blocks', '```\na\n```\n\n```\nb\n```\n', ['a', 'b']],
	['tildes', '~~~py\na\n```\nb\n~~~', ['a\n```\nb']],
	['a longer fence around a shorter one', '````md\n```\na\n```\n````', ['```\na\n```']],
	['a longer closing fence', '```\na\n`````', ['a']],
	['a shorter fence closes nothing', '````\na\n```\nb', ['a\n```\nb']],
	['a fence with an info closes nothing', '```\na\n```js\nb\n```', ['a\n```js\nb']],
	['an empty block', '```\n```', ['']],
	['a block that is never closed', 'See:\n```\na\nb', ['a\nb']],
	['CRLF', '```\r\na\r\nb\r\n```\r\n', ['a\nb']],
	['a block inside a list', '- item\n  ```\n  a\n    b\n  ```\n', ['a\n  b']],
	[
		'tabs in a block inside a list',
		'- make\n\n  ```\n  all:\n  \tcc x.c\n  ```',
		['all:\n\tcc x.c'],
	],
	['a block right after a bullet', '1. ```\n   a\n   ```', ['a']],
	['a block inside a quote', '> ```\n> a\n> ```\n', ['a']],
	['inline code of three backticks', '```not a fence``` but text', []],
	['two backticks', '``\na\n``', []],
	['an indented fence as an example', '```md\n    ```\na\n```', ['    ```\na']],
	['code that keeps its own indentation', '```py\nif a:\n\treturn\n```', ['if a:\n\treturn']],
];

describe('the code blocks of a text', () => {
	test.each(rows)('with %s', (_, markdown, blocks) => {
		expect(findCodeBlocks(markdown).map(({code}) => code)).toEqual(blocks);
	});

	test('take time linear in the text', () => {
		expectLinearCost((size) => {
			findCodeBlocks(`${'> '.repeat(size)}\n${'`'.repeat(2 * size)}\n${'- '.repeat(size)}`);
		}, 3_000);
	});

	test.each([
		['a block after code that is indented', '    ```\n    a\n    ```\n\n```\nb\n```'],
		['a fence that the end of a quote closes', '> ```\n> a\n\n```\nb\n```'],
		['a fence that the end of a list closes', '- one\n  ```\n  a\ntext\n\n```\nb\n```'],
		['a list with four spaces', '1. one\n\n    ```sh\n    a\n    ```\n\n2. two'],
		['a list in a list', '- one\n  - two\n    ```\n    a\n    ```\n- three\n  ```\n  b\n  ```'],
		['a list in a quote', '> - one\n>   ```\n>   a\n>   ```\n\n```\nb\n```'],
		['HTML without a blank line', '<details>\n```\na\n```\n</details>\n\n```\nb\n```'],
		['HTML with a blank line', '<details>\n\n```\na\n```\n\n</details>'],
		['a rule that looks like a list', '* * *\n```\na\n```'],
	])('are those that the screen numbers, with %s', (_, markdown) => {
		const rows = renderMarkdown(markdown, {
			...plainOptions,
			width: 40,
		});
		const numbers = rows.flatMap((row) => /─ (\d+)/.exec(visible(row))?.[1] ?? []);
		const blocks = findCodeBlocks(markdown);
		expect(numbers).toEqual(blocks.map((_block, index) => String(index + 1)));
		expect(blocks.map(({code}) => code).join()).toMatch(/^[ab](?:,b)?$/);
	});

	test.each([
		['py', 'py'],
		['Python title="a.py"', 'python'],
		['{.rust .numbered}', 'rust'],
		['c++', 'c++'],
		['', ''],
	])('know their language after ```%s', (info, language) => {
		expect(findCodeBlocks(`\`\`\`${info}\n\`\`\``)).toMatchObject([{language}]);
	});

	test('are closed once their closing fence has come', () => {
		expect(findCodeBlocks('```\na\n```\n```\nb\n``')).toMatchObject([
			{isClosed: true},
			{isClosed: false},
		]);
	});
});
