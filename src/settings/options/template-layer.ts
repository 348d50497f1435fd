/** The settings that a prompt template brings along. */
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

/** The settings of a template as it has them. */
export type TemplateLayer = Omit<ChosenLayer, 'values'> & {
	readonly values: Readonly<
		Partial<Record<SettingName, {readonly key: string; readonly json: JsonValue}>>
	>;
};

/**
 * The settings that a template may have. Threat: a template from elsewhere that chooses the service, so
 * that it gets the prompt and the key, or a program, or a tool that runs without a question.
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

/** The models and tools of other programs, by names that mean nothing here. */
const isForeign: Partial<Record<SettingName, (value: JsonValue) => boolean>> = {
	model: (value) => ['inherit', 'default', 'sonnet', 'opus', 'haiku'].includes(String(value)),
	tools: (value) => [value].flat().every((name) => !/[./\\]/.test(String(name))),
};

/** Keys of a template that are not settings. */
const ownKeys: readonly string[] = [
	'name',
	'description',
	'argument-hint',
	'params',
	'files',
	'options',
];

/**
 * Reads the settings in the front matter. Those in its `options` count too.
 *
 * @throws {ChatError} `data` for `options` that are not an object: a text could name a file
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

/** Returns the settings of these flags as front matter, without `options`. */
export function createFrontMatter({settings, texts}: MergedSettings, flags: FlagTexts): JsonObject {
	const entries = templateSettings.flatMap((name): ReadonlyArray<readonly [string, JsonValue]> => {
		const value = name === 'system' ? texts.system.at(-1) : settings[name];
		if (flags[name] === undefined || value === undefined) return [];
		return [[keyOf(name), Array.isArray(value) && value.length === 1 ? value[0] : value]];
	});
	return Object.fromEntries(entries);
}

/** Whether a template can have a setting. */
export function isTemplateSetting(name: string): boolean {
	return templateSettings.some((known) => known === name);
}

/** Returns the keys of the front matter that have no effect. */
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
