/** Tab in real shells. Nothing that was typed is run. */
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {quoteRest} from '../../src/cli/commands/completion/typed-words.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';
import {runChat} from '../helpers/run-chat.ts';
import {openTerminal, type ProcessTerminal} from '../helpers/terminal.ts';

const conversation = 'name $(touch PWNED) it\'s "odd": more';

/** Fills the home folder of a shell with one of each. */
async function furnish(home: string): Promise<void> {
	const folders = ['.config/chat/templates', '.cache/chat', 'my files'];
	for (const folder of folders) mkdirSync(join(home, folder), {recursive: true});
	const write = (path: string, text: string) => writeFileSync(join(home, path), text);
	write('.config/chat/config.json', '{"base-url": "ollama:", "profiles": {"work": {}}}');
	write('.config/chat/templates/review.md', '---\ndescription: Reviews a diff\n---\n$ARGUMENTS');
	const models = {'http://127.0.0.1:11434/v1': ['llama3.2:latest', 'qwen3:4b', 'qwen3:8b']};
	write('.cache/chat/offered-models.json', JSON.stringify(models));
	write('notes.txt', '');
	const messages = [
		{role: 'user', content: conversation},
		{role: 'assistant', content: 'ok'},
	];
	const stdin = JSON.stringify({messages});
	const imported = await runChat(['sessions', 'import', '-'], {home, stdin, platform: 'linux'});
	expect(imported.exitCode).toBe(0);
}

/** Moves the cursor back into the line. */
const left = '\u001b[D';

type Case = readonly [typed: string, shown: string | RegExp];

/** Typed lines, each with Tab at its end, and what they then look like. */
const cases: readonly Case[] = [
	['true | chat --profile w', 'true | chat --profile work '],
	['chat -m llama3.2:l', 'chat -m llama3.2:latest '],
	['chat --model=llama3.2:l', 'chat --model=llama3.2:latest '],
	['chat -m qw', 'chat -m qwen3:'],
	['chat -f my', 'chat -f my\\ files/'],
	['chat --json-schema=no', 'chat --json-schema=notes.txt '],
	['chat -s "@my f', 'chat -s "@my files/'],
	['chat --tools="my f', /^chat --tools=(?:"my files|my\\ files)"?\/ $/],
	['chat --base-url=openr', /chat --base-url=openrouter: ?$/],
	['chat "two words" --profile w', 'chat "two words" --profile work '],
	[`chat --outp tell${left.repeat(5)}`, /^chat --output {1,2}tell $/],
	['chat a > no', 'chat a > notes.txt '],
	['chat -r "name', /chat -r "name \\\$\(touch PWNED\) it's \\"odd\\": more"/],
	['chat -r name', /chat -r name\\ \\\$\\\(touch\\ PWNED\\\)\\ it\\'s\\ \\"odd\\":\\ more $/],
	// A prompt, whose substitutions nobody runs.
	['chat "explain $(touch PWNED)" --outp', 'chat "explain $(touch PWNED)" --output '],
	['chat -s "$(touch PWNED)" -m llama3.2:l', 'chat -s "$(touch PWNED)" -m llama3.2:latest '],
	['chat "explain $(touch PWNED) no', 'chat "explain $(touch PWNED) no'],
];

const shells = [
	{
		shell: 'bash',
		start: "PS1='$ ' exec bash --norc --noprofile -i",
		setup: `bind 'set bell-style none'; eval "$(chat completion bash)"`,
	},
	{
		shell: 'zsh',
		start: "PS1='$ ' exec zsh -f -i",
		// By default, Tab runs the substitutions of the word before the cursor, for any program.
		setup: "source <(chat completion zsh); bindkey '^I' complete-word",
	},
	{
		shell: 'fish',
		start: 'exec fish --no-config -i',
		setup: "function fish_prompt; echo -n '$ '; end; chat completion fish | source",
	},
];

const isMissing = (program: string) => spawnSync(program, ['--version']).error !== undefined;

/** Types a line with Tab, waits until it looks as expected, and clears it. */
async function complete(terminal: ProcessTerminal, [typed, shown]: Case): Promise<void> {
	terminal.type(`${typed}\t`);
	const isShown = (row: string) => {
		const line = `${row.trimEnd()} `.replace(/^\$ /, '');
		return typeof shown === 'string' ? line.startsWith(shown) : shown.test(line);
	};
	await terminal.until((screen) => screen.split('\n').some(isShown));
	terminal.press('ctrl+e');
	terminal.press('ctrl+u');
	await terminal.until((screen) => /(?:^|\n)\$\s*$/.test(screen));
}

describe.each(shells)('$shell', ({shell, start, setup}) => {
	test.skipIf(isMissing(shell))(
		'completes words of all kinds, and runs nothing that was typed',
		async () => {
			// zsh erases the window from its first cell, if its prompt is there.
			const env = {OLLAMA_HOST: undefined};
			const terminal = await openTerminal({shell: `echo; ${start}`, columns: 100, rows: 30, env});
			const {home} = terminal;
			await furnish(home);
			terminal.type(`${setup}; echo ready\r`);
			await terminal.untilText(/\nready\n\$\s*$/);
			for (const each of cases) await complete(terminal, each);
			expect(existsSync(join(home, 'PWNED'))).toBe(false);
		},
		120_000,
	);
});

const word = fc.string({unit: fc.constantFrom(...' ab\t\n\'"\\$`()|&;<>=:!#~*?{}[]é日')});

fuzzProperty(
	'bash reads a quoted value back',
	1,
	fc.property(fc.array(word, {minLength: 200, maxLength: 300}), (words) => {
		const plain = words.filter((text) => !text.includes('\n') && text !== '');
		const quoted = plain.flatMap((text) => [
			quoteRest(text, ''),
			`'${quoteRest(text, "'")}'`,
			`"${quoteRest(text, '"')}"`,
		]);
		const printed = execFileSync('bash', ['-c', `printf '%s\\n' ${quoted.join(' ')}`], {
			encoding: 'utf8',
		});
		const expected = plain.flatMap((text) => [text, text, text]);
		expect(printed).toBe(expected.map((text) => `${text}\n`).join(''));
	}),
);
