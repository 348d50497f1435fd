/** Settings by name: types and config file keys. */
import type {JsonValue} from '../../json.ts';
import {fieldRows} from './field-rows.ts';
import {type OptionRow, toKey} from './option-row.ts';
import {optionRows} from './option-rows.ts';

export type SettingName = keyof typeof optionRows;

export const settingNames = Object.keys(optionRows) as readonly SettingName[];

export function rowOf(name: SettingName): OptionRow<unknown> {
	return optionRows[name];
}

export function resolvePathIn(text: string, name: SettingName, directory: string): string {
	return rowOf(name).resolvePath?.(text, directory) ?? text;
}

/** Returns the config file key: `max-tokens`. Undefined for a flag that only affects one run. */
export function configKeyOf(name: SettingName): string | undefined {
	const {variable, isInFile = variable !== undefined, key} = rowOf(name);
	if (!isInFile) return undefined;
	return key ?? toKey(name);
}

export const configKeys: ReadonlyMap<string, SettingName> = new Map(
	settingNames.flatMap((name) => {
		const key = configKeyOf(name);
		return key === undefined ? [] : [[key, name] as const];
	}),
);

export type FieldName = keyof typeof fieldRows;

export const fieldNames = Object.keys(fieldRows) as readonly FieldName[];

export function pickFields<From extends Readonly<Partial<Record<FieldName, unknown>>>>(
	from: From,
): Pick<From, FieldName> {
	return Object.fromEntries(fieldNames.map((name) => [name, from[name]])) as Pick<From, FieldName>;
}

type ValueOf<Row> = Row extends OptionRow<infer Value> ? Value : never;

/** Options, merged and checked. */
export type Settings = {readonly [Name in SettingName]: ValueOf<(typeof optionRows)[Name]>};

/** Texts given to each flag, in order; a switch gets `true` or `false`. */
export type FlagTexts = Partial<Record<SettingName, readonly string[]>>;

/** Settings from a conversation or template named on the command line. */
export type ChosenLayer = {
	readonly source: 'session' | 'template';
	/** The place in messages: `in /home/ada/.config/chat/templates/review.md`. */
	readonly location: string;
	readonly directory: string;
	readonly values: Readonly<Partial<Record<SettingName, PlacedValue>>>;
};

/**
 * A key in a file with JSON for its row to read, or with the final value. In a conversation, null means
 * the default.
 */
export type PlacedValue = {
	readonly key: string;
	/** The only service that the value is for. */
	readonly baseUrl?: string;
} & ({readonly json: JsonValue} | {readonly setting: Settings[SettingName]});
