/**
 * Lists completions for a word, fetching nothing. Code needed by every answer is loaded at once:
 * importing it dynamically would cost one more file.
 */
import type {Environment} from '../../../environment.ts';
import {hostedProviders, localProviders} from '../../../providers.ts';
import {readConfig} from '../../../settings/files/config-file.ts';
import {configPath} from '../../../settings/files/config-path.ts';
import {type LoadedSettings, loadValidSettings} from '../../../settings/options/load-settings.ts';
import {anyLocal, builtIn} from '../../../settings/options/parse-service.ts';
import {configKeys, rowOf} from '../../../settings/options/settings.ts';
import {type CommandSet, flagsOf, rowsOf, textFlags} from '../../command-line/command.ts';
import {listModels, listSessions, listTemplates, listTools} from '../../run/list-values.ts';
import type {Place, Values} from './find-place.ts';

export type Candidate = {
	readonly text: string;
	readonly meaning?: string | undefined;
};

type Query = Pick<Place, 'line'> & {
	readonly set: CommandSet;
	/** The value's head. */
	readonly text: string;
	readonly environment: Environment;
};

type ListCandidates = (query: Query) => readonly Candidate[] | Promise<readonly Candidate[]>;

type Listed = Exclude<Values, readonly string[] | 'files' | 'mentions'>;

export const lists: Readonly<Record<Listed, ListCandidates>> = {
	commands: listCommands,
	verbs: listVerbs,
	flags: listFlags,
	keys: () => [...configKeys].map(([text, name]) => ({text, meaning: rowOf(name).summary})),
	models: (query) => listModels(load(query), query.environment),
	profiles: listProfiles,
	servers: listServersAndFiles,
	'own-servers': async ({environment}) =>
		(await import('../../run/list-servers.ts')).listServers(environment),
	services: listServices,
	sessions: listSessionNames,
	templates: (query) => listTemplates(load(query).settings, query.environment),
	tools: (query) => listTools(load(query).settings, query.environment),
	params: listParams,
};

/** Loads the line's valid settings. */
function load({line, environment}: Query): LoadedSettings {
	return loadValidSettings(line.flags, environment);
}

function listCommands({set, line}: Query): readonly Candidate[] {
	const known = Object.entries(set.commands).map(([text, {summary}]) => ({text, meaning: summary}));
	return line.instead === 'help'
		? [...known, {text: 'all', meaning: 'every flag, the variables and the exit codes'}]
		: [...known, {text: 'help', meaning: "print a command's help"}];
}

function listVerbs({line}: Query): readonly Candidate[] {
	const {verbs} = line.command;
	return Object.entries(verbs).map(([text, {summary}]) => ({text, meaning: summary}));
}

async function listFlags({set, line, text}: Query): Promise<readonly Candidate[]> {
	const {meaningOf} = await import('../../command-line/help.ts');
	const {command, verb} = line;
	const rows = rowsOf(command, verb);
	const flags = flagsOf(rows).map((flag) => {
		const row = rows[flag.name];
		const isOff = flag.long.startsWith('no-') && row?.flags.length === 2;
		return {flag, meaning: row && meaningOf(row, isOff)};
	});
	const help = textFlags
		.filter(({name}) => name === 'help' || command === set.chat)
		.map((flag) => ({flag, meaning: `print the ${flag.name}`}));
	return [...flags, ...help].flatMap(({flag: {long, short}, meaning}) => [
		{text: `--${long}`, meaning},
		...(short === undefined || text.startsWith('--') ? [] : [{text: `-${short}`, meaning}]),
	]);
}

function listProfiles({environment}: Query): readonly Candidate[] {
	const {profiles} = readConfig(configPath(environment), environment.platform);
	return Object.entries(profiles).map(([text, profile]) => {
		const {model, 'base-url': url} = Object(profile) as Record<string, unknown>;
		const meaning = [model, url].filter((value) => typeof value === 'string').join(', ');
		return {text, meaning};
	});
}

/** Lists the user's own templates, and this folder's templates by other authors. */
async function listServersAndFiles({environment}: Query): Promise<readonly Candidate[]> {
	const {listFolder} = await import('../../../input/list-names.ts');
	const {listServers} = await import('../../run/list-servers.ts');
	const names = await listFolder(environment.cwd);
	const files = names.filter((text) => text.endsWith('.json')).map((text) => ({text}));
	return [...listServers(environment), ...files];
}

function listServices(): readonly Candidate[] {
	const named = [...hostedProviders, ...localProviders].flatMap(({name, title}) =>
		name === undefined ? [] : [{text: `${name}:`, meaning: title}],
	);
	return [
		...named,
		{text: anyLocal, meaning: 'the first service found on this machine'},
		{text: builtIn, meaning: 'the built-in service'},
	];
}

async function listSessionNames(query: Query): Promise<readonly Candidate[]> {
	const {text, environment} = query;
	const listed = await listSessions(load(query).settings, environment, text);
	return listed.flatMap(({text: id, label: title, meaning: age}): readonly Candidate[] => {
		const byId = {text: id, meaning: `${title}, ${age}`};
		// The exact title names a conversation too.
		const isTitle = text !== '' && title.startsWith(text);
		return isTitle ? [byId, {text: title, meaning: age}] : [byId];
	});
}

/** The parameters of the template named on the line. */
async function listParams(query: Query): Promise<readonly Candidate[]> {
	const {findTemplate} = await import('../../../templates/find-templates.ts');
	const {readTemplate} = await import('../../../templates/read-template.ts');
	const {findPlaces} = await import('../../run/template/template-places.ts');
	const {settings} = load(query);
	const found = findTemplate(settings.template ?? '', findPlaces(settings, query.environment));
	const {params} = await readTemplate(found);
	return Object.entries(params).map(([name, value]) => ({
		text: `${name}=`,
		meaning: value === null ? 'required' : `default: ${value}`,
	}));
}
