/** The grammar of `chat [options] [prompt...]`. */
import {Command} from 'commander';
import {exitCodeRows} from '../errors.ts';
import {version} from '../version.ts';
import {addOptions} from './option-flags.ts';

export function createChatProgram(): Command {
	const command = new Command('chat')
		.usage(usage)
		.description(
			'Asks a chat-completions service and prints its answer. Without a prompt, in a terminal, it begins a session.',
		)
		.argument('[prompt...]', 'what to ask; piped text goes before it')
		.configureHelp({helpWidth})
		.helpOption('-h, --help', 'this text')
		.version(version, '-V, --version', 'the version');
	return addOptions(command).addHelpText('after', () => `${more}\n\n${describeExitCodes(command)}`);
}

const helpWidth = 100;

const usage = `[options] [prompt...]
       chat serve [options]
       chat config get|set|unset|list|path|edit [key] [value]
       chat auth set|status|remove [options]
       chat help [chat|serve|config|auth]`;

const more = `
--no- before the name of a switch turns it off, as in --no-usage. An empty value, as in
--temperature '', drops one that is stored. Most flags have a variable and a key in the config file,
as in CHAT_MODEL and chat config set model; CHAT_API_KEY holds the API key.

Examples:
  chat "What is a monad?"
  git diff | chat "review this"
  chat --image photo.png "what is this?"
  chat -x "a shell script that renames *.jpeg to *.jpg" > rename.sh
  chat -o json "three colours" | jq -r .content

Without a base URL the built-in service answers. Connect a real one:
  chat config set base-url https://api.example.com
  chat auth set`;

function describeExitCodes(command: Command): string {
	const help = command.createHelp();
	help.prepareContext({helpWidth});
	const codeWidth = Math.max(...exitCodeRows.map(({code}) => code.length));
	const rows = exitCodeRows.map(({code, when}) =>
		help.formatItem(code, codeWidth, when.replaceAll('`', ''), help),
	);
	return ['Exit codes:', ...rows].join('\n');
}
