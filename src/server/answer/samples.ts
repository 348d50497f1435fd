/** Markdown and code samples, by the words that prompts use for them. */

export const markdownSamples: Readonly<Record<string, string>> = {
	heading: '# One\n\n## Two\n\n### Three\n\n#### Four\n\n##### Five\n\n###### Six',
	bold: 'Some **bold**, some *italic*, some ***both***, some ~~struck~~, some `inline code`, and a literal \\*star\\*.',
	'bullet list':
		'- First\n- Second, with a line long enough to be wrapped on a narrow terminal, so that its hanging indent can be seen\n  - Nested\n    - Deeper\n- Third',
	'numbered list': '1. First\n2. Second\n   1. Nested\n   2. Nested too\n3. Third',
	'task list': '- [x] Done\n- [ ] Not yet',
	table:
		'| Language | Year | Typing |\n| :--- | ---: | :---: |\n| Python | 1991 | dynamic |\n| TypeScript | 2012 | static |\n| 日本語 🙂 | 0 | `wide` |',
	quote: '> A quote of two lines,\n> the second of them **bold**.\n>\n> > And one inside.',
	'code block':
		'```python\ndef add(a, b):\n    return a + b  # a comment\n```\n\n    indented code is code too',
	link: 'A [link](https://example.com "with a title"), and a bare one: <https://example.com/a?b=c>.',
	'image syntax': '![A red square](https://example.com/square.png)',
	'horizontal rule': 'Above the line.\n\n---\n\nBelow the line.',
	footnote: 'A claim.[^1]\n\n[^1]: And its footnote.',
	math: 'Inline $e^{i\\pi} + 1 = 0$, and on its own:\n\n$$\n\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}\n$$',
	'inline html': 'Press <kbd>Enter</kbd>, or<br>do not. &copy; &lt;nobody&gt;',
	emoji: 'A smile 🙂, a family 👩‍👩‍👧‍👦, a flag 🇨🇦, a thumb 👍🏽, and an accent: é.',
};

/** Samples by language, as written after the fence. */
export const codeSamples: Readonly<Record<string, string>> = {
	python:
		'def fibonacci(n: int) -> list[int]:\n    """The first n Fibonacci numbers."""\n    numbers = [0, 1]\n    while len(numbers) < n:\n        numbers.append(numbers[-1] + numbers[-2])\n    return numbers[:n]\n\n\nprint(fibonacci(10))',
	typescript:
		'function greet(name: string): string {\n\treturn "Hello, " + name + "!";\n}\n\nconsole.log(greet("Ada"));',
	javascript:
		'const sum = (...numbers) => numbers.reduce((total, n) => total + n, 0);\n\nconsole.log(sum(1, 2, 3)); // 6',
	bash: '#!/usr/bin/env bash\nset -euo pipefail\n\nfor file in *.txt; do\n  printf \'%s: %s lines\\n\' "$file" "$(wc -l < "$file")"\ndone',
	json: '{\n  "name": "Ada",\n  "born": 1815,\n  "languages": ["English", "French"],\n  "isReal": true\n}',
	html: '<!doctype html>\n<html lang="en">\n  <head><title>Hello</title></head>\n  <body><p>Hello &amp; welcome.</p></body>\n</html>',
	sql: "SELECT name, COUNT(*) AS orders\nFROM customers\nJOIN orders USING (customer_id)\nWHERE created_at >= '2026-01-01'\nGROUP BY name\nORDER BY orders DESC;",
	rust: 'fn main() {\n    let total: u32 = (1..=10).filter(|n| n % 2 == 0).sum();\n    println!("{total}");\n}',
	go: 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfor i := 0; i < 3; i++ {\n\t\tfmt.Println("step", i)\n\t}\n}',
	diff: '--- a/greeting.txt\n+++ b/greeting.txt\n@@ -1,2 +1,2 @@\n-Hello, word\n+Hello, world\n How are you?',
};
