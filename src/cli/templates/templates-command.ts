/** `chat templates`: finds, shows and checks prompt templates. */
import type {Environment} from '../../environment.ts';
import type {ExitCode} from '../../errors.ts';
import {loadSettings} from '../../settings/options/load-settings.ts';
import {checkVerb, type VerbRules} from '../check-verb.ts';
import type {OptionRows} from '../command-line/command-flags.ts';
import type {CommandLine} from '../command-line/parse-argv.ts';
import type {templateVerbs} from '../command-line/resolve-command.ts';
import {findPlaces} from './template-places.ts';
import type {RunTemplateVerb} from './template-verb.ts';

type Verb = Omit<VerbRules<OptionRows>, 'flags'> & {
	readonly load: () => Promise<RunTemplateVerb>;
};

const verbs: Readonly<Record<(typeof templateVerbs)[number], Verb>> = {
	list: {
		usage: 'chat templates list',
		minWords: 0,
		maxWords: 0,
		load: async () => (await import('./list-templates.ts')).listTemplates,
	},
	show: {
		usage: 'chat templates show <name>',
		minWords: 1,
		maxWords: 1,
		load: async () => (await import('./show-template.ts')).showTemplate,
	},
	path: {
		usage: 'chat templates path [name]',
		minWords: 0,
		maxWords: 1,
		load: async () => (await import('./show-template.ts')).printPath,
	},
	check: {
		usage: 'chat templates check [name...]',
		minWords: 0,
		maxWords: Number.POSITIVE_INFINITY,
		load: async () => (await import('./check-templates.ts')).checkTemplates,
	},
	edit: {
		usage: 'chat templates edit <name>',
		minWords: 1,
		maxWords: 1,
		load: async () => (await import('./edit-template.ts')).editTemplate,
	},
	import: {
		usage: 'chat templates import <file|folder|-> [name]',
		minWords: 1,
		maxWords: 2,
		load: async () => (await import('./import-templates.ts')).importTemplates,
	},
	adopt: {
		usage: 'chat templates adopt',
		minWords: 0,
		maxWords: 0,
		load: async () => (await import('./adopt-templates.ts')).adoptTemplates,
	},
	trust: {
		usage: 'chat templates trust <folder|name>',
		minWords: 1,
		maxWords: 1,
		load: async () => (await import('./trust-templates.ts')).trustTemplates,
	},
};

export async function runTemplatesCommand(
	{words, flags}: CommandLine,
	environment: Environment,
): Promise<ExitCode> {
	const [name = 'list', ...rest] = words.map(({text}) => text);
	const verb = Object.entries(verbs).find(([known]) => known === name)?.[1] ?? verbs.list;
	checkVerb(`templates ${name}`, {...verb, flags: []}, {}, {words: rest, flags});
	const {settings} = loadSettings(flags, environment);
	const run = await verb.load();
	return await run({
		words: rest,
		places: findPlaces(settings, environment),
		settings,
		environment,
	});
}
