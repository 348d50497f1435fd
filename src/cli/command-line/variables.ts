/** Environment variables, for help and the manual page. */
import {hostedProviders} from '../../providers.ts';
import {longFlagOf} from '../../settings/options/option-row.ts';
import {rowOf, settingNames} from '../../settings/options/settings.ts';

type Entry = readonly [names: string, meaning: string];

const rows = settingNames
	.map(rowOf)
	.flatMap(({variable, ...row}) => (variable === undefined ? [] : [{...row, variable}]));

/** Variables without a flag. A backquote marks code. */
export const otherVariables: readonly Entry[] = [
	...rows
		.filter(({flags}) => flags.length === 0)
		.map(({variable, summary}): Entry => [variable, summary]),
	['CHAT_API_KEY', 'the API key, for the base URL of CHAT_BASE_URL if that is set'],
	[
		'OPENAI_BASE_URL, OPENAI_API_KEY',
		'base URL and key, as a pair, if neither CHAT_BASE_URL nor CHAT_API_KEY is set',
	],
	[
		[...new Set(hostedProviders.map(({keyVariable}) => keyVariable))].join(', '),
		'the key of the service with that name, for a base URL such as `openai:`',
	],
	['VISUAL, EDITOR', 'the editor for Ctrl-X Ctrl-E and for the commands that edit a file'],
	[
		'NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE, FORCE_HYPERLINK',
		'colours and links, as in other programs',
	],
	['ACCESSIBLE, INK_SCREEN_READER', 'plain lines, as with `--plain`'],
	['HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY', 'proxies, also in lower case'],
	['NODE_EXTRA_CA_CERTS', 'PEM file of additional certificates to trust'],
	['XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME', 'folders of the files, as absolute paths'],
];

/** Variables with a flag. */
export const flagVariables: readonly Entry[] = rows
	.filter(({flags}) => flags.length > 0)
	.map((row): Entry => [row.variable, `as \`${longFlagOf(row)}\``]);
