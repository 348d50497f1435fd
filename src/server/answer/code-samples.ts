/** A small program in each of many languages, for prompts that ask for code. */

export type CodeSample = {
	/** As it stands after the fence. */
	readonly language: string;
	/** How prompts name it. */
	readonly pattern: RegExp;
	readonly code: string;
};

export const codeSamples: readonly CodeSample[] = [
	{
		language: 'python',
		pattern: /\bpython\b/i,
		code: 'def fibonacci(n: int) -> list[int]:\n    """The first n Fibonacci numbers."""\n    numbers = [0, 1]\n    while len(numbers) < n:\n        numbers.append(numbers[-1] + numbers[-2])\n    return numbers[:n]\n\n\nprint(fibonacci(10))',
	},
	{
		language: 'typescript',
		pattern: /\b(?:typescript|ts)\b/i,
		code: 'function greet(name: string): string {\n\treturn "Hello, " + name + "!";\n}\n\nconsole.log(greet("Ada"));',
	},
	{
		language: 'javascript',
		pattern: /\b(?:javascript|js|node)\b/i,
		code: 'const sum = (...numbers) => numbers.reduce((total, n) => total + n, 0);\n\nconsole.log(sum(1, 2, 3)); // 6',
	},
	{
		language: 'bash',
		pattern: /\b(?:bash|shell|sh|zsh)\b/i,
		code: '#!/usr/bin/env bash\nset -euo pipefail\n\nfor file in *.txt; do\n  printf \'%s: %s lines\\n\' "$file" "$(wc -l < "$file")"\ndone',
	},
	{
		language: 'json',
		pattern: /\bjson\b/i,
		code: '{\n  "name": "Ada",\n  "born": 1815,\n  "languages": ["English", "French"],\n  "isReal": true\n}',
	},
	{
		language: 'yaml',
		pattern: /\byaml\b/i,
		code: 'name: Ada\nborn: 1815\nlanguages:\n  - English\n  - French',
	},
	{
		language: 'html',
		pattern: /\bhtml\b/i,
		code: '<!doctype html>\n<html lang="en">\n  <head><title>Hello</title></head>\n  <body><p>Hello &amp; welcome.</p></body>\n</html>',
	},
	{
		language: 'css',
		pattern: /\bcss\b/i,
		code: '.note {\n  color: #333;\n  padding: 0.5rem 1rem;\n}',
	},
	{
		language: 'sql',
		pattern: /\bsql\b/i,
		code: "SELECT name, COUNT(*) AS orders\nFROM customers\nJOIN orders USING (customer_id)\nWHERE created_at >= '2026-01-01'\nGROUP BY name\nORDER BY orders DESC;",
	},
	{
		language: 'rust',
		pattern: /\brust\b/i,
		code: 'fn main() {\n    let total: u32 = (1..=10).filter(|n| n % 2 == 0).sum();\n    println!("{total}");\n}',
	},
	{
		language: 'go',
		pattern: /\b(?:golang|in go|go (?:code|function|program))\b/i,
		code: 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfor i := 0; i < 3; i++ {\n\t\tfmt.Println("step", i)\n\t}\n}',
	},
	{
		language: 'java',
		pattern: /\bjava\b/i,
		code: 'public class Hello {\n    public static void main(String[] args) {\n        System.out.println("Hello, world");\n    }\n}',
	},
	{
		language: 'cpp',
		pattern: /\bc\+\+|\bcpp\b/i,
		code: '#include <iostream>\n\nint main() {\n    std::cout << "Hello, world\\n";\n}',
	},
	{
		language: 'c',
		pattern: /\b(?:in c|c (?:code|program|function))\b(?![+#])/i,
		code: '#include <stdio.h>\n\nint main(void) {\n    puts("Hello, world");\n    return 0;\n}',
	},
	{
		language: 'ruby',
		pattern: /\bruby\b/i,
		code: '%w[red green blue].each_with_index do |color, index|\n  puts "#{index}: #{color}"\nend',
	},
	{
		language: 'diff',
		pattern: /\b(?:diff|patch)\b/i,
		code: '--- a/greeting.txt\n+++ b/greeting.txt\n@@ -1,2 +1,2 @@\n-Hello, word\n+Hello, world\n How are you?',
	},
];

/** A sample as a fenced block. */
export function fence({language, code}: CodeSample): string {
	return `\`\`\`${language}\n${code}\n\`\`\``;
}
