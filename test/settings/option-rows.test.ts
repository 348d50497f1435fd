import {Command, Option} from 'commander';
import {describe, expect, test} from 'vitest';
import {addOptions, takesValue} from '../../src/cli/option-flags.ts';
import type {OptionRow} from '../../src/settings/option-row.ts';
import {configKeyOf, configKeys, optionRows, settingNames} from '../../src/settings/option-rows.ts';

const rows: ReadonlyArray<readonly [string, OptionRow<unknown>]> = settingNames.map((name) => [
	name,
	optionRows[name],
]);

const spellings = rows.flatMap(([, {flags}]) =>
	flags.flatMap((flag) => flag.split(/[ ,]+/).filter((word) => word.startsWith('-'))),
);

function withoutRepeats<Value>(values: readonly Value[]): readonly Value[] {
	return [...new Set(values)];
}

describe('the table of options', () => {
	test('has every flag once', () => {
		expect(spellings).toEqual(withoutRepeats(spellings));
		expect(spellings).not.toContain('--help');
		expect(spellings).not.toContain('-h');
		expect(spellings).not.toContain('-V');
	});

	test('has every variable once', () => {
		const variables = rows.flatMap(([, {variable}]) => variable ?? []);
		expect(variables).toEqual(withoutRepeats(variables));
	});

	test.each(rows)('%s has a variable named for it, if it has one', (name, {variable}) => {
		const expected = `CHAT_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
		expect([expected, undefined]).toContain(variable);
	});

	test.each(settingNames)('%s has its long flag as its key in the config file, or none', (name) => {
		const {flags}: OptionRow<unknown> = optionRows[name];
		const key = configKeyOf(name);
		if (key === undefined || flags.length === 0) return;
		expect(spellings).toContain(`--${key}`);
		expect(flags.join(' ')).toContain(`--${key}`);
	});

	test('has a key for what is meant for many runs, and for nothing else', () => {
		const keys = [...configKeys.keys()];
		expect(keys).toEqual(withoutRepeats(keys));
		expect(keys).toEqual(
			expect.arrayContaining(['base-url', 'model', 'family', 'max-tokens', 'tools']),
		);
		for (const name of ['image', 'file', 'stdin', 'extract', 'profile', 'allowTool'] as const) {
			expect(configKeyOf(name)).toBeUndefined();
		}
	});

	test.each(rows)('%s can be set by something', (_, {flags, variable}) => {
		expect(flags.length + (variable === undefined ? 0 : 1)).toBeGreaterThan(0);
	});

	test.each(rows)('%s is what commander calls it', (name, {flags}) => {
		const names = flags.map((flag) => new Option(flag).attributeName());
		expect(names).toEqual(flags.map(() => name));
	});

	test.each(rows)('%s has a group, and a summary of one short line', (_, row) => {
		const groups = ['Request', 'Input', 'Output', 'Service', 'Time limits'];
		expect(groups).toContain(row.group);
		for (const summary of [row.summary, row.offSummary ?? 'none']) {
			expect(summary).toMatch(/^[^\n]{3,80}$/);
			expect(summary).not.toMatch(/\.$/);
		}
	});

	test.each(rows)('%s takes no optional value, which would eat the prompt', (_, {flags}) => {
		expect(flags.filter((flag) => flag.includes('['))).toEqual([]);
	});

	test('has no flag that takes a secret', () => {
		expect(spellings.filter((flag) => /key$|token$|password/.test(flag))).toEqual([]);
	});

	test('has a flag of its own name for every field of a request', () => {
		const fields = [
			'model',
			'stream',
			'temperature',
			'top-p',
			'max-tokens',
			'tools',
			'tool-choice',
			'response-format',
		];
		expect(spellings).toEqual(expect.arrayContaining(fields.map((field) => `--${field}`)));
	});

	test('gives every flag to commander', () => {
		const {options} = addOptions(new Command());
		const known = options.flatMap(({short, long}) => [short, long].filter((flag) => flag));
		expect(new Set(known)).toEqual(new Set(spellings));
	});
});

describe('the flags that take the next argument', () => {
	test.each(['-m', '--model', '--image', '--max-tokens', '-f'])('%s does', (flag) => {
		expect(takesValue(flag)).toBe(true);
	});

	test.each(['-q', '--quiet', '--no-stdin', '--stream', '--mode', '--nonsense'])(
		'%s does not',
		(flag) => {
			expect(takesValue(flag)).toBe(false);
		},
	);
});
