/** Prompt template settings. */
import {ChatError} from '../../errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../json.ts';
import type {MergedSettings} from './merge.ts';
import {toKey} from './option-row.ts';
import {
	type ChosenLayer,
	configKeyOf,
	type FlagTexts,
	fieldNames,
	type SettingName,
} from './settings.ts';

export type TemplateLayer = Omit<ChosenLayer, 'values'> & {
	readonly values: Readonly<
		Partial<Record<SettingName, {readonly key: string; readonly json: JsonValue}>>
	>;
};

/**
 * Settings allowed in templates. Threat: a foreign template choosing the service, which gets the prompt
 * and the key, a program, or what runs without a question: an allowed tool, a search of the web.
 */
const templateSettings = [
	'model',
	'system',
	...fieldNames,
	'tools',
	'toolChoice',
	'responseFormat',
	'jsonSchema',
	'schemaRepairs',
	'extract',
	'extractBlock',
] as const satisfies readonly SettingName[];

const settingOfKey: ReadonlyMap<string, SettingName> = new Map(
	templateSettings.map((name) => [keyOf(name), name]),
);

/** Models and tools from other programs, whose names mean nothing here. */
const isForeign: Partial<Record<SettingName, (value: JsonValue) => boolean>> = {
	model: (value) => ['inherit', 'default', 'sonnet', 'opus', 'haiku'].includes(String(value)),
	tools: (value) => [value].flat().every((name) => !/[./\\]/.test(String(name))),
};

/** Template keys other than settings. */
const ownKeys: readonly string[] = [
	'name',
	'description',
	'argument-hint',
	'params',
	'files',
	'options',
];

/**
 * Reads settings from front matter, including its `options`.
 *
 * @throws {ChatError} `data` unless `options` is an object: a text could name a file
 */
export function createTemplateLayer(
	{options, ...others}: JsonObject,
	place: Pick<TemplateLayer, 'location' | 'directory'>,
): TemplateLayer {
	if (options !== undefined && options !== null && !isJsonObject(options)) {
		throw new ChatError('data', `options ${place.location} must be an object of fields`);
	}
	const inner = Object.entries(options ?? {});
	const fields = inner.filter(([key]) => findSetting(key) === undefined);
	const values: Partial<Record<SettingName, {key: string; json: JsonValue}>> = {};
	if (fields.length > 0) values.option = {key: 'options', json: Object.fromEntries(fields)};
	for (const [key, json] of [...inner, ...Object.entries(others)]) {
		const name = findSetting(key);
		if (name === undefined || json === null || isForeign[name]?.(json)) continue;
		values[name] = {key, json};
	}
	return {...place, source: 'template', values};
}

/** Returns front matter for these flags, without `options`. */
export function createFrontMatter({settings, texts}: MergedSettings, flags: FlagTexts): JsonObject {
	const entries = templateSettings.flatMap((name): ReadonlyArray<readonly [string, JsonValue]> => {
		const value = name === 'system' ? texts.system.at(-1) : settings[name];
		if (flags[name] === undefined || value === undefined) return [];
		return [[keyOf(name), Array.isArray(value) && value.length === 1 ? value[0] : value]];
	});
	return Object.fromEntries(entries);
}

export function isTemplateSetting(name: string): boolean {
	return templateSettings.some((known) => known === name);
}

/** Returns front matter keys without effect. */
export function findIgnoredKeys(frontMatter: JsonObject): readonly string[] {
	return Object.entries(frontMatter).flatMap(([key, value]) => {
		const name = findSetting(key);
		const hasEffect = name === undefined ? ownKeys.includes(key) : !isForeign[name]?.(value);
		return hasEffect ? [] : key;
	});
}

function findSetting(key: string): SettingName | undefined {
	return settingOfKey.get(toKey(key));
}

function keyOf(name: SettingName): string {
	return configKeyOf(name) ?? toKey(name);
}
