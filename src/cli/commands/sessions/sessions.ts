/** `chat sessions`: finds, shows and deletes saved conversations. */
import {optionRows} from '../../../settings/options/option-rows.ts';
import type {Command} from '../../command-line/command.ts';
import {listOutput, verboseOnly} from '../../command-line/shared-rows.ts';
import {prune, redact, remove, rename} from './change.ts';
import {exportOne, show} from './export.ts';
import {list, listOrBrowse, path, search} from './find.ts';
import {importAll} from './import.ts';

export const sessions: Command = {
	name: 'sessions',
	description: 'Finds, shows, exports, imports and deletes saved conversations.',
	flags: {output: listOutput, profile: optionRows.profile, verbose: verboseOnly},
	bare: listOrBrowse,
	verbs: {
		list,
		search,
		show,
		export: exportOne,
		rename,
		path,
		import: importAll,
		delete: remove,
		prune,
		redact,
	},
	notes: [
		'On a terminal, chat sessions without a command lets you choose one and continue it.',
		'An id may be shortened to 4 characters. The exact title works too.',
	],
	examples: [
		'chat sessions search pelican "good name" --since 2w',
		'chat -r k3f9 "and in French?"',
		"chat sessions list -o json | jq -r '.[].title'",
	],
};
