/** One of everything, nested where it hurts, and what the tests measure rows with. */
import stringWidth from 'string-width';
import {placeBlocks, topPosition} from '../../../src/terminal/markdown/render/blocks.ts';
import {createRowWriter} from '../../../src/terminal/markdown/render/span.ts';
import {createDefinitions, lexBlocks} from '../../../src/terminal/markdown/stream/lexer.ts';
import {createNotes} from '../../../src/terminal/markdown/stream/notes.ts';
import {
	createMarkdownStreamer,
	type MarkdownOptions,
} from '../../../src/terminal/markdown/stream/streamer.ts';

/** Without colours; weights there are. */
export const plainOptions: MarkdownOptions = {
	width: 80,
	hasColor: false,
	hasLinks: false,
	codeLabel: '',
};
export const richOptions: MarkdownOptions = {...plainOptions, hasColor: true, hasLinks: true};

export const sample = `# Title with *emphasis* and \`code\`

[early]: https://early.example/path "t"

First paragraph with **bold**, _italic_, ~~gone~~, a [link](https://example.com/a), [early] and
<https://auto.example>. A second line &amp; an entity &copy; and a hard break\\
here. https://bare.example/?q=1&x=2.

Setext heading
==============

- one
- two
  - nested \`a\` [l](https://e.example)
    - deeper **b**
- three

  loose paragraph

  \`\`\`js
  const a = 1;
  \`\`\`
- [ ] open task
- [x] done task

7. seven
8. eight
9. nine
10. ten

> quote line one
lazy line
> > nested quote
> - list in quote
>
> \`\`\`
> code in quote
> \`\`\`

| Name | 数量 | Note |
|:-----|----:|:----:|
| 苹果 | 3 | 很好吃的水果,可以每天吃一个,对身体很好 |
| Emoji 🎉 👨‍👩‍👧 | 12 | \`code\` **b** <br> second |

\`\`\`python
def f(x):
    """doc
    more"""
	return x  # tab
\`\`\`

~~~~
\`\`\`
inner
~~~~

---

<div class="x">
html &amp; text
</div>

![alt text](https://example.com/i.png) and ![](data:image/png;base64,AAAA)

Math $a_1*b*c$ and \\(x_{2}\\) costs $5 or $10. Footnote[^1].

[^1]: The note.

    indented code
	with a tab

長い段落です。日本語の文章は空白なしで続きます。「括弧」も、句読点も、行頭に来てはいけません。ええ、そうですとも。

Unfinished **bold and \`code
\`\`\`ts
const unfinished = 'fence`;

/** Rows of the whole source lexed at once, without any of the streaming. */
export function renderWhole(source: string, options: MarkdownOptions): readonly string[] {
	const lexed = lexBlocks(source, createDefinitions());
	const {rows} = placeBlocks(lexed.blocks, lexed, topPosition, {...options, notes: createNotes()});
	return rows.map(createRowWriter(options));
}

/** All rows of a source that arrives in these pieces. */
export function stream(pieces: readonly string[], options: MarkdownOptions): readonly string[] {
	const streamer = createMarkdownStreamer(options);
	return [...pieces.flatMap((piece) => streamer.push(piece)), ...streamer.end()];
}

/** A row with private characters for ESC and BEL, which are easier to look for. */
export function spell(row: string): string {
	return row.replaceAll('\x1b', '\ue000').replaceAll('\x07', '\ue001');
}

/** Returns the visible text of a row, without the sequences that we write. */
export function visible(row: string): string {
	return spell(row).replace(/\ue000(?:\[\d{1,2}m|\]8;;[!-~]*\ue001)/g, '');
}

export function tooWide(rows: readonly string[], width: number): readonly string[] {
	return rows.filter((row) => stringWidth(visible(row)) > width);
}
