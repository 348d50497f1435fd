/** The texts of every command, for `--help` and the manual page. */
import type {CommandName} from './command-flags.ts';

type HelpText = {
	/** The words after the command. */
	readonly usage: string;
	/** Shown in the list of commands. */
	readonly summary: string;
	readonly description: string;
	readonly verbs?: readonly VerbText[];
	/** A paragraph each. */
	readonly notes?: readonly string[];
	/** Lines for a shell. */
	readonly examples?: readonly string[];
};

type VerbText = {
	/** With its arguments: `get <key>`. */
	readonly usage: string;
	readonly summary: string;
};

/** In the order in which help lists the commands. */
export const helpTexts: Readonly<Record<CommandName, HelpText>> = {
	chat: {
		usage: '[options] [prompt...]',
		summary: 'ask a question',
		description:
			'Sends a prompt to a language model and prints the answer. Without a prompt, a terminal starts a session. Piped text goes before the prompt.',
		notes: [
			"--no- before the name of a switch turns it off, as in --no-usage. An empty value, as in --temperature '', drops one that is stored. Most flags have a variable and a key in the config file, as in CHAT_MODEL and chat config set model; CHAT_API_KEY holds the API key.",
			'Without a base URL the built-in service answers. Connect a real one: chat setup',
		],
		examples: [
			'chat "What is a monad?"',
			'git diff | chat "review this"',
			'chat -f notes.txt "summarise this"',
			'chat --image photo.png "what is this?"',
			'chat -c "and in French?"',
			'chat -x "a shell script that renames *.jpeg to *.jpg" > rename.sh',
			'chat -o json "three colours" | jq -r .content',
			'chat --json-schema "name, age int" -f letter.txt "who wrote this?"',
		],
	},
	setup: {
		usage: '[options]',
		summary: 'connect a service: hosted, or on this machine',
		description:
			'Connects a service: one that runs on this machine, a hosted one by its name, or any by its URL. Asks for the key without showing it, lists the models, and offers a test. Changes nothing before the end.',
		notes: [
			'With --profile the connection is stored in that profile. Without a terminal, use the commands below.',
		],
		examples: ['chat config set base-url https://api.example.com', 'chat auth set < key.txt'],
	},
	config: {
		usage: 'get|set|unset|list|profiles|rename|path|edit [key] [value]',
		summary: 'show and change settings',
		description: 'Shows and changes the settings in the config file.',
		verbs: [
			{usage: 'get <key>', summary: 'print the value that a run would use'},
			{usage: 'set <key> <value>', summary: 'store a value, for every run or for a profile'},
			{
				usage: 'unset <key>',
				summary: 'remove a stored value; with --profile and without a key, a whole profile',
			},
			{usage: 'list', summary: 'print what is set, with its source'},
			{usage: 'profiles', summary: 'print the profiles'},
			{usage: 'rename <profile> <new name>', summary: 'rename a profile'},
			{usage: 'path', summary: 'print the path of the file'},
			{usage: 'edit', summary: 'open the file in $VISUAL, $EDITOR or vi, then check it'},
		],
		notes: [
			'A key is the long flag without its dashes: base-url, max-tokens. For API keys: chat auth set',
		],
		examples: [
			'chat config set base-url https://api.example.com',
			'chat config set --profile work model terra',
			'chat --profile work "What is a monad?"',
		],
	},
	auth: {
		usage: 'set|status|list|remove [options]',
		summary: 'store API keys',
		description: 'Stores the API keys of services, in a file that only you can read.',
		verbs: [
			{
				usage: 'set',
				summary: 'ask for the key without showing it, or read it from a pipe, and store it',
			},
			{
				usage: 'status',
				summary: 'print where the key comes from, and its last four characters',
			},
			{usage: 'list', summary: 'print the services with a stored key'},
			{usage: 'remove', summary: 'delete the stored key'},
		],
		notes: [
			'The service is that of --base-url, or the one that a run would use. A stored key is sent only to the origin it was stored for.',
		],
		examples: [
			'chat auth set --base-url https://api.example.com',
			'pass show example/api-key | chat auth set --base-url https://api.example.com',
		],
	},
	models: {
		usage: '[list|show|update] [options]',
		summary: 'list the models of the service',
		description: 'Lists the models of the service, with what is known of each.',
		verbs: [
			{
				usage: 'list',
				summary: 'print the models that the service offers (also without a command)',
			},
			{
				usage: 'show <name>',
				summary: 'print what is known of one model, with the source of each figure',
			},
			{
				usage: 'update [url]',
				summary: 'fetch public data about models, with prices, from https://models.dev/api.json',
			},
		],
		notes: [
			'Figures come from the service itself, then from the data of the last update, then from a small table that comes with this program. Nothing is fetched but by these commands.',
		],
		examples: ['chat models', "chat models -o json | jq -r '.[].name'", 'chat models show gpt-5'],
	},
	sessions: {
		usage: '[command] [options] [id...]',
		summary: 'find, show, export and delete saved conversations',
		description: 'Finds, shows, exports, imports and deletes saved conversations.',
		verbs: [
			{
				usage: 'list',
				summary:
					'print the conversations with an answer, the latest first (without a command: in a pipe)',
			},
			{
				usage: 'search <text...>',
				summary: 'print those whose title, prompts and answers have all of these texts',
			},
			{usage: 'show <id>', summary: 'print one as Markdown, up to where it continues'},
			{
				usage: 'export <id>',
				summary: 'print one in full: as Markdown, JSON, HTML or messages of a request',
			},
			{
				usage: 'rename <id> <title>',
				summary: 'change the title, which is the beginning of the first prompt',
			},
			{usage: 'path [id]', summary: 'print the path of one, or of the folder of all'},
			{
				usage: 'import <file...>',
				summary:
					'save the conversations of a file, or of stdin (-): exports of ChatGPT and Claude (ZIP), chat completions, llm logs --json, ShareGPT',
			},
			{
				usage: 'delete <id...>',
				summary:
					'delete these, with their own attachments and prompt history; --all: after a question',
			},
			{
				usage: 'prune',
				summary:
					'delete all conversations older than --older-than, or those --unanswered, after a question',
			},
			{
				usage: 'redact <id> [text]',
				summary:
					'mask a text in one, and in the prompt history; without the text, or with -, it is asked for, or read from a pipe, and stays out of your shell history',
			},
		],
		notes: [
			'On a terminal, chat sessions without a command lets you choose one and continue it.',
			'An id may be shortened to 4 characters. The exact title works too.',
		],
		examples: [
			'chat sessions search pelican "good name" --since 2w',
			'chat -r k3f9 "and in French?"',
			"chat sessions list -o json | jq -r '.[].title'",
		],
	},
	templates: {
		usage: '[command] [options] [name...]',
		summary: 'list, show, edit and import prompt templates',
		description: 'Lists, shows, edits, checks, renames, deletes and imports prompt templates.',
		verbs: [
			{
				usage: 'list',
				summary: 'print the templates, with what each is for (also without a command)',
			},
			{usage: 'show <name>', summary: 'print the file of one'},
			{
				usage: 'edit <name>',
				summary: 'open one in $VISUAL, $EDITOR or vi, or a new one, then check it',
			},
			{usage: 'path [name]', summary: 'print the path of one, or of your own folder'},
			{usage: 'check [name...]', summary: 'report mistakes in these, or in all'},
			{usage: 'rename <name> <new name>', summary: 'rename one of your own folder'},
			{usage: 'delete <name...>', summary: 'delete these of your own folder, after a question'},
			{
				usage: 'import <path> [name]',
				summary: 'copy those of other programs from a file, a folder, or stdin (-)',
			},
			{
				usage: 'trust <folder|name>',
				summary:
					'allow the templates that others wrote, as in a repository (.agents/skills, .claude/commands, .claude/skills), to be used by name, or one of them to name files outside its folder; both until the templates change',
			},
		],
		notes: [
			'A template is known by its name, or by the path of its file, which has a slash or ends in .md. A prompt and its flags become a template with --save-template.',
		],
		examples: [
			'git diff | chat -t review security',
			'chat templates import ~/.claude/commands',
			"chat templates list -o json | jq -r '.[].name'",
		],
	},
	mcp: {
		usage: '[command] [options] [server] [-- program...]',
		summary: 'add, show and remove MCP servers',
		description: 'Adds, shows, checks and removes MCP servers, whose tools a run can use.',
		verbs: [
			{
				usage: 'add <name>',
				summary:
					'start a program (after --) or connect to an address (--url), show its tools, and keep it, after questions',
			},
			{
				usage: 'import [file]',
				summary:
					'copy servers of other programs, after a question for each: Claude, Cursor, VS Code, Gemini, Qwen',
			},
			{usage: 'list', summary: 'print the servers (also without a command)'},
			{usage: 'show <server>', summary: 'print an entry, and what its server offers'},
			{usage: 'test <server>', summary: 'connect to one, and report how long that takes'},
			{
				usage: 'refresh <server>',
				summary: 'connect to one, show what has changed, and accept it',
			},
			{usage: 'remove <server>', summary: 'delete one, with all that is known of it'},
			{usage: 'login <server>', summary: 'log in to one, in the browser'},
			{usage: 'logout <server>', summary: 'delete the login to one'},
			{usage: 'path', summary: 'print the path of the file of servers'},
		],
		notes: [
			'A run uses only the servers that --mcp names, or mcp in a profile. A server starts when one of its tools is called, and each call asks first.',
		],
		examples: [
			'chat mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes',
			'chat mcp add github --url https://api.githubcopilot.com/mcp/ \\',
			"    --header 'Authorization: Bearer ${GITHUB_TOKEN}'",
			'chat --mcp files "What is in my notes?"',
		],
	},
	doctor: {
		usage: '[options]',
		summary: 'check the program, its settings and the service',
		description:
			'Checks the program, its files, the settings, the terminal, the service and the templates, and says what to do about each problem. Changes nothing, and sends no prompt.',
		notes: [
			'A service on this machine is asked for its models; any other only with --online, which also runs the command that prints a key. The exit code is that of the problem to solve first.',
			'A report of a problem needs the output of -o json. It has neither keys nor values of headers; read it before you publish it.',
		],
		examples: ['chat doctor', 'chat doctor --online', 'chat doctor -o json > doctor.json'],
	},
	serve: {
		usage: '[options]',
		summary: 'run the built-in service for other clients',
		description:
			'Runs the built-in service for other clients. It answers by rules; it has no model.',
	},
	completion: {
		usage: 'bash|zsh|fish|powershell',
		summary: 'print the completion script of a shell',
		description:
			'Prints a script that completes the command lines of chat in a shell. Changes no file.',
		verbs: [
			{usage: 'bash', summary: 'in ~/.bashrc: eval "$(chat completion bash)"'},
			{usage: 'zsh', summary: 'at the end of ~/.zshrc: source <(chat completion zsh)'},
			{
				usage: 'fish',
				summary: 'once: chat completion fish > ~/.config/fish/completions/chat.fish',
			},
			{
				usage: 'powershell',
				summary:
					'in the file of $PROFILE: chat completion powershell | Out-String | Invoke-Expression',
			},
		],
		notes: [
			'Tab completes commands, flags, models, profiles, conversations, templates, settings and files. The models are those that the service has listed before, as for chat models. Nothing is sent, and nothing that you have typed is run.',
		],
	},
};
