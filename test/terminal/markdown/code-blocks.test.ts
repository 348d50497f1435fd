import {describe, expect, test} from 'vitest';
import {findCodeBlocks} from '../../../src/terminal/markdown/stream/code-blocks.ts';
import {renderMarkdown} from '../../../src/terminal/markdown/stream/streamer.ts';
import {expectLinearCost} from '../../helpers/cost.ts';
import {plainOptions, visible} from './sample.ts';

const rows: ReadonlyArray<readonly [name: string, markdown: string, blocks: readonly string[]]> = [
	['a block without a language', '```\na\n\nb\n```', ['a\n\nb']],
	['a longer fence around a shorter one', '````md\n```\na\n```\n````', ['```\na\n```']],
	['a fence with an info closes nothing', '```\na\n```js\nb\n```', ['a\n```js\nb']],
	['a block that is never closed', 'See:\n```\na\nb', ['a\nb']],
	['a block inside a list', '- item\n  ```\n  a\n    b\n  ```\n', ['a\n  b']],
	[
		'tabs in a block inside a list',
		'- make\n\n  ```\n  all:\n  \tcc x.c\n  ```',
		['all:\n\tcc x.c'],
	],
	['inline code of three backticks', '```not a fence``` but text', []],
	['an indented fence as an example', '```md\n    ```\na\n```', ['    ```\na']],
];

describe('the code blocks of a text', () => {
	test.each(rows)('with %s', (_, markdown, blocks) => {
		expect(findCodeBlocks(markdown).map(({code}) => code)).toEqual(blocks);
	});

	test('take time linear in the text', {tags: ['cost']}, () => {
		expectLinearCost((size) => {
			findCodeBlocks(`${'> '.repeat(size)}\n${'`'.repeat(2 * size)}\n${'- '.repeat(size)}`);
		}, 3_000);
	});

	const swallowed = '```js\nA\n```\n\nThen:\n\n```py\nB\n```';
	const long = 'a line of code in a quote that goes on and on\n> '.repeat(400);

	test.each([
		['a block after code that is indented', '    ```\n    a\n    ```\n\n```\nb\n```'],
		['a fence that the end of a quote closes', '> ```\n> a\n\n```\nb\n```'],
		['a list in a list', '- one\n  - two\n    ```\n    a\n    ```\n- three\n  ```\n  b\n  ```'],
		['HTML without a blank line', '<details>\n```\na\n```\n</details>\n\n```\nb\n```'],
		['HTML of any name without a blank line', `First:\n\n<br>\n${swallowed}`],
		['a script with a fence', `<script>\n\n${swallowed}\n</script>\n\n${swallowed}`],
		['a comment with a fence', `<!--\n\n${swallowed}\n-->\n\n${swallowed}`],
		['a formula with a fence', `$$\n${swallowed.slice(0, 11)}$$\n\n${swallowed}`],
		['a quote that is cut', `> \`\`\`js\n> ${long}\`\`\`\n\n${swallowed}`],
		['invisible characters before a fence', `\ufeff${swallowed}\n\u200b${swallowed}`],
	])('are those that the screen shows, with %s', (_, markdown) => {
		const shown: Array<{readonly number: number; readonly lines: string[]}> = [];
		let isOpen = false;
		for (const row of renderMarkdown(markdown, {...plainOptions, width: 60}).map(visible)) {
			const text = row.replace(/^[•◦│ ]+/, '');
			const number = /─ (\d+)$/.exec(text)?.[1];
			if (number !== undefined) shown.push({number: Number(number), lines: []});
			else if (isOpen && !/^─+$/.test(text)) shown.at(-1)?.lines.push(text);
			isOpen = number !== undefined || (isOpen && !/^─+$/.test(text));
		}
		expect(shown.length).toBeGreaterThan(0);
		const blocks = findCodeBlocks(markdown).map(({code}, index) => ({
			number: index + 1,
			lines: code === '' ? [] : code.split('\n').map((line) => line.trim()),
		}));
		expect(blocks).toEqual(shown);
	});

	test.each([
		['Python title="a.py"', 'python'],
		['{.rust .numbered}', 'rust'],
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
