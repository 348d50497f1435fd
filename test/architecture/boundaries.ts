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
export const groundFileNames: readonly string[] = `
	json json-error check-json abort data-url cost continuation-request schedule-after-input
	errors hint loopback exit-codes finish-reason fold-text find-fuzzy environment process-environment
	redact providers media-type image-size did-you-mean usage version wire-name wording
`
	.trim()
	.split(/\s+/)
	.map((name) => `${name}.ts`);

/**
 * A place, and what it may import besides the ground (`-`: without it); `~` means lazily. Behind the
 * bar are packages. Places and targets with the same folder share it: `a/{b,c}.ts`.
 *
 * Nothing but a wire knows its convention. What `protocol/` shares with the server must not import
 * the rest of the client.
 */
const table = `
main.ts: cli/ output/
cli/: cli/ask.ts cli/command-line/ cli/run/service/ ~ui/ink/ ~ui/lines/ ~ui/run.ts context/
	repl/ server/ models/ ~protocol/chat-completions/chat-completions.ts
	protocol/{describe-request,list-models,pace,replay-reply,service-batches}.ts
	protocol/{request-json,stream-chat}.ts processes/desktop.ts ~processes/read-pdf.ts quotes/
	~tools/ mcp/ ~mcp/{auth-provider,connect,http-fetch}.ts sessions/ templates/ batch/
	files/{lock-file,private-files,trust}.ts input/ output/ chat/
	settings/files/{config-file,config-path,update-config}.ts
	settings/options/{config-values,load-settings,option-row,settings,parse-service}.ts
	settings/options/{parsers,request-fields,template-layer,unknown-keys,option-rows}.ts
	settings/service/{api-key,base-url,credentials,describe-settings,find-key}.ts
	settings/service/{model-name,own-model,proxy,service-settings}.ts terminal/ | node:*
cli/ask.ts: cli/run/until-interrupted.ts ~ui/prompts/ input/read-bytes.ts output/print.ts |
	node:*
cli/command-line/: settings/options/{option-row,option-rows,parsers,settings}.ts | commander
cli/run/service/: cli/ask.ts models/ processes/ chat/ input/ output/
	protocol/chat-completions/chat-completions.ts ~protocol/messages/messages.ts
	~protocol/responses/responses.ts protocol/{key-header,wire,list-models,service-connection}.ts
	protocol/http/{exchange,route}.ts server/ settings/files/config-path.ts
	settings/options/{load-settings,parse-service,settings,unknown-keys}.ts
	settings/service/{api-key,base-url,describe-settings,model-name,own-model}.ts
	settings/service/{proxy,service-settings}.ts ~settings/service/ca-file.ts terminal/ | node:*
ui/run.ts: repl/ chat/
ui/ink/: ~ui/run.ts repl/ chat/ terminal/ | node:* ink react
ui/lines/: ~ui/run.ts repl/ chat/ terminal/ | node:*
ui/prompts/: output/streams.ts repl/editor/ repl/keys/edit-line.ts
	repl/list/{list,numbered}.ts terminal/
repl/: chat/ context/ settings/options/{option-row,parsers,request-fields,settings}.ts
	settings/service/model-name.ts terminal/{width,wrap-line,control-sequences}.ts
	terminal/markdown/stream/code-blocks.ts terminal/keys/key-input.ts
server/: protocol/chat-completions/json-types.ts protocol/node-http.ts server/reply/
	server/request/ server/scenario/ | node:*
server/reply/: protocol/chat-completions/json-types.ts
	server/{sealed-reasoning,service-error}.ts server/request/ | node:* valibot
server/scenario/: server/service-error.ts server/answer/ server/reply/ server/request/ |
	valibot ~yaml
server/request/: server/{models,sealed-reasoning,service-error}.ts | valibot
server/answer/: server/reply/ server/request/ | node:*
protocol/: chat/ protocol/decode/ protocol/errors/ protocol/http/
protocol/chat-completions/: chat/ protocol/chat-completions/json-types.ts
	protocol/{create-wire,key-header,operation-url,read-models,wire}.ts protocol/decode/
	protocol/errors/
protocol/{messages,responses}/: chat/
	protocol/{create-wire,key-header,operation-url,unsupported,wire}.ts protocol/decode/
	protocol/errors/
protocol/http/: protocol/node-http.ts | node:* ~https-proxy-agent ~http-proxy-agent
protocol/errors/: protocol/http/{http-head,socket-error}.ts
protocol/decode/: chat/ protocol/errors/ | eventsource-parser
protocol/chat-completions/json-types.ts:
protocol/node-http.ts: | node:*
files/: | node:*
models/: chat/ files/ | node:*
context/: chat/ | tokenx
batch/: files/private-files.ts sessions/read-lines.ts | node:* valibot
processes/: | node:*
sessions/: chat/ files/ | node:* valibot
sessions/export/: chat/ sessions/{session-record,turn-hashes,turn-records}.ts
	terminal/markdown/ terminal/safe-text.ts | ~marked
sessions/chat-file/: chat/ sessions/ sessions/export/
sessions/import/: chat/ sessions/ sessions/export/ | node:* valibot ~fzstd ~yaml ~yauzl
templates/: chat/ files/ input/{load-text,line-range,read-bytes}.ts | node:* ~yaml
mcp/: chat/ files/ tools/describe-values.ts ~tools/json-schema.ts protocol/http/
	~settings/files/change-file.ts processes/ protocol/node-http.ts
	settings/files/{config-path,json-file}.ts settings/service/{base-url,credentials,proxy}.ts |
	node:* @modelcontextprotocol/client ~smol-toml valibot
quotes/: chat/ terminal/markdown/stream/fence.ts
tools/: chat/ processes/ ~tools/dialects/ | node:* ~ajv valibot
tools/dialects/: | ajv
input/: chat/ processes/ | node:* ignore picomatch
output/: chat/ terminal/
settings/service/: files/private-files.ts settings/options/ settings/files/ | node:*
settings/options/: settings/files/ | node:*
settings/files/: files/ | node:* ~conf
terminal/: | node:* marked highlight.js string-width
chat/: - abort.ts cost.ts data-url.ts errors.ts continuation-request.ts finish-reason.ts
	hint.ts json.ts media-type.ts usage.ts wording.ts
`;

const uses = (names: readonly string[]) =>
	names.flatMap(expandBraces).map((name): [string, Use] => {
		return name.startsWith('~') ? [name.slice(1), 'lazy'] : [name, 'any'];
	});

function expandBraces(name: string): readonly string[] {
	const [, start, list = '', end] = /^(.*)\{(.*)\}(.*)$/.exec(name) ?? [];
	return start === undefined ? [name] : list.split(',').map((part) => start + part + end);
}

function readRow(row: string): readonly Boundary[] {
	const [places = '', rest = ''] = row.split(/:(?:\s|$)/);
	const [targets = [], packages = []] = rest.split('|').map((names) => names.match(/\S+/g) ?? []);
	const ground = targets[0] === '-' ? [] : groundFileNames;
	const files = uses([...ground, ...targets.filter((name) => name !== '-')]);
	return expandBraces(places).map((place) => ({
		place,
		files: Object.fromEntries(files),
		packages: Object.fromEntries(uses(packages)),
	}));
}

export const boundaries: readonly Boundary[] = [
	...table
		.trim()
		.split(/\n(?!\t)/)
		.flatMap(readRow),
	...groundFileNames.flatMap((place) =>
		readRow(`${place}: | ${place === 'check-json.ts' ? 'valibot' : 'node:*'}`),
	),
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
