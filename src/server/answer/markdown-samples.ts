/** One sample of each construct of Markdown, for people who test how it is shown. */

export type MarkdownSample = {
	readonly name: string;
	/** How prompts name it. */
	readonly pattern: RegExp;
	readonly sample: string;
};

export const markdownSamples: readonly MarkdownSample[] = [
	{
		name: 'Headings',
		pattern: /\bhead(?:ing|line|er)s?\b/i,
		sample: '# One\n\n## Two\n\n### Three\n\n#### Four\n\n##### Five\n\n###### Six',
	},
	{
		name: 'Emphasis',
		pattern: /\b(?:emphasis|bold|italics?|strikethrough|inline code)\b/i,
		sample:
			'Some **bold**, some *italic*, some ***both***, some ~~struck~~, some `inline code`, and a literal \\*star\\*.',
	},
	{
		name: 'Bullet list',
		pattern:
			/\b(?:bullet(?:ed)? (?:list|points?)|bullets|unordered list|nested list|an? list|lists)\b/i,
		sample:
			'- First\n- Second, with a line long enough to be wrapped on a narrow terminal, so that its hanging indent can be seen\n  - Nested\n    - Deeper\n- Third',
	},
	{
		name: 'Numbered list',
		pattern: /\b(?:numbered|ordered) list\b/i,
		sample: '1. First\n2. Second\n   1. Nested\n   2. Nested too\n3. Third',
	},
	{
		name: 'Task list',
		pattern: /\b(?:task|check|todo) ?list\b|\bcheckbox(?:es)?\b/i,
		sample: '- [x] Done\n- [ ] Not yet',
	},
	{
		name: 'Table',
		pattern: /\btables?\b/i,
		sample:
			'| Language | Year | Typing |\n| :--- | ---: | :---: |\n| Python | 1991 | dynamic |\n| TypeScript | 2012 | static |\n| 日本語 🙂 | 0 | `wide` |',
	},
	{
		name: 'Quote',
		pattern: /\b(?:block ?)?quotes?\b|\bquotation\b/i,
		sample: '> A quote of two lines,\n> the second of them **bold**.\n>\n> > And one inside.',
	},
	{
		name: 'Code block',
		pattern: /\bcode ?(?:block|fence)s?\b/i,
		sample:
			'```python\ndef add(a, b):\n    return a + b  # a comment\n```\n\n    indented code is code too',
	},
	{
		name: 'Link',
		pattern: /\b(?:hyper)?links?\b/i,
		sample:
			'A [link](https://example.com "with a title"), and a bare one: <https://example.com/a?b=c>.',
	},
	{
		name: 'Image',
		pattern: /\b(?:markdown image|image syntax)\b/i,
		sample: '![A red square](https://example.com/square.png)',
	},
	{
		name: 'Rule',
		pattern: /\b(?:horizontal rule|divider|separator)\b/i,
		sample: 'Above the line.\n\n---\n\nBelow the line.',
	},
	{
		name: 'Footnote',
		pattern: /\bfootnotes?\b/i,
		sample: 'A claim.[^1]\n\n[^1]: And its footnote.',
	},
	{
		name: 'Math',
		pattern: /\b(?:latex|math formula|equation)s?\b/i,
		sample:
			'Inline $e^{i\\pi} + 1 = 0$, and on its own:\n\n$$\n\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}\n$$',
	},
	{
		name: 'Inline HTML',
		pattern: /\binline html\b/i,
		sample: 'Press <kbd>Enter</kbd>, or<br>do not. &copy; &lt;nobody&gt;',
	},
	{
		name: 'Emoji',
		pattern: /\bemojis?\b/i,
		sample: 'A smile 🙂, a family 👩‍👩‍👧‍👦, a flag 🇨🇦, a thumb 👍🏽, and an accent: é.',
	},
];
