/**
 * Lists what a word of the command line may be. Nothing is fetched. What every answer needs is loaded
 * at once: a dynamic import of it would give it a file of its own, which every answer would read.
 */
import type {Environment} from '../../../environment.ts';
import {hostedProviders, localProviders} from '../../../providers.ts';
import {redactUrl} from '../../../redact.ts';
import {readConfig} from '../../../settings/files/config-file.ts';
import {configPath, modelsPath, offeredModelsPath} from '../../../settings/files/config-path.ts';
import {loadValidSettings} from '../../../settings/options/load-settings.ts';
import {
	anyLocal,
	builtIn,
	isBuiltIn,
	isNameOfPlaces,
	placesOf,
} from '../../../settings/options/parse-service.ts';
import {configKeys, rowOf} from '../../../settings/options/settings.ts';
import {describeTime} from '../../../wording.ts';
import {type CommandSet, flagsOf, rowsOf, textFlags} from '../../command-line/command.ts';
import {findSessionsFolder} from '../../run/saving/save-conversation.ts';
import {openToolFiles} from '../../run/tools/open-tools.ts';
import type {Place, Values} from './find-place.ts';

export type Candidate = {
	readonly text: string;
	readonly meaning?: string | undefined;
};

type Query = Pick<Place, 'line'> & {
	readonly set: CommandSet;
	/** The beginning of the value. */
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
	models: listModels,
	profiles: listProfiles,
	servers: listServers,
	'own-servers': listOwnServers,
	services: listServices,
	sessions: listSessions,
	templates: listTemplates,
	tools: listTools,
	params: listParams,
};

function listCommands({set, line}: Query): readonly Candidate[] {
	const known = Object.entries(set.commands).map(([text, {summary}]) => ({text, meaning: summary}));
	return line.print === 'help'
		? [...known, {text: 'all', meaning: 'every flag, the variables and the exit codes'}]
		: [...known, {text: 'help', meaning: 'print the help of a command'}];
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

/** Lists the models that the service listed last, or that are publicly known of it. */
async function listModels({line, environment}: Query): Promise<readonly Candidate[]> {
	const {settings, texts} = loadValidSettings(line.flags, environment);
	const {baseUrl} = settings;
	if (baseUrl === undefined || isBuiltIn(baseUrl))
		return ['sol', 'terra', 'luna'].map((text) => ({text}));
	const name = texts.baseUrl.at(-1) ?? '';
	const urls = isNameOfPlaces(baseUrl)
		? placesOf(name, environment.variables).map((place) => place.baseUrl)
		: [baseUrl];
	const {readModelNames} = await import('../../../models/offered-models.ts');
	const path = offeredModelsPath(environment);
	const offered = urls.flatMap((url) => readModelNames(path, redactUrl(url)));
	if (offered.length > 0) return offered.map((text) => ({text}));
	const {loadKnownModels} = await import('../../../models/known-models.ts');
	const known = await loadKnownModels(modelsPath(environment));
	return urls.flatMap((url) => known.list(url)).map((text) => ({text}));
}

function listProfiles({environment}: Query): readonly Candidate[] {
	const {profiles} = readConfig(configPath(environment), environment.platform);
	return Object.entries(profiles).map(([text, profile]) => {
		const {model, 'base-url': url} = Object(profile) as Record<string, unknown>;
		const meaning = [model, url].filter((value) => typeof value === 'string').join(', ');
		return {text, meaning};
	});
}

/** The user's own, and the files of this folder that may have others. */
async function listServers(query: Query): Promise<readonly Candidate[]> {
	const {listFolder} = await import('../../../input/list-names.ts');
	const names = await listFolder(query.environment.cwd);
	const files = names.filter((text) => text.endsWith('.json')).map((text) => ({text}));
	return [...(await listOwnServers(query)), ...files];
}

async function listOwnServers({environment}: Query): Promise<readonly Candidate[]> {
	const {listServerNames} = await import('./list-servers.ts');
	return listServerNames(environment);
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

/** Older ones are found by the beginning of their ids. */
const maxSessions = 100;

async function listSessions({line, text, environment}: Query): Promise<readonly Candidate[]> {
	const {listSessionFiles} = await import('../../../sessions/session-files.ts');
	const {summarize} = await import('../../../sessions/find-session.ts');
	const {settings} = loadValidSettings(line.flags, environment);
	const directory = findSessionsFolder(settings, environment);
	if (directory === undefined) return [];
	const isNamed = (id: string) => text !== '' && id.startsWith(text);
	const files = listSessionFiles(directory).filter(
		({id}, place) => place < maxSessions || isNamed(id),
	);
	const now = environment.date();
	return files.flatMap((file): readonly Candidate[] => {
		const summary = summarize(file);
		if (summary === undefined) return [];
		const {id, title, updated} = summary;
		const byId = {text: id, meaning: `${title}, ${describeTime(updated, now)}`};
		// The exact title names a conversation too.
		const isTitle = text !== '' && title.startsWith(text);
		return isTitle ? [byId, {text: title, meaning: describeTime(updated, now)}] : [byId];
	});
}

async function listTemplates({line, environment}: Query): Promise<readonly Candidate[]> {
	const {findTemplates} = await import('../../../templates/find-templates.ts');
	const {readTemplates} = await import('../../../templates/read-template.ts');
	const {findPlaces} = await import('../../run/template/template-places.ts');
	const {settings} = loadValidSettings(line.flags, environment);
	const readings = await readTemplates(findTemplates(findPlaces(settings, environment)));
	return readings.map((reading) =>
		'template' in reading
			? {text: reading.template.name, meaning: reading.template.description}
			: {text: reading.found.name},
	);
}

/** The tools of tools files, and those that are known of servers, one by one and all of a server. */
async function listTools({line, environment}: Query): Promise<readonly Candidate[]> {
	const {settings} = loadValidSettings(line.flags, environment);
	const source = {cwd: environment.cwd, isPipeAllowed: false};
	const files = await openToolFiles(settings, source, environment).catch(() => undefined);
	const commands = (files?.tools ?? []).map(({definition: {name, description}}) => ({
		text: name,
		meaning: description,
	}));
	if (settings.mcp.length === 0) return commands;
	const {listServerTools} = await import('./list-servers.ts');
	return [...commands, ...listServerTools(settings.mcp, environment)];
}

/** The parameters of the template that the line names. */
async function listParams({line, environment}: Query): Promise<readonly Candidate[]> {
	const {findTemplate} = await import('../../../templates/find-templates.ts');
	const {readTemplate} = await import('../../../templates/read-template.ts');
	const {findPlaces} = await import('../../run/template/template-places.ts');
	const {settings} = loadValidSettings(line.flags, environment);
	const found = findTemplate(settings.template ?? '', findPlaces(settings, environment));
	const {params} = await readTemplate(found);
	return Object.entries(params).map(([name, value]) => ({
		text: `${name}=`,
		meaning: value === null ? 'required' : `default: ${value}`,
	}));
}
