/** `chat mcp`: adds, shows, checks and removes MCP servers. */
import {printExact} from '../../../output/print.ts';
import {optionRows} from '../../../settings/options/option-rows.ts';
import type {Command, Verb} from '../../command-line/command.ts';
import {listOutput, verboseOnly} from '../../command-line/shared-rows.ts';
import {addServer, removeServer} from './add.ts';
import {importServers} from './import.ts';
import {logInToServer, logOutOfServer} from './login.ts';
import {addRows, withServer, withServers, yesRows} from './mcp-verb.ts';
import {refreshServer, testServer} from './refresh.ts';
import {listServers, showServer} from './show.ts';

const list = {args: '', summary: 'print the servers', run: withServers(listServers)};

function ofServer(summary: string, run: Verb['run']): Verb {
	return {args: '<server>', summary, complete: ['own-servers'], run};
}

export const mcp: Command = {
	name: 'mcp',
	description: 'Adds, shows, checks and removes MCP servers.',
	flags: {
		output: listOutput,
		profile: optionRows.profile,
		insecureHttp: {
			...optionRows.insecureHttp,
			summary: 'allow plain http to a server on another machine, readable by others on the way',
		},
		caFile: optionRows.caFile,
		connectTimeout: optionRows.connectTimeout,
		verbose: {...verboseOnly, summary: 'print the requests to servers on stderr, without secrets'},
	},
	bare: list,
	verbs: {
		add: {
			args: '<name> [-- <program...>]',
			summary:
				'start a program (after --) or connect to an address (--url), show its tools, and keep it, after questions',
			flags: {...addRows, ...yesRows},
			usage: 'chat mcp add <name> -- <program> [argument...], or chat mcp add <name> --url <url>',
			run: withServers(addServer),
		},
		import: {
			args: '[file]',
			summary:
				"copy other programs' servers, asking about each: Claude, Cursor, VS Code, Gemini, Qwen",
			flags: yesRows,
			complete: ['files'],
			run: withServers(importServers),
		},
		list,
		show: ofServer('print an entry, and what its server offers', withServer(showServer)),
		test: ofServer('connect to one, and report the time it takes', withServer(testServer)),
		refresh: {
			...ofServer(
				'connect to one, show what has changed, and accept it',
				withServer(refreshServer),
			),
			flags: yesRows,
		},
		remove: {
			...ofServer('delete one, and everything known about it', withServers(removeServer)),
			flags: yesRows,
		},
		login: ofServer('log in to one, in the browser', withServer(logInToServer)),
		logout: ofServer('delete the login to one', withServer(logOutOfServer)),
		path: {
			args: '',
			summary: 'print the path of the server file',
			run: withServers(({path, environment}) => printExact(path, environment)),
		},
	},
	notes: [
		'A run uses only servers named with --mcp, or by mcp in a profile. A server starts with its first tool call, and each call asks first.',
	],
	examples: [
		'chat mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes',
		'chat mcp add github --url https://api.githubcopilot.com/mcp/ \\',
		"    --header 'Authorization: Bearer ${GITHUB_TOKEN}'",
		'chat --mcp files "What is in my notes?"',
	],
};
