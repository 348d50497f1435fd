/** The commands, each a chunk loaded on first use. */
import {optionRows} from '../settings/options/option-rows.ts';
import type {Command, CommandTable} from './command-line/command.ts';
import {type CommandLine, parseArgv} from './command-line/parse-argv.ts';

/** The command without a word. */
export const chat: Command = {
	name: 'chat',
	description:
		'Sends a prompt to a language model and prints the answer. Without a prompt, a terminal starts a session. Piped text goes before the prompt.',
	flags: optionRows,
	verbs: {},
	notes: [
		"--no- before the name of a switch turns it off, as in --no-usage. An empty value, as in --temperature '', drops one that is stored. Most flags have a variable and a key in the config file, as in CHAT_MODEL and chat config set model; CHAT_API_KEY holds the API key.",
		'Without a base URL the built-in service answers. Connect a real one: chat setup',
	],
	examples: [
		'chat "What is a monad?"',
		'git diff | chat "review this"',
		'chat -f notes.txt "summarise this"',
		'chat -c "and in French?"',
		'chat --json-schema "name, age int" -f letter.txt "who wrote this?"',
	],
};

export const commands: CommandTable = {
	setup: {
		summary: 'connect a service: hosted, or on this machine',
		load: async () => (await import('./commands/setup/setup.ts')).setup,
	},
	config: {
		summary: 'show and change settings',
		load: async () => (await import('./commands/config/config.ts')).config,
	},
	auth: {
		summary: 'store API keys',
		load: async () => (await import('./commands/auth.ts')).auth,
	},
	models: {
		summary: "list the service's models",
		load: async () => (await import('./commands/models/models.ts')).models,
	},
	run: {
		summary: 'ask what is not answered in a conversation file',
		load: async () => (await import('./commands/run.ts')).run,
	},
	sessions: {
		summary: 'find, show, export and delete saved conversations',
		load: async () => (await import('./commands/sessions/sessions.ts')).sessions,
	},
	templates: {
		summary: 'list, show, edit and import prompt templates',
		load: async () => (await import('./commands/templates/templates.ts')).templates,
	},
	mcp: {
		summary: 'add, show and remove MCP servers',
		load: async () => (await import('./commands/mcp/mcp.ts')).mcp,
	},
	batch: {
		summary: 'answer each line of a file',
		load: async () => (await import('./commands/batch/batch.ts')).batch,
	},
	quotes: {
		summary: 'check the quotations of a text against files',
		load: async () => (await import('./commands/quotes.ts')).quotes,
	},
	doctor: {
		summary: 'check the program, its settings and the service',
		load: async () => (await import('./commands/doctor/doctor.ts')).doctor,
	},
	serve: {
		summary: 'run the built-in service for other clients',
		load: async () => (await import('./commands/serve.ts')).serve,
	},
	completion: {
		summary: 'print a shell completion script',
		load: async () => (await import('./commands/completion/completion.ts')).completion,
	},
};

export async function readLine(argv: readonly string[]): Promise<CommandLine> {
	return await parseArgv(argv, {chat, commands});
}
