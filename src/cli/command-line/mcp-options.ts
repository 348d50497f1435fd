/** The options of `chat mcp`, in the form of the other options. They have no variables. */
import {inGroup, list, optional, toggle} from '../../settings/options/option-row.ts';
import {optionRows} from '../../settings/options/option-rows.ts';
import {parseName} from '../../settings/options/parsers.ts';

const {flags, parse} = optionRows.header;

export const mcpRows = inGroup('Options', {
	url: optional(parseName, {
		flags: ['--url <url>'],
		summary: 'add: the address of a server that is reached by HTTP',
	}),
	env: list({
		flags: ['--env <name>'],
		summary:
			'add: a variable that the program gets from your environment, or NAME=value; repeatable',
	}),
	header: {
		flags,
		parse,
		defaultValue: optionRows.header.defaultValue,
		summary: "add: a header for --url, such as 'X-Token: ${TOKEN}'; repeatable",
	},
	cwd: optional(parseName, {
		flags: ['--cwd <folder>'],
		values: 'files',
		summary: 'add: the folder that the program runs in, if not your home folder',
	}),
	yes: toggle(false, {
		flags: ['-y, --yes'],
		summary: 'add, import, refresh, remove: answer yes to every question',
	}),
});
