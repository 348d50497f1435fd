/** The grammar of `chat [options] [prompt...]`. */
import {Command} from 'commander';
import {version} from '../version.ts';
import {addOptions} from './option-flags.ts';

export function createChatProgram(): Command {
	const command = new Command('chat')
		.usage('[options] [prompt...]\n       chat serve [options]\n       chat help [chat|serve]')
		.description('Asks a chat-completions service and prints its answer.')
		.argument('[prompt...]', 'what to ask; piped text goes before it')
		.configureHelp({helpWidth: 100})
		.helpOption('-h, --help', 'this text')
		.version(version, '-V, --version', 'the version');
	return addOptions(command).addHelpText('after', examples);
}

const examples = `
Examples:
  chat "What is a monad?"
  git diff | chat "review this"
  chat --image photo.png "what is this?"
  chat -x "a shell script that renames *.jpeg to *.jpg" > rename.sh
  chat -o json "three colours" | jq -r .content

Without a base URL the built-in rehearsal service answers. Connect a real one:
  export CHAT_BASE_URL=https://api.example.com CHAT_API_KEY=...`;
