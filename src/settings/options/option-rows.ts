/**
 * Every option, once: its flags, its variable, its default, its checks, its help. The command line,
 * `--help`, the config file, the README and the merge are made from these rows; a row exists only
 * if its feature works.
 */
import {resolve} from 'node:path';
import {clearableList, list, type OptionRow, option, optional} from './option-row.ts';
import {
	integerFrom,
	numberBetween,
	oneOf,
	orNothing,
	parseBaseUrl,
	parseBlockNumber,
	parseDuration,
	parseName,
	parseSwitch,
	parseText,
} from './parsers.ts';

/** An empty text names no file. */
const resolveFile = (text: string, directory: string) => text && resolve(directory, text);

/** The rows by the name of the setting. */
export const optionRows = {
	model: option(parseName, {
		flags: ['-m, --model <name>'],
		variable: 'CHAT_MODEL',
		group: 'Request',
		summary: 'the model; sol, terra and luna stand for <family>-5.6-<tier>',
		fallback: 'sol',
	}),
	family: option(parseName, {
		flags: [],
		variable: 'CHAT_FAMILY',
		group: 'Request',
		summary: 'the family that the short model names belong to',
		fallback: 'MODEL',
	}),
	system: optional(parseText, {
		flags: ['-s, --system <text>'],
		variable: 'CHAT_SYSTEM',
		group: 'Request',
		summary: 'system message; @file reads it from a file',
		resolvePath: (text, directory) =>
			text.startsWith('@') ? `@${resolve(directory, text.slice(1))}` : text,
	}),
	temperature: optional(orNothing(numberBetween(0, 2)), {
		flags: ['--temperature <0..2>'],
		variable: 'CHAT_TEMPERATURE',
		group: 'Request',
		summary: 'sampling temperature',
	}),
	topP: optional(orNothing(numberBetween(0, 1)), {
		flags: ['--top-p <0..1>'],
		variable: 'CHAT_TOP_P',
		group: 'Request',
		summary: 'nucleus sampling; set this or the temperature',
	}),
	maxTokens: optional(orNothing(integerFrom(1)), {
		flags: ['--max-tokens <n>'],
		variable: 'CHAT_MAX_TOKENS',
		group: 'Request',
		summary: 'the most tokens the answer may have',
	}),
	tools: clearableList({
		flags: ['--tools <file>'],
		isInFile: true,
		resolvePath: resolveFile,
		group: 'Request',
		summary: 'JSON file of functions the model may call; repeatable',
	}),
	toolChoice: optional(parseText, {
		flags: ['--tool-choice <choice>'],
		group: 'Request',
		summary: 'auto, none, required, or the name of the one tool to call',
	}),
	allowTool: list({
		flags: ['--allow-tool <name>'],
		group: 'Request',
		summary: 'run calls of this tool without asking; repeatable',
	}),
	responseFormat: optional(orNothing(oneOf('text', 'json_object')), {
		flags: ['--response-format <format>'],
		variable: 'CHAT_RESPONSE_FORMAT',
		group: 'Request',
		summary: 'text, or json_object: stdout gets valid JSON or nothing',
	}),
	jsonSchema: optional(parseText, {
		flags: ['--json-schema <file>'],
		group: 'Request',
		summary: 'JSON Schema of the answer: stdout gets JSON that fits it or nothing',
	}),
	schemaRepairs: option(integerFrom(0, 10), {
		flags: ['--schema-repairs <n>'],
		variable: 'CHAT_SCHEMA_REPAIRS',
		group: 'Request',
		summary: 'how often an answer that does not fit the schema is asked for again',
		fallback: 1,
	}),
	stream: option(parseSwitch, {
		flags: ['--stream', '--no-stream'],
		variable: 'CHAT_STREAM',
		group: 'Request',
		summary: 'take the answer piece by piece, as it is written (the default)',
		offSummary: 'take the answer whole, once it is finished',
		fallback: true,
	}),
	image: list({
		flags: ['--image <source>'],
		group: 'Input',
		summary: 'image for the prompt: a path, a URL, or - for stdin; repeatable',
	}),
	file: list({
		flags: ['-f, --file <path>'],
		group: 'Input',
		summary: 'text file as context; repeatable',
	}),
	stdin: option(parseSwitch, {
		flags: ['--stdin', '--no-stdin'],
		variable: 'CHAT_STDIN',
		group: 'Input',
		summary: 'read what is piped in (the default)',
		offSummary: 'leave standard input alone',
		fallback: true,
	}),
	output: option(oneOf('text', 'json', 'jsonl'), {
		flags: ['-o, --output <format>'],
		variable: 'CHAT_OUTPUT',
		group: 'Output',
		summary: 'text, json (one object) or jsonl (every event)',
		fallback: 'text',
	}),
	reasoning: option(oneOf('auto', 'show', 'hide'), {
		flags: ['--reasoning <mode>'],
		variable: 'CHAT_REASONING',
		group: 'Output',
		summary: 'auto (on a terminal only), show (on stderr) or hide',
		fallback: 'auto',
	}),
	interactive: option(parseSwitch, {
		flags: ['-i, --interactive'],
		group: 'Output',
		summary: 'answer the prompt, then stay for more',
		fallback: false,
	}),
	color: option(oneOf('auto', 'always', 'never'), {
		flags: ['--color <when>'],
		variable: 'CHAT_COLOR',
		group: 'Output',
		summary: 'colours on a terminal: auto, always or never',
		fallback: 'auto',
	}),
	extract: option(parseSwitch, {
		flags: ['-x, --extract'],
		group: 'Output',
		summary: 'print only the first code block of the answer',
		fallback: false,
	}),
	extractBlock: optional(parseBlockNumber, {
		flags: ['--extract-block <n|all>'],
		group: 'Output',
		summary: 'print only the n-th code block, or every one',
	}),
	usage: option(parseSwitch, {
		flags: ['-u, --usage', '--no-usage'],
		variable: 'CHAT_USAGE',
		group: 'Output',
		summary: 'tokens and time on stderr at the end',
		fallback: false,
	}),
	quiet: option(parseSwitch, {
		flags: ['-q, --quiet', '--no-quiet'],
		variable: 'CHAT_QUIET',
		group: 'Output',
		summary: 'no notices on stderr',
		fallback: false,
	}),
	verbose: option(parseSwitch, {
		flags: ['-v, --verbose', '--no-verbose'],
		variable: 'CHAT_VERBOSE',
		group: 'Output',
		summary: 'request, status and timing on stderr; secrets are left out',
		fallback: false,
	}),
	baseUrl: optional(parseBaseUrl, {
		flags: ['--base-url <url>'],
		variable: 'CHAT_BASE_URL',
		group: 'Service',
		summary: 'the service; without one the built-in service answers',
	}),
	profile: optional(parseText, {
		flags: ['--profile <name>'],
		variable: 'CHAT_PROFILE',
		isInFile: false,
		group: 'Service',
		summary: 'the profile of the config file to use',
	}),
	apiKeyFile: optional(parseText, {
		flags: ['--api-key-file <path>'],
		variable: 'CHAT_API_KEY_FILE',
		group: 'Service',
		summary: 'file that holds the API key (or set CHAT_API_KEY)',
		resolvePath: resolveFile,
	}),
	insecureHttp: option(parseSwitch, {
		flags: ['--insecure-http', '--no-insecure-http'],
		variable: 'CHAT_INSECURE_HTTP',
		group: 'Service',
		summary: 'send the key over plain http to another machine',
		fallback: false,
	}),
	caFile: optional(orNothing(parseText), {
		flags: ['--ca-file <path>'],
		variable: 'CHAT_CA_FILE',
		group: 'Service',
		summary: 'certificates to trust besides the usual ones (PEM)',
		resolvePath: resolveFile,
	}),
	connectTimeout: option(parseDuration, {
		flags: ['--connect-timeout <time>'],
		variable: 'CHAT_CONNECT_TIMEOUT',
		group: 'Time limits',
		summary: 'longest wait for a connection',
		fallback: 10_000,
		shownDefault: '10s',
	}),
	idleTimeout: option(parseDuration, {
		flags: ['--idle-timeout <time>'],
		variable: 'CHAT_IDLE_TIMEOUT',
		group: 'Time limits',
		summary: 'longest wait between two bytes of a streamed answer',
		fallback: 120_000,
		shownDefault: '2m',
	}),
	payloadTimeout: option(parseDuration, {
		flags: ['--payload-timeout <time>'],
		variable: 'CHAT_PAYLOAD_TIMEOUT',
		group: 'Time limits',
		summary: 'longest wait between pieces of an answer, or for it all',
		fallback: 600_000,
		shownDefault: '10m',
	}),
	finishGrace: option(parseDuration, {
		flags: ['--finish-grace <time>'],
		variable: 'CHAT_FINISH_GRACE',
		group: 'Time limits',
		summary: 'longest wait for what may follow a finished answer',
		fallback: 5000,
		shownDefault: '5s',
	}),
	toolTimeout: option(parseDuration, {
		flags: ['--tool-timeout <time>'],
		variable: 'CHAT_TOOL_TIMEOUT',
		group: 'Time limits',
		summary: 'longest run of a tool',
		fallback: 60_000,
		shownDefault: '1m',
	}),
	maxRetries: option(integerFrom(0), {
		flags: ['--max-retries <n>'],
		variable: 'CHAT_MAX_RETRIES',
		group: 'Time limits',
		summary: 'repeats of a failed request before any answer came',
		fallback: 2,
	}),
};

export type SettingName = keyof typeof optionRows;

export const settingNames = Object.keys(optionRows) as readonly SettingName[];

/**
 * The key of a setting in the config file, which is its long flag without the dashes:
 * `max-tokens`. Undefined: it is for one run only.
 */
export function configKeyOf(name: SettingName): string | undefined {
	const {variable, isInFile = variable !== undefined}: OptionRow<unknown> = optionRows[name];
	return isInFile ? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) : undefined;
}

/** The settings that the config file may hold, by their keys in it. */
export const configKeys: ReadonlyMap<string, SettingName> = new Map(
	settingNames.flatMap((name) => {
		const key = configKeyOf(name);
		return key === undefined ? [] : [[key, name] as const];
	}),
);

type ValueOf<Row> = Row extends OptionRow<infer Value> ? Value : never;

/** All options of a run, merged and checked. */
export type Settings = {readonly [Name in SettingName]: ValueOf<(typeof optionRows)[Name]>};
