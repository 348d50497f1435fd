/** `chat templates`: finds, shows and checks prompt templates. */
import {optionRows} from '../../../settings/options/option-rows.ts';
import type {Command} from '../../command-line/command.ts';
import {listOutput, verboseOnly} from '../../command-line/shared-rows.ts';
import {editTemplate} from './edit-template.ts';
import {importTemplates} from './import-templates.ts';
import {deleteTemplates, renameTemplate, trustTemplates} from './own-templates.ts';
import {checkTemplates, listTemplates, printPath, showTemplate} from './show-templates.ts';
import {withPlaces, yesRows} from './template-verb.ts';

const list = {
	args: '',
	summary: 'print the templates, with what each is for',
	run: withPlaces(listTemplates),
};

export const templates: Command = {
	name: 'templates',
	description: 'Lists, shows, edits, checks, renames, deletes and imports prompt templates.',
	flags: {output: listOutput, profile: optionRows.profile, verbose: verboseOnly},
	bare: list,
	verbs: {
		list,
		show: {
			args: '<name>',
			summary: 'print the file of one',
			complete: ['templates'],
			run: withPlaces(showTemplate),
		},
		edit: {
			args: '<name>',
			summary: 'open one in $VISUAL, $EDITOR or vi, or a new one, then check it',
			complete: ['templates'],
			run: withPlaces(editTemplate),
		},
		path: {
			args: '[name]',
			summary: 'print the path of one, or of your folder',
			complete: ['templates'],
			run: withPlaces(printPath),
		},
		check: {
			args: '[name...]',
			summary: 'report mistakes in these, or in all',
			complete: ['templates'],
			run: withPlaces(checkTemplates),
		},
		rename: {
			args: '<name> <new-name>',
			summary: 'rename one in your own folder',
			complete: ['templates'],
			run: withPlaces(renameTemplate),
		},
		delete: {
			args: '<name...>',
			summary: 'delete these from your own folder, after asking',
			flags: yesRows,
			complete: ['templates'],
			run: withPlaces(deleteTemplates),
		},
		import: {
			args: '<file|folder|-> [name]',
			summary: "copy other programs' templates from a file, a folder, or stdin (-)",
			flags: yesRows,
			complete: ['files'],
			run: withPlaces(importTemplates),
		},
		trust: {
			args: '<folder|name>',
			summary:
				'trust the templates of a repository (.agents/skills, .claude/commands, .claude/skills), or let one template name files outside its folder; until they change',
			complete: ['templates'],
			run: withPlaces(trustTemplates),
		},
	},
	notes: [
		'A template is known by its name, or by the path of its file, which has a slash or ends in .md. A prompt and its flags become a template with --save-template.',
	],
	examples: [
		'git diff | chat -t review security',
		'chat templates import ~/.claude/commands',
		"chat templates list -o json | jq -r '.[].name'",
	],
};
