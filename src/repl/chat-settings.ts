/** The request settings that `/set` shows and changes, checked by the rows of the command line. */
import type {ChatOptions} from '../chat/message.ts';
import {optionRows} from '../settings/options/option-rows.ts';
import {ValueError} from '../settings/options/parsers.ts';

type Setting = {
	/** The request field's own name. */
	readonly name: string;
	read(options: ChatOptions): unknown;
	/** @throws {ValueError} for a text the field does not take; an empty one unsets it */
	change(options: ChatOptions, text: string): ChatOptions;
};

const settings: readonly Setting[] = [
	{
		name: 'temperature',
		read: ({temperature}) => temperature,
		change: (options, text) => ({
			...options,
			temperature: readOptional(optionRows.temperature, text),
		}),
	},
	{
		name: 'top_p',
		read: ({topP}) => topP,
		change: (options, text) => ({...options, topP: readOptional(optionRows.topP, text)}),
	},
	{
		name: 'max_tokens',
		read: ({maxTokens}) => maxTokens,
		change: (options, text) => ({...options, maxTokens: readOptional(optionRows.maxTokens, text)}),
	},
	{
		name: 'response_format',
		read: ({responseFormat}) =>
			typeof responseFormat === 'object' ? `JSON Schema ${responseFormat.name}` : responseFormat,
		change: (options, text) => ({
			...options,
			responseFormat: readOptional(optionRows.responseFormat, text),
		}),
	},
	{
		name: 'stream',
		read: ({isStreaming}) => isStreaming,
		change: (options, text) => ({
			...options,
			isStreaming: text === '' ? true : optionRows.stream.read(text, true),
		}),
	},
];

function readOptional<Value>(
	row: {read(text: string, previous: Value | undefined): Value | undefined},
	text: string,
): Value | undefined {
	return text === '' ? undefined : row.read(text, undefined);
}

/** The options after the change, with what to say of it; or what is wrong, as a sentence. */
export function changeOption(
	options: ChatOptions,
	name: string,
	text: string,
): {readonly options: ChatOptions; readonly text: string} | string {
	const wanted = name.replaceAll('-', '_');
	const setting = settings.find((candidate) => candidate.name === wanted);
	if (setting === undefined) {
		return `there is no setting ${name}; there are ${settings.map((known) => known.name).join(', ')}`;
	}
	try {
		const changed = setting.change(options, text);
		return {options: changed, text: describe(setting, changed)};
	} catch (error) {
		if (!(error instanceof ValueError)) throw error;
		return `${wanted} is "${text}", but it ${error.message}`;
	}
}

export function describeOptions(options: ChatOptions): string {
	return [`model: ${options.model}`, ...settings.map((setting) => describe(setting, options))].join(
		'\n',
	);
}

function describe(setting: Setting, options: ChatOptions): string {
	const value = setting.read(options);
	return `${setting.name}: ${value === undefined ? 'not set' : String(value)}`;
}
