/**
 * Every option, once: flags, variable, default, parser, help. The command line, `--help`, the config
 * file and `docs/options.md` are generated from these rows. A row exists only if its feature works.
 */
import {resolve} from 'node:path';
import {type JsonObject, parseJson} from '../../json.ts';
import {wireNames} from '../../wire-name.ts';
import {fieldRows} from './field-rows.ts';
import {type Header, parseAuthHeader, parseHeader, readHeaders} from './header.ts';
import {
	clearableList,
	duration,
	inGroup,
	list,
	option,
	optional,
	resolveFile,
	toggle,
} from './option-row.ts';
import {parseService, resolveLlamaPath} from './parse-service.ts';
import {
	integerFrom,
	isSchemaPath,
	isServersPath,
	oneOf,
	orNothing,
	parseBlockChoice,
	parseName,
	parseSystem,
	parseText,
	readCommand,
	readSchema,
} from './parsers.ts';
import {
	type FieldChange,
	parseFieldChanges,
	readFields,
	resolveFieldFile,
} from './request-fields.ts';

export const optionRows = {
	...inGroup('Request', {
		model: optional(orNothing(parseName), {
			flags: ['-m, --model <name>'],
			values: 'models',
			variable: 'CHAT_MODEL',
			isDropped: true,
			summary: "model; chat models lists the service's",
		}),
		family: option(parseName, {
			flags: [],
			variable: 'CHAT_FAMILY',
			summary: 'family of the short model names: sol, terra and luna mean <family>-5.6-<tier>',
			defaultValue: 'MODEL',
		}),
		system: optional(parseSystem, {
			flags: ['-s, --system <text>'],
			values: 'mentions',
			variable: 'CHAT_SYSTEM',
			summary: 'system message; @file reads it from a file',
			resolvePath: (text, directory) =>
				text.startsWith('@') ? `@${resolve(directory, text.slice(1))}` : text,
		}),
		...fieldRows,
		option: {
			flags: ['-O, --option <key=value>'],
			values: 'mentions',
			variable: 'CHAT_OPTIONS',
			key: 'options',
			isMerged: true,
			summary: 'any other field of the request, as in top_k=40; repeatable',
			resolvePath: resolveFieldFile,
			defaultValue: [] as readonly FieldChange[],
			parse: parseFieldChanges,
			readJson: readFields,
		},
		tools: clearableList({
			flags: ['--tools <file>'],
			values: 'files',
			isInFile: true,
			resolvePath: resolveFile,
			summary: 'JSON file of functions the model may call; repeatable',
		}),
		mcp: clearableList({
			flags: ['--mcp <server>', '--no-mcp'],
			values: 'servers',
			isInFile: true,
			resolvePath: (text, directory) => (isServersPath(text) ? resolveFile(text, directory) : text),
			summary: 'MCP server whose tools the model may call: name or file; repeatable',
			negatedSummary: 'use no MCP server',
		}),
		toolChoice: optional(parseText, {
			flags: ['--tool-choice <choice>'],
			values: ['auto', 'none', 'required'],
			summary: 'auto, none, required, or the name of the tool to call',
		}),
		allowTool: list({
			flags: ['--allow-tool <name>'],
			values: 'tools',
			summary: 'run calls of this tool without asking; repeatable',
		}),
		search: toggle(false, {
			flags: ['--search', '--no-search'],
			variable: 'CHAT_SEARCH',
			summary: 'let the service search the web, where it can',
			negatedSummary: 'do not let it search (the default)',
		}),
		quotes: toggle(false, {
			flags: ['--quotes', '--no-quotes'],
			variable: 'CHAT_QUOTES',
			summary: 'ask for quotations, and check them against the files',
			negatedSummary: 'neither ask for nor check them (the default)',
		}),
		checkQuotes: toggle(false, {
			flags: ['--check-quotes', '--no-check-quotes'],
			variable: 'CHAT_CHECK_QUOTES',
			summary: 'check quotations without asking for them',
		}),
		responseFormat: optional(orNothing(oneOf('text', 'json_object')), {
			flags: ['--response-format <format>'],
			variable: 'CHAT_RESPONSE_FORMAT',
			summary: 'text, or json_object to print valid JSON or nothing',
		}),
		jsonSchema: optional(orNothing<string | JsonObject>(parseText), {
			flags: ['--json-schema <schema>'],
			values: 'files',
			variable: 'CHAT_JSON_SCHEMA',
			resolvePath: (text, directory) => (isSchemaPath(text) ? resolveFile(text, directory) : text),
			readJson: readSchema,
			summary: 'print JSON that matches, or nothing: a file, JSON, or "name, age int"',
		}),
		schemaRepairs: option(integerFrom(0, 10), {
			flags: ['--schema-repairs <n>'],
			variable: 'CHAT_SCHEMA_REPAIRS',
			summary: 'retries for an answer not matching the schema',
			defaultValue: 1,
		}),
		continueCut: option(integerFrom(0, 5), {
			flags: ['--continue-cut <n>'],
			variable: 'CHAT_CONTINUE_CUT',
			summary: 'continue an answer that was cut off, at most so often',
			defaultValue: 0,
		}),
		fallback: clearableList({
			flags: ['--fallback <model>'],
			isInFile: true,
			values: 'models',
			summary: 'model or profile to ask if the first cannot answer; repeatable',
		}),
		stream: toggle(true, {
			flags: ['--stream', '--no-stream'],
			variable: 'CHAT_STREAM',
			summary: 'print the answer as it arrives (the default)',
			negatedSummary: 'print the answer only when it is complete',
		}),
	}),
	...inGroup('Input', {
		image: list({
			flags: ['--image <source>'],
			values: 'files',
			summary: 'image: a path, a URL, clipboard:, or - for stdin; repeatable',
		}),
		file: list({
			flags: ['-f, --file <path>'],
			values: 'files',
			summary: "file, folder, 'glob' or lines (a.txt:10-40) as context; repeatable",
		}),
		attach: list({
			flags: ['-a, --attach <source>'],
			values: 'files',
			summary: 'PDF, audio or image: a path, a URL, or - for stdin; repeatable',
		}),
		stdin: toggle(true, {
			flags: ['--stdin', '--no-stdin'],
			variable: 'CHAT_STDIN',
			summary: 'read piped input (the default)',
			negatedSummary: 'ignore standard input',
		}),
		template: optional(parseName, {
			flags: ['-t, --template <name>'],
			values: 'templates',
			summary: 'prompt template: its name, or its file',
		}),
		param: list({
			flags: ['-p, --param <name=value>'],
			values: 'params',
			summary: 'value for a parameter of the template; repeatable',
		}),
		saveTemplate: optional(parseName, {
			flags: ['--save-template <name>'],
			summary: 'save the prompt and its flags as a template, and send nothing',
		}),
		templatePaths: clearableList({
			flags: [],
			values: 'files',
			isInFile: true,
			resolvePath: resolveFile,
			summary: 'more folders with prompt templates',
		}),
	}),
	...inGroup('Output', {
		output: option(oneOf('text', 'json', 'jsonl'), {
			flags: ['-o, --output <format>'],
			variable: 'CHAT_OUTPUT',
			summary: 'print text, json (one object) or jsonl (every event)',
			defaultValue: 'text',
		}),
		reasoning: option(oneOf('auto', 'show', 'hide'), {
			flags: ['--reasoning <mode>'],
			variable: 'CHAT_REASONING',
			summary: 'reasoning: auto (on a terminal), show (stderr) or hide',
			defaultValue: 'auto',
		}),
		interactive: toggle(false, {
			flags: ['-i, --interactive'],
			summary: 'answer the prompt, then start a session',
		}),
		color: option(oneOf('auto', 'always', 'never'), {
			flags: ['--color <when>'],
			variable: 'CHAT_COLOR',
			summary: 'colours on a terminal: auto, always or never',
			defaultValue: 'auto',
		}),
		plain: toggle(false, {
			flags: ['--plain', '--no-plain'],
			variable: 'CHAT_PLAIN',
			summary: 'plain lines, for screen readers',
		}),
		compact: option(oneOf('ask', 'off'), {
			flags: ['--compact <when>'],
			variable: 'CHAT_COMPACT',
			summary: 'a request too large for the model: ask (or fail), or off (send it)',
			defaultValue: 'ask',
		}),
		editing: option(oneOf('emacs', 'vi'), {
			flags: ['--editing <keys>'],
			variable: 'CHAT_EDITING',
			summary: 'editor keys in a session: emacs or vi',
			defaultValue: 'emacs',
		}),
		notify: option(oneOf('off', 'bell', 'auto'), {
			flags: ['--notify <how>'],
			variable: 'CHAT_NOTIFY',
			summary: 'signal the end of an answer: off, bell or auto',
			defaultValue: 'off',
		}),
		extract: toggle(false, {
			flags: ['-x, --extract'],
			summary: "print only the answer's first code block",
		}),
		extractBlock: optional(parseBlockChoice, {
			flags: ['--extract-block <which>'],
			values: ['first', 'last', 'all'],
			summary: 'print only this code block: first, last, all, or its number',
		}),
		usage: toggle(false, {
			flags: ['-u, --usage', '--no-usage'],
			variable: 'CHAT_USAGE',
			summary: 'print tokens, cost and timing on stderr at the end',
		}),
		quiet: toggle(false, {
			flags: ['-q, --quiet', '--no-quiet'],
			variable: 'CHAT_QUIET',
			summary: 'print no notices on stderr',
		}),
		dryRun: toggle(false, {
			flags: ['--dry-run'],
			summary: 'print the request as JSON, and send nothing',
		}),
		verbose: toggle(false, {
			flags: ['-v, --verbose', '--no-verbose'],
			variable: 'CHAT_VERBOSE',
			summary: 'print the request, status and timing on stderr, without secrets',
		}),
	}),
	...inGroup('Conversations', {
		continue: toggle(false, {
			flags: ['-c, --continue'],
			summary: "continue this folder's latest conversation",
		}),
		resume: optional(parseName, {
			flags: ['-r, --resume <id>'],
			values: 'sessions',
			summary: 'continue the conversation with this id or title',
		}),
		fork: toggle(false, {
			flags: ['--fork'],
			summary: 'continue a copy, as a new conversation',
		}),
		edit: toggle(false, {
			flags: ['--edit'],
			summary: 'change it in your editor; saving the text makes a branch, and asks what changed',
		}),
		save: toggle(true, {
			flags: ['--save', '--no-save'],
			variable: 'CHAT_SAVE',
			summary: 'save the conversation (the default)',
			negatedSummary: 'save nothing of this run',
		}),
		sessionsDir: optional(orNothing(parseText), {
			flags: [],
			values: 'files',
			variable: 'CHAT_SESSIONS_DIR',
			summary: 'folder of the saved conversations',
			resolvePath: resolveFile,
		}),
	}),
	...inGroup('Service', {
		baseUrl: optional(parseService, {
			resolvePath: resolveLlamaPath,
			flags: ['--base-url <url>'],
			values: 'services',
			variable: 'CHAT_BASE_URL',
			summary: 'base URL of the service, or its name, such as openai: or ollama:',
		}),
		wire: option(oneOf('auto', ...wireNames), {
			flags: ['--wire <convention>'],
			variable: 'CHAT_WIRE',
			summary: 'convention: chat, responses, messages, or auto, by the service',
			defaultValue: 'auto',
		}),
		profile: optional(parseText, {
			flags: ['--profile <name>'],
			values: 'profiles',
			variable: 'CHAT_PROFILE',
			isInFile: false,
			summary: 'config file profile to use',
		}),
		apiKeyFile: optional(parseText, {
			flags: ['--api-key-file <path>'],
			values: 'files',
			variable: 'CHAT_API_KEY_FILE',
			summary: 'file with the API key (or set CHAT_API_KEY)',
			resolvePath: resolveFile,
		}),
		apiKeyCommand: optional((text) => readCommand(parseJson(text)), {
			flags: [],
			isInFile: true,
			readJson: readCommand,
			summary: 'command that prints the API key: a program and its arguments',
		}),
		authHeader: option(parseAuthHeader, {
			flags: ['--auth-header <name>'],
			variable: 'CHAT_AUTH_HEADER',
			summary: 'header that carries the API key, such as api-key; none sends no key',
			defaultValue: 'Authorization',
		}),
		header: {
			flags: ['--header <name: value>'],
			isInFile: true,
			key: 'headers',
			summary: 'header of each request, such as "X-Title: chat"; repeatable',
			defaultValue: [] as readonly Header[],
			parse: parseHeader,
			readJson: readHeaders,
		},
		insecureHttp: toggle(false, {
			flags: ['--insecure-http', '--no-insecure-http'],
			variable: 'CHAT_INSECURE_HTTP',
			summary: 'allow sending the API key over plain http to another machine',
		}),
		caFile: optional(orNothing(parseText), {
			flags: ['--ca-file <path>'],
			values: 'files',
			variable: 'CHAT_CA_FILE',
			summary: 'PEM file of additional certificates to trust',
			resolvePath: resolveFile,
		}),
	}),
	...inGroup('Timeouts and retries', {
		connectTimeout: duration('10s', {
			flags: ['--connect-timeout <time>'],
			variable: 'CHAT_CONNECT_TIMEOUT',
			summary: 'connection timeout',
		}),
		idleTimeout: duration('2m', {
			flags: ['--idle-timeout <time>'],
			variable: 'CHAT_IDLE_TIMEOUT',
			summary: 'maximum wait between two bytes of a streamed answer',
		}),
		payloadTimeout: duration('10m', {
			flags: ['--payload-timeout <time>'],
			variable: 'CHAT_PAYLOAD_TIMEOUT',
			summary: 'maximum wait for an answer, or for its next part',
		}),
		finishGrace: duration('5s', {
			flags: ['--finish-grace <time>'],
			variable: 'CHAT_FINISH_GRACE',
			summary: 'how long to wait for trailing data after the answer',
		}),
		toolTimeout: duration('1m', {
			flags: ['--tool-timeout <time>'],
			variable: 'CHAT_TOOL_TIMEOUT',
			summary: 'time limit for each run of a tool',
		}),
		maxRetries: option(integerFrom(0), {
			flags: ['--max-retries <n>'],
			variable: 'CHAT_MAX_RETRIES',
			summary: 'retries for a request failing before any output',
			defaultValue: 2,
		}),
	}),
};
