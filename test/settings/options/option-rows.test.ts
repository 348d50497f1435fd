import {describe, expect, test} from 'vitest';
import {flagsOf} from '../../../src/cli/command-line/command.ts';
import type {OptionRow} from '../../../src/settings/options/option-row.ts';
import {optionRows} from '../../../src/settings/options/option-rows.ts';
import {
	configKeyOf,
	configKeys,
	type SettingName,
	settingNames,
} from '../../../src/settings/options/settings.ts';

const rows: ReadonlyArray<readonly [SettingName, OptionRow<unknown>]> = settingNames.map((name) => [
	name,
	optionRows[name],
]);

function spell(flags: readonly string[]): readonly string[] {
	return flags.flatMap((flag) => flag.split(/[ ,]+/).filter((word) => word.startsWith('-')));
}

const spellings = rows.flatMap(([, {flags}]) => spell(flags));

/** Returns the rules that a row breaks. */
function findFaults(name: SettingName, row: OptionRow<unknown>): readonly string[] {
	const {flags, variable, summary, negatedSummary = summary} = row;
	const key = configKeyOf(name);
	const rules: Readonly<Record<string, boolean>> = {
		'can be set by nothing': flags.length > 0 || key !== undefined,
		'has a long flag of another name': flagsOf({[name]: row}).every(
			({long}) =>
				long.replace(/^no-/, '').replace(/-./g, (part) => part.slice(1).toUpperCase()) === name,
		),
		'takes an optional value, which would eat the prompt': !flags.join().includes('['),
		'has a variable of another name':
			variable === undefined ||
			variable === `CHAT_${(key ?? name).replaceAll('-', '_').toUpperCase()}`,
		'has a key that is not its long flag':
			[undefined, row.key].includes(key) || flags.length === 0 || spell(flags).includes(`--${key}`),
		'is a switch that a file turns on, and no flag turns off':
			key === undefined || row.defaultValue !== false || flags.join().includes('--no-'),
		'has a summary that is not one short line without a full stop': [summary, negatedSummary].every(
			(text) => /^[^\n]{2,79}[^\n.]$/.test(text),
		),
	};
	return Object.keys(rules).flatMap((rule) => (rules[rule] ? [] : [`${name} ${rule}`]));
}

describe('the table of options', () => {
	test('follows its rules in every row', () => {
		expect(rows.flatMap(([name, row]) => findFaults(name, row))).toEqual([]);
	});

	test('has every flag, variable and key once', () => {
		const variables = rows.flatMap(([, {variable}]) => variable ?? []);
		for (const names of [spellings, variables, [...configKeys.keys()]]) {
			expect(names).toEqual([...new Set(names)]);
		}
		expect(spellings).not.toContain('--help');
		expect(spellings).not.toContain('-h');
		expect(spellings).not.toContain('-V');
	});

	test('has no flag that takes a secret', () => {
		expect(spellings.filter((flag) => /key$|token$|password/.test(flag))).toEqual([]);
	});
});
