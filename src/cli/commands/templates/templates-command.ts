/** `chat templates`: finds, shows and checks prompt templates. */
import type {Environment} from '../../../environment.ts';
import type {ExitCode} from '../../../errors.ts';
import {loadSettings} from '../../../settings/options/load-settings.ts';
import {checkVerb, type VerbRules} from '../../check-verb.ts';
import type {CommandLine} from '../../command-line/parse-argv.ts';
import {readFlags} from '../../command-line/read-flags.ts';
import type {templateVerbs} from '../../command-line/resolve-command.ts';
import {templateRows} from '../../command-line/template-options.ts';
import {findPlaces} from '../../run/template/template-places.ts';
import type {RunTemplateVerb} from './template-verb.ts';

type Verb = VerbRules<typeof templateRows> & {
	readonly load: () => Promise<RunTemplateVerb>;
};

export const verbs: Readonly<Record<(typeof templateVerbs)[number], Verb>> = {
	list: {
		usage: 'chat templates list',
		minWords: 0,
		maxWords: 0,
		flags: [],
		load: async () => (await import('./list-templates.ts')).listTemplates,
	},
	show: {
		usage: 'chat templates show <name>',
		minWords: 1,
		maxWords: 1,
		flags: [],
		load: async () => (await import('./show-template.ts')).showTemplate,
	},
	path: {
		usage: 'chat templates path [name]',
		minWords: 0,
		maxWords: 1,
		flags: [],
		load: async () => (await import('./show-template.ts')).printPath,
	},
	check: {
		usage: 'chat templates check [name...]',
		minWords: 0,
		maxWords: Number.POSITIVE_INFINITY,
		flags: [],
		load: async () => (await import('./check-templates.ts')).checkTemplates,
	},
	edit: {
		usage: 'chat templates edit <name>',
		minWords: 1,
		maxWords: 1,
		flags: [],
		load: async () => (await import('./edit-template.ts')).editTemplate,
	},
	rename: {
		usage: 'chat templates rename <name> <new name>',
		minWords: 2,
		maxWords: 2,
		flags: [],
		load: async () => (await import('./own-template.ts')).renameTemplate,
	},
	delete: {
		usage: 'chat templates delete <name...> [--yes]',
		minWords: 1,
		maxWords: Number.POSITIVE_INFINITY,
		flags: ['yes'],
		load: async () => (await import('./own-template.ts')).deleteTemplates,
	},
	import: {
		usage: 'chat templates import <file|folder|-> [name] [--yes]',
		minWords: 1,
		maxWords: 2,
		flags: ['yes'],
		load: async () => (await import('./import-templates.ts')).importTemplates,
	},
	trust: {
		usage: 'chat templates trust <folder|name>',
		minWords: 1,
		maxWords: 1,
		flags: [],
		load: async () => (await import('./trust-templates.ts')).trustTemplates,
	},
};

export async function runTemplatesCommand(
	{words, flags}: CommandLine,
	environment: Environment,
): Promise<ExitCode> {
	const [name = 'list', ...rest] = words.map(({text}) => text);
	const verb = Object.entries(verbs).find(([known]) => known === name)?.[1] ?? verbs.list;
	checkVerb(`templates ${name}`, verb, templateRows, {words: rest, flags});
	const {settings} = loadSettings(flags, environment);
	const run = await verb.load();
	return await run({
		words: rest,
		places: findPlaces(settings, environment),
		settings,
		flags: readFlags(templateRows, flags),
		environment,
	});
}
