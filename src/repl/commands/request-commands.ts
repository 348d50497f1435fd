/** `/model`, `/system` and `/set`: what the next request asks for. */

import type {ChatOptions} from '../../chat/message.ts';
import {fieldOf} from '../../settings/options/option-row.ts';
import {ValueError} from '../../settings/options/parsers.ts';
import {changeFields, parseFieldChanges} from '../../settings/options/request-fields.ts';
import {fieldNames, rowOf, type SettingName} from '../../settings/options/settings.ts';
import {expandModelName} from '../../settings/service/model-name.ts';
import {printNotice, sequence, type Update, update} from '../action.ts';
import type {Completion} from '../list/menu.ts';
import {printOrShow, showNotice} from '../popup.ts';
import type {ReplState} from '../state.ts';
import {changeConversation} from '../turn/change-conversation.ts';
import type {SlashCommand} from './command.ts';

export const requestCommands: readonly SlashCommand[] = [
	{
		name: 'model',
		group: 'settings',
		parameters: '[name]',
		summary: 'choose another model',
		isBasic: true,
		opensList: true,
		complete: (query) => ({query, source: {type: 'models'}}),
		run: changeModel,
	},
	{
		name: 'set',
		group: 'settings',
		parameters: '[name [value]]',
		summary: 'show, change, reset a setting (name=value: any field)',
		isBasic: true,
		complete: completeSetting,
		run: changeSetting,
	},
	{
		name: 'system',
		group: 'settings',
		parameters: '[text|-]',
		summary: 'show or change the system message; - removes it',
		run: changeSystem,
	},
];

function changeModel(state: ReplState, argument: string): Update {
	if (argument === '') return show(state, `model: ${state.options.model}`);
	if (/\s/.test(argument)) return showNotice(state, 'a model name cannot contain spaces');
	const model = expandModelName(argument, state.family);
	if (model === state.options.model) return showNotice(state, `the model is ${model} already`);
	const next = {...state, options: {...state.options, model}};
	return confirmChange(next, `model changed to ${model}`);
}

function changeSystem(state: ReplState, argument: string): Update {
	if (argument === '') {
		const {system} = state.conversation;
		return show(state, system === '' ? 'no system message is set' : `system: ${system}`);
	}
	if (/^@\S+$/.test(argument)) {
		return showNotice(
			state,
			'a system message is read from a file only at the start, with -s @file',
		);
	}
	const system = argument === '-' ? '' : argument;
	return sequence(
		state,
		(current) => changeConversation(current, {type: 'system-changed', system}),
		(current) =>
			confirmChange(current, system === '' ? 'system message removed' : 'system message set'),
	);
}

function changeSetting(state: ReplState, argument: string): Update {
	if (argument === '') return show(state, describeAll(state.options));
	const [, written = '', sign = '', text = ''] = /^([^\s=]+)(?:(=)|\s+|$)(.*)$/s.exec(argument) ?? [
		argument,
		argument,
	];
	const name = written.replaceAll('-', '_');
	const setting =
		settings.find((candidate) => candidate.name === name) ??
		(sign === '' ? undefined : createField(written));
	if (setting === undefined) {
		const names = settings.map((known) => known.name).join(', ');
		const next = `the settings are ${names}; to set any other field: /set name=value`;
		return showNotice(state, `unknown setting ${written}; ${next}`);
	}
	try {
		const options = setting.change(state.options, text);
		return confirmChange({...state, options}, setting.describe(options));
	} catch (error) {
		if (!(error instanceof ValueError)) throw error;
		return showNotice(state, `${setting.name} is "${text}", but it ${error.message}`);
	}
}

/** Completes a setting's name, then its value. */
function completeSetting(argument: string, {options}: ReplState): Completion {
	const [, name = '', query = ''] = /^([^\s=]+)(?:=|\s+)(.*)$/s.exec(argument) ?? [];
	if (name === '') {
		const values = settings.map((setting) => ({
			text: `${setting.name} `,
			label: setting.name,
			meaning: setting.describe(options).slice(`${setting.name}: `.length),
			isPartial: true,
		}));
		return {query: argument, values};
	}
	const setting = settings.find((known) => known.name === name.replaceAll('-', '_'));
	return {query, values: setting?.values.map((text) => ({text})) ?? []};
}

function describeAll(options: ChatOptions): string {
	const fields = Object.keys(options.extraFields ?? {});
	return [
		`model: ${options.model}`,
		...settings.map((setting) => setting.describe(options)),
		...fields.map((name) => describeField(name, options)),
	].join('\n');
}
/** Prints a change, and when it takes effect. */
export function confirmChange(state: ReplState, text: string): Update {
	const when = state.turn === undefined ? '' : ', from the next prompt on';
	return update(state, printNotice(`${text}${when}`));
}

function show(state: ReplState, text: string): Update {
	return printOrShow(state, {type: 'text', text});
}

/** A request setting, checked by its command line row. */
type Setting = {
	/** The request field's name. */
	readonly name: string;
	/** The values to offer; there may be others. */
	readonly values: readonly string[];
	/** Returns the name and the value. */
	describe(options: ChatOptions): string;
	/**
	 * An empty text resets the setting.
	 *
	 * @throws {ValueError} if the text is not a valid value
	 */
	change(options: ChatOptions, text: string): ChatOptions;
};

const settings: readonly Setting[] = [
	...fieldNames.map((name) => createSetting(name, name)),
	createSetting('responseFormat', 'responseFormat'),
	createSetting('search', 'isSearching'),
	createSetting('stream', 'isStreaming'),
];

/** A field only the service knows. */
function createField(name: string): Setting {
	const [field = ''] = name.split(/(?<!\\)\./);
	return {
		name,
		values: [],
		describe: (options) => describeField(field.replaceAll('\\.', '.'), options),
		change(options, text) {
			const changes = parseFieldChanges(`${name}=${text}`, []);
			if (changes.every((change) => 'value' in change)) {
				return {...options, extraFields: changeFields(options.extraFields ?? {}, changes)};
			}
			throw new ValueError('must be the value itself: files are only read at the start, with -O');
		},
	};
}

function describeField(name: string, {extraFields = {}}: ChatOptions): string {
	const text = Object.hasOwn(extraFields, name) ? JSON.stringify(extraFields[name]) : 'not set';
	return `${name}: ${text}`;
}

function describeValue(value: ChatOptions[SettingKey]): string {
	if (value === undefined || Array.isArray(value)) return value?.join(', ') || 'not set';
	return typeof value === 'object' && 'schema' in value
		? `JSON Schema ${value.name}`
		: String(value);
}

type SettingKey = Exclude<
	keyof ChatOptions,
	'model' | 'toolChoice' | 'extraFields' | 'fieldSources'
>;

function createSetting(setting: SettingName, key: SettingKey): Setting {
	const {defaultValue, values = [], parse} = rowOf(setting);
	const name = fieldOf(setting);
	const words = typeof values === 'string' ? [] : values;
	return {
		name,
		values: typeof defaultValue === 'boolean' ? ['true', 'false'] : words,
		describe({[key]: value}) {
			return `${name}: ${describeValue(value)}`;
		},
		change: (options, text) => ({
			...options,
			[key]: text === '' ? defaultValue : parse(text, defaultValue),
			fieldSources: {...options.fieldSources, [name]: '/set'},
		}),
	};
}
