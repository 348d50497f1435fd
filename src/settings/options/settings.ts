/** The settings by name: their types, and their keys in the config file. */
import type {JsonValue} from '../../json.ts';
import {fieldRows} from './field-rows.ts';
import {type OptionRow, toKey} from './option-row.ts';
import {optionRows} from './option-rows.ts';

export type SettingName = keyof typeof optionRows;

export const settingNames = Object.keys(optionRows) as readonly SettingName[];

export function rowOf(name: SettingName): OptionRow<unknown> {
	return optionRows[name];
}

/** Returns the text with a path in it made absolute. */
export function resolvePathIn(text: string, name: SettingName, directory: string): string {
	return rowOf(name).resolvePath?.(text, directory) ?? text;
}

/** Returns the key in the config file: `max-tokens`. Undefined for a setting of a single run. */
export function configKeyOf(name: SettingName): string | undefined {
	const {variable, isInFile = variable !== undefined, key} = rowOf(name);
	if (!isInFile) return undefined;
	return key ?? toKey(name);
}

/** The settings that the config file may hold, by key. */
export const configKeys: ReadonlyMap<string, SettingName> = new Map(
	settingNames.flatMap((name) => {
		const key = configKeyOf(name);
		return key === undefined ? [] : [[key, name] as const];
	}),
);

export type FieldName = keyof typeof fieldRows;

/** The settings that go out as a field of the request, as they are. */
export const fieldNames = Object.keys(fieldRows) as readonly FieldName[];

export function pickFields<From extends Readonly<Partial<Record<FieldName, unknown>>>>(
	from: From,
): Pick<From, FieldName> {
	return Object.fromEntries(fieldNames.map((name) => [name, from[name]])) as Pick<From, FieldName>;
}

type ValueOf<Row> = Row extends OptionRow<infer Value> ? Value : never;

/** The options of a run, merged and checked. */
export type Settings = {readonly [Name in SettingName]: ValueOf<(typeof optionRows)[Name]>};

/** The texts given to each flag, in order; a switch gets `true` or `false`. */
export type FlagTexts = Partial<Record<SettingName, readonly string[]>>;

/** The settings of a conversation or a template that the command line names. */
export type ChosenLayer = {
	readonly source: 'session' | 'template';
	/** Where it is, for messages: `in /home/ada/.config/chat/templates/review.md`. */
	readonly location: string;
	/** The base of relative paths. */
	readonly directory: string;
	readonly values: Readonly<Partial<Record<SettingName, PlacedValue>>>;
};

/** A value with its key in a file. */
export type PlacedValue = {
	readonly key: string;
} /** For its row to read; null is the default. */ & (
	| {readonly json: JsonValue}
	/** The setting itself. */
	| {readonly setting: Settings[SettingName]}
);
