/**
 * Which folder of `src/` may import which, and the code that only some may contain. Data only:
 * `check-boundaries.ts` checks the sources against it.
 */
import {slashCommands} from '../../src/repl/commands/slash-commands.ts';

/** `any`: every import; `lazy`: a dynamic import, or one of types. */
export type Use = 'any' | 'lazy';

export type Boundary = {
	/** A folder of `src/` with its slash, or one file. The longest match applies to a file. */
	readonly place: string;
	/**
	 * Folders and files of `src/` besides the place itself; the longest match applies. A folder inside the
	 * place that has a row of its own counts as another place.
	 */
	readonly files: Readonly<Record<string, Use>>;
	/** Packages; `node:*` means the modules of Node. */
	readonly packages: Readonly<Record<string, Use>>;
};

/** Every folder may import these, and they each other. */
const groundFiles = {
	'json.ts': 'any',
	'json-error.ts': 'any',
	'check-json.ts': 'any',
	'abort.ts': 'any',
	'data-url.ts': 'any',
	'cost.ts': 'any',
	'continuation-request.ts': 'any',
	'schedule-after-input.ts': 'any',
	'errors.ts': 'any',
	'hint.ts': 'any',
	'loopback.ts': 'any',
	'exit-codes.ts': 'any',
	'finish-reason.ts': 'any',
	'fold-text.ts': 'any',
	'find-fuzzy.ts': 'any',
	'environment.ts': 'any',
	'process-environment.ts': 'any',
	'redact.ts': 'any',
	'providers.ts': 'any',
	'media-type.ts': 'any',
	'image-size.ts': 'any',
	'did-you-mean.ts': 'any',
	'usage.ts': 'any',
	'version.ts': 'any',
	'wire-name.ts': 'any',
	'wording.ts': 'any',
} as const satisfies Record<string, Use>;

const node = {'node:*': 'any'} as const satisfies Record<string, Use>;

/** The files of `settings/` that the commands may import. */
const settingsFaces = {
	'settings/files/config-file.ts': 'any',
	'settings/files/config-path.ts': 'any',
	'settings/files/update-config.ts': 'any',
	'settings/options/config-values.ts': 'any',
	'settings/options/load-settings.ts': 'any',
	'settings/options/option-row.ts': 'any',
	'settings/options/settings.ts': 'any',
	'settings/options/parse-service.ts': 'any',
	'settings/options/parsers.ts': 'any',

	'settings/options/request-fields.ts': 'any',
	'settings/options/template-layer.ts': 'any',
	'settings/options/unknown-keys.ts': 'any',
	'settings/service/api-key.ts': 'any',
	'settings/service/base-url.ts': 'any',
	'settings/service/credentials.ts': 'any',
	'settings/service/describe-settings.ts': 'any',
	'settings/service/find-key.ts': 'any',
	'settings/service/model-name.ts': 'any',
	'settings/service/own-model.ts': 'any',
	'settings/service/proxy.ts': 'any',
	'settings/service/service-settings.ts': 'any',
} as const satisfies Record<string, Use>;

export const groundFileNames: readonly string[] = Object.keys(groundFiles);

export const boundaries: readonly Boundary[] = [
	{place: 'main.ts', files: {...groundFiles, 'cli/': 'any', 'output/': 'any'}, packages: {}},
	{
		place: 'cli/',
		files: {
			...groundFiles,
			'cli/ask.ts': 'any',
			'cli/command-line/': 'any',
			'cli/run/service/': 'any',
			'ui/ink/': 'lazy',
			'ui/lines/': 'lazy',
			'ui/run.ts': 'lazy',
			'context/': 'any',
			'repl/': 'any',
			'server/': 'any',
			'models/': 'any',
			'protocol/chat-completions/chat-completions.ts': 'lazy',
			'protocol/describe-request.ts': 'any',
			'protocol/list-models.ts': 'any',
			'protocol/pace.ts': 'any',
			'protocol/replay-reply.ts': 'any',
			'protocol/service-batches.ts': 'any',
			'protocol/request-json.ts': 'any',
			'protocol/stream-chat.ts': 'any',
			'processes/desktop.ts': 'any',
			'processes/read-pdf.ts': 'lazy',
			'quotes/': 'any',
			'tools/': 'lazy',
			'mcp/': 'any',
			'mcp/auth-provider.ts': 'lazy',
			'mcp/connect.ts': 'lazy',
			'mcp/http-fetch.ts': 'lazy',
			'sessions/': 'any',
			'templates/': 'any',
			'batch/': 'any',
			'files/lock-file.ts': 'any',
			'files/private-files.ts': 'any',
			'files/trust.ts': 'any',
			'input/': 'any',
			'output/': 'any',
			'chat/': 'any',
			...settingsFaces,
			'settings/options/option-rows.ts': 'any',
			'terminal/': 'any',
		},
		packages: node,
	},
	{
		place: 'cli/ask.ts',
		files: {
			...groundFiles,
			'cli/run/until-interrupted.ts': 'any',
			'ui/prompts/': 'lazy',
			'input/read-bytes.ts': 'any',
			'output/print.ts': 'any',
		},
		packages: node,
	},
	{
		place: 'cli/command-line/',
		files: {
			...groundFiles,
			'settings/options/option-row.ts': 'any',
			'settings/options/option-rows.ts': 'any',
			'settings/options/parsers.ts': 'any',
			'settings/options/settings.ts': 'any',
		},
		packages: {commander: 'any'},
	},
	{
		place: 'cli/run/service/',
		files: {
			...groundFiles,
			'cli/ask.ts': 'any',
			'models/': 'any',
			'processes/': 'any',
			'chat/': 'any',
			'input/': 'any',
			'output/': 'any',
			'protocol/chat-completions/chat-completions.ts': 'any',
			'protocol/messages/messages.ts': 'lazy',
			'protocol/responses/responses.ts': 'lazy',
			'protocol/key-header.ts': 'any',
			'protocol/wire.ts': 'any',
			'protocol/list-models.ts': 'any',
			'protocol/http/exchange.ts': 'any',
			'protocol/http/route.ts': 'any',
			'protocol/service-connection.ts': 'any',
			'server/': 'any',
			'settings/files/config-path.ts': 'any',
			'settings/options/load-settings.ts': 'any',
			'settings/options/parse-service.ts': 'any',
			'settings/options/settings.ts': 'any',
			'settings/options/unknown-keys.ts': 'any',
			'settings/service/api-key.ts': 'any',
			'settings/service/base-url.ts': 'any',
			'settings/service/ca-file.ts': 'lazy',
			'settings/service/describe-settings.ts': 'any',
			'settings/service/model-name.ts': 'any',
			'settings/service/own-model.ts': 'any',
			'settings/service/proxy.ts': 'any',
			'settings/service/service-settings.ts': 'any',
			'terminal/': 'any',
		},
		packages: node,
	},
	{
		place: 'ui/run.ts',
		files: {...groundFiles, 'repl/': 'any', 'chat/': 'any'},
		packages: {},
	},
	{
		place: 'ui/ink/',
		files: {
			...groundFiles,
			'ui/run.ts': 'lazy',
			'repl/': 'any',
			'chat/': 'any',
			'terminal/': 'any',
		},
		packages: {...node, ink: 'any', react: 'any'},
	},
	{
		place: 'ui/lines/',
		files: {
			...groundFiles,
			'ui/run.ts': 'lazy',
			'repl/': 'any',
			'chat/': 'any',
			'terminal/': 'any',
		},
		packages: node,
	},
	{
		place: 'ui/prompts/',
		files: {
			...groundFiles,
			'output/streams.ts': 'any',
			'repl/editor/': 'any',
			'repl/keys/edit-line.ts': 'any',
			'repl/list/list.ts': 'any',
			'repl/list/numbered.ts': 'any',
			'terminal/': 'any',
		},
		packages: {},
	},
	{
		place: 'repl/',
		files: {
			...groundFiles,
			'chat/': 'any',
			'context/': 'any',
			'settings/options/option-row.ts': 'any',
			'settings/options/parsers.ts': 'any',
			'settings/options/request-fields.ts': 'any',
			'settings/options/settings.ts': 'any',
			'settings/service/model-name.ts': 'any',
			'terminal/width.ts': 'any',
			'terminal/wrap-line.ts': 'any',
			'terminal/control-sequences.ts': 'any',
			'terminal/markdown/stream/code-blocks.ts': 'any',
			'terminal/keys/key-input.ts': 'any',
		},
		packages: {},
	},
	{
		place: 'server/',
		files: {
			...groundFiles,
			'protocol/chat-completions/json-types.ts': 'any',
			'protocol/node-http.ts': 'any',
			'server/reply/': 'any',
			'server/request/': 'any',
			'server/scenario/': 'any',
		},
		packages: node,
	},
	{
		place: 'server/reply/',
		files: {
			...groundFiles,
			'protocol/chat-completions/json-types.ts': 'any',
			'server/sealed-reasoning.ts': 'any',
			'server/service-error.ts': 'any',
			'server/request/': 'any',
		},
		packages: {...node, valibot: 'any'},
	},
	{
		place: 'server/scenario/',
		files: {
			...groundFiles,
			'server/service-error.ts': 'any',
			'server/answer/': 'any',
			'server/reply/': 'any',
			'server/request/': 'any',
		},
		packages: {valibot: 'any', yaml: 'lazy'},
	},
	{
		place: 'server/request/',
		files: {
			...groundFiles,
			'server/models.ts': 'any',
			'server/sealed-reasoning.ts': 'any',
			'server/service-error.ts': 'any',
		},
		packages: {valibot: 'any'},
	},
	{
		place: 'server/answer/',
		files: {...groundFiles, 'server/reply/': 'any', 'server/request/': 'any'},
		packages: node,
	},
	// Nothing but a wire knows its convention.
	{
		place: 'protocol/',
		files: {
			...groundFiles,
			'chat/': 'any',
			'protocol/decode/': 'any',
			'protocol/errors/': 'any',
			'protocol/http/': 'any',
		},
		packages: {},
	},
	{
		place: 'protocol/chat-completions/',
		files: {
			...groundFiles,
			'chat/': 'any',
			'protocol/chat-completions/json-types.ts': 'any',
			'protocol/create-wire.ts': 'any',
			'protocol/decode/': 'any',
			'protocol/errors/': 'any',
			'protocol/key-header.ts': 'any',
			'protocol/operation-url.ts': 'any',
			'protocol/read-models.ts': 'any',
			'protocol/wire.ts': 'any',
		},
		packages: {},
	},
	...['protocol/messages/', 'protocol/responses/'].map((place) => {
		const files = {
			...groundFiles,
			'chat/': 'any',
			'protocol/create-wire.ts': 'any',
			'protocol/decode/': 'any',
			'protocol/errors/': 'any',
			'protocol/key-header.ts': 'any',
			'protocol/operation-url.ts': 'any',
			'protocol/unsupported.ts': 'any',
			'protocol/wire.ts': 'any',
		} as const;
		return {place, files, packages: {}};
	}),
	{
		place: 'protocol/http/',
		files: {
			...groundFiles,
			'protocol/node-http.ts': 'any',
		},
		packages: {...node, 'https-proxy-agent': 'lazy', 'http-proxy-agent': 'lazy'},
	},
	{
		place: 'protocol/errors/',
		files: {
			...groundFiles,
			'protocol/http/http-head.ts': 'any',
			'protocol/http/socket-error.ts': 'any',
		},
		packages: {},
	},
	{
		place: 'protocol/decode/',
		files: {
			...groundFiles,
			'chat/': 'any',
			'protocol/errors/': 'any',
		},
		packages: {'eventsource-parser': 'any'},
	},
	// Shared with the server, so they must not import the rest of the client.
	{place: 'protocol/chat-completions/json-types.ts', files: groundFiles, packages: {}},
	{place: 'protocol/node-http.ts', files: groundFiles, packages: node},
	{place: 'files/', files: groundFiles, packages: node},
	{
		place: 'models/',
		files: {...groundFiles, 'chat/': 'any', 'files/': 'any'},
		packages: node,
	},
	{
		place: 'context/',
		files: {...groundFiles, 'chat/': 'any'},
		packages: {tokenx: 'any'},
	},
	{
		place: 'batch/',
		files: {
			...groundFiles,
			'files/private-files.ts': 'any',
			'sessions/read-lines.ts': 'any',
		},
		packages: {...node, valibot: 'any'},
	},
	{place: 'processes/', files: groundFiles, packages: node},
	{
		place: 'sessions/',
		files: {
			...groundFiles,
			'chat/': 'any',
			'files/': 'any',
		},
		packages: {...node, valibot: 'any'},
	},
	{
		place: 'sessions/export/',
		files: {
			...groundFiles,
			'chat/': 'any',
			'sessions/session-record.ts': 'any',
			'sessions/turn-hashes.ts': 'any',
			'sessions/turn-records.ts': 'any',
			'terminal/markdown/': 'any',
			'terminal/safe-text.ts': 'any',
		},
		packages: {marked: 'lazy'},
	},
	{
		place: 'sessions/chat-file/',
		files: {...groundFiles, 'chat/': 'any', 'sessions/': 'any', 'sessions/export/': 'any'},
		packages: {},
	},
	{
		place: 'sessions/import/',
		files: {...groundFiles, 'chat/': 'any', 'sessions/': 'any', 'sessions/export/': 'any'},
		packages: {...node, valibot: 'any', fzstd: 'lazy', yaml: 'lazy', yauzl: 'lazy'},
	},
	{
		place: 'templates/',
		files: {
			...groundFiles,
			'chat/': 'any',
			'files/': 'any',
			'input/load-text.ts': 'any',
			'input/line-range.ts': 'any',
			'input/read-bytes.ts': 'any',
		},
		packages: {...node, yaml: 'lazy'},
	},
	{
		place: 'mcp/',
		files: {
			...groundFiles,
			'chat/': 'any',
			'files/': 'any',
			'tools/describe-values.ts': 'any',
			'tools/json-schema.ts': 'lazy',
			'protocol/http/': 'any',
			'settings/files/change-file.ts': 'lazy',
			'processes/': 'any',
			'protocol/node-http.ts': 'any',
			'settings/files/config-path.ts': 'any',
			'settings/files/json-file.ts': 'any',
			'settings/service/base-url.ts': 'any',
			'settings/service/credentials.ts': 'any',
			'settings/service/proxy.ts': 'any',
		},
		packages: {
			...node,
			'@modelcontextprotocol/client': 'any',
			'smol-toml': 'lazy',
			valibot: 'any',
		},
	},
	{
		place: 'quotes/',
		files: {...groundFiles, 'chat/': 'any', 'terminal/markdown/stream/fence.ts': 'any'},
		packages: {},
	},
	{
		place: 'tools/',
		files: {...groundFiles, 'chat/': 'any', 'processes/': 'any'},
		packages: {...node, ajv: 'lazy', valibot: 'any'},
	},
	{
		place: 'input/',
		files: {...groundFiles, 'chat/': 'any', 'processes/': 'any'},
		packages: {...node, ignore: 'any', picomatch: 'any'},
	},
	{
		place: 'output/',
		files: {...groundFiles, 'chat/': 'any', 'terminal/': 'any'},
		packages: {},
	},
	{
		place: 'settings/service/',
		files: {
			...groundFiles,
			'files/private-files.ts': 'any',
			'settings/options/': 'any',
			'settings/files/': 'any',
		},
		packages: node,
	},
	{
		place: 'settings/options/',
		files: {...groundFiles, 'settings/files/': 'any'},
		packages: node,
	},
	{
		place: 'settings/files/',
		files: {...groundFiles, 'files/': 'any'},
		packages: {...node, conf: 'lazy'},
	},
	{
		place: 'terminal/',
		files: groundFiles,
		packages: {...node, marked: 'any', 'highlight.js': 'any', 'string-width': 'any'},
	},
	{
		place: 'chat/',
		files: {
			'abort.ts': 'any',
			'cost.ts': 'any',
			'data-url.ts': 'any',
			'errors.ts': 'any',
			'continuation-request.ts': 'any',
			'finish-reason.ts': 'any',
			'hint.ts': 'any',
			'json.ts': 'any',
			'media-type.ts': 'any',
			'usage.ts': 'any',
			'wording.ts': 'any',
		},
		packages: {},
	},
	...groundFileNames.map((place) => {
		const packages = place === 'check-json.ts' ? {valibot: 'any' as const} : node;
		return {place, files: groundFiles, packages};
	}),
];

/** Modules that only one file may load; importing their types is free. */
export const heldModules: Readonly<Record<string, string>> = {
	'node:http': 'protocol/node-http.ts',
	'node:https': 'protocol/node-http.ts',
	'node:process': 'process-environment.ts',
};

export type Ban = {
	readonly what: string;
	/** Searched in the code without comments and the contents of strings. */
	readonly pattern: RegExp;
	/** Search the contents of strings instead, except for those of hints. */
	readonly isInText?: boolean;
	/** Look only outside of all brackets. */
	readonly isModuleLevel?: boolean;
	/** Folders with their slash, or files, that may do it. */
	readonly allowedIn: readonly string[];
};

/** The names of colours, the weight that some themes make unreadable, and a colour as SGR codes. */
const colors =
	/(?<![\w-])(?:black|red|green|yellow|blue|magenta|cyan|white|gr[ae]y|dim)(?![\w-])|\\(?:x1b|u001b)\[(?:\d+;)*(?:[349]\d|10\d)(?:;\d+)*m/;

const slashCommandNames = slashCommands.map(({name}) => name);

export const bans: readonly Ban[] = [
	{
		what: 'the global process',
		pattern: /(?<![.\w$#])process\b(?!\s*\??:)|\bglobalThis\s*\??\.\s*process\b/,
		allowedIn: ['process-environment.ts'],
	},
	{
		what: 'the global console',
		pattern: /(?<![.\w$#])console\b(?!\s*\??:)|\bglobalThis\s*\??\.\s*console\b/,
		allowedIn: ['process-environment.ts'],
	},
	{
		what: 'process.exit, which drops unwritten output',
		pattern: /\bprocess\s*(?:\??\.\s*exit\b|(?:\?\.)?\s*\[)/,
		allowedIn: [],
	},
	{
		what: 'a clock or a random number, which come in with the environment',
		pattern:
			/\b(?:Date|performance)\s*\.\s*now\b|\bnew\s+Date\s*\(\s*\)|\bMath\s*\.\s*random\b|\brandomUUID\b/,
		allowedIn: [
			'process-environment.ts',
			'protocol/',
			'server/',
			'files/lock-file.ts',
			'processes/',
		],
	},
	{
		what: 'a write to stdout or stderr',
		pattern: /\bstd(?:out|err)\s*\??\.\s*write\b/,
		allowedIn: ['output/', 'ui/', 'main.ts'],
	},
	{
		what: 'a variable at module level',
		pattern: /(?<![.\w$])(?:let|var)\s+[\w$[{]/,
		isModuleLevel: true,
		allowedIn: [],
	},
	{
		what: 'an empty collection at module level, which only makes sense if it changes',
		pattern: /=\s*new\s+(?:Weak)?(?:Map|Set)\s*(?:<[^()]*>)?\s*\(\s*\)/,
		isModuleLevel: true,
		allowedIn: [],
	},
	{
		what: 'a colour, which only the theme names',
		pattern: colors,
		allowedIn: ['terminal/theme.ts'],
	},
	{
		what: 'a colour, which only the theme names',
		pattern: colors,
		isInText: true,
		allowedIn: [
			// Words of sentences, and a function of mathematics.
			'server/answer/',
			'terminal/markdown/render/math.ts',
		],
	},
	{
		what: 'a colour of a component, which has a role instead',
		pattern: /\b(?:\w+Color|color)=|\b\w+DimColor\b/,
		allowedIn: ['ui/ink/lines.tsx'],
	},
	{
		what: 'a flag, which only cli/ and hints name',
		pattern: /(?<![\w-])--?[a-z][a-z-]*(?![\w-])/,
		isInText: true,
		allowedIn: [
			'providers.ts',
			'cli/',
			// The rows of the flags.
			'settings/options/',
			// Shell scripts of the built-in service.
			'server/answer/',
			// The flags of other programs.
			'input/load-text.ts',
			'input/list-git-files.ts',
			'processes/desktop.ts',
			'processes/read-clipboard.ts',
			'processes/read-pdf.ts',
			'processes/server-process.ts',
			// The properties of a style sheet.
			'sessions/export/page-style.ts',
			// Names the flag that does what `/system` cannot.
			'repl/commands/request-commands.ts',
		],
	},
	{
		what: 'a command of chat, which only cli/ and hints name',
		pattern: /\bchat (?:auth|config|help|mcp|serve|sessions|templates|-)/,
		isInText: true,
		// The name of the stored keys: `(chat auth)`.
		allowedIn: ['cli/', 'settings/service/find-key.ts'],
	},
	{
		what: 'a slash command, which only a session and hints name',
		pattern: new RegExp(`(?<![\\w./:<])/(?:${slashCommandNames.join('|')})\\b`),
		isInText: true,
		allowedIn: ['cli/', 'repl/', 'ui/'],
	},
	{
		what: 'a variable of chat, which only settings and hints name',
		pattern: /\b(?:CHAT|OPENAI)_[A-Z]/,
		isInText: true,
		allowedIn: ['cli/', 'settings/', 'providers.ts'],
	},
];
