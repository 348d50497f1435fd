/**
 * Lists argument values, for a session's menu and a shell's Tab key. Nothing is fetched or started.
 */
import type {Environment} from '../../environment.ts';
import {redactUrl} from '../../redact.ts';
import type {MenuValue} from '../../repl/list/menu.ts';
import {modelsPath, offeredModelsPath} from '../../settings/files/config-path.ts';
import type {LoadedSettings} from '../../settings/options/load-settings.ts';
import {isBuiltIn, isNameOfPlaces} from '../../settings/options/parse-service.ts';
import type {Settings} from '../../settings/options/settings.ts';
import {placesOfService} from '../../settings/service/base-url.ts';
import {describeTime} from '../../wording.ts';
import {findSessionsFolder} from './saving/save-conversation.ts';
import {openToolFiles} from './tools/open-tools.ts';

/** Lists the models the service listed last, or its publicly known ones. */
export async function listModels(
	loaded: LoadedSettings,
	environment: Environment,
): Promise<readonly MenuValue[]> {
	const {baseUrl} = loaded.settings;
	if (baseUrl === undefined || isBuiltIn(baseUrl)) return valuesOf(['sol', 'terra', 'luna']);
	const urls = isNameOfPlaces(baseUrl)
		? placesOfService(loaded).map((place) => place.baseUrl)
		: [baseUrl];
	const {readModelNames} = await import('../../models/offered-models.ts');
	const path = offeredModelsPath(environment);
	const offered = urls.flatMap((url) => readModelNames(path, redactUrl(url)));
	if (offered.length > 0) return valuesOf(offered);
	const {loadKnownModels} = await import('../../models/known-models.ts');
	const known = await loadKnownModels(modelsPath(environment));
	return valuesOf(urls.flatMap((url) => known.list(url)));
}

function valuesOf(texts: readonly string[]): readonly MenuValue[] {
	return texts.map((text) => ({text}));
}

/** Older conversations are found by typing their ids, and with `/sessions`. */
const maxSessions = 100;

/** @param written an id prefix */
export async function listSessions(
	settings: Settings,
	environment: Environment,
	written = '',
): Promise<ReadonlyArray<Required<Pick<MenuValue, 'text' | 'label' | 'meaning'>>>> {
	const {listSessionFiles} = await import('../../sessions/session-files.ts');
	const {summarize} = await import('../../sessions/find-session.ts');
	const directory = findSessionsFolder(settings, environment);
	if (directory === undefined) return [];
	const isNamed = (id: string) => written !== '' && id.startsWith(written);
	const files = listSessionFiles(directory).filter(
		({id}, place) => place < maxSessions || isNamed(id),
	);
	const now = environment.date();
	return files.flatMap((file) => {
		const summary = summarize(file);
		if (summary === undefined) return [];
		const {id, title, updated} = summary;
		return [{text: id, label: title, meaning: describeTime(updated, now)}];
	});
}

/** A template with a mistake has no meaning. */
export async function listTemplates(
	settings: Settings,
	environment: Environment,
): Promise<readonly MenuValue[]> {
	const {needsInput} = await import('../../templates/expand-template.ts');
	const {findTemplates} = await import('../../templates/find-templates.ts');
	const {readTemplates} = await import('../../templates/read-template.ts');
	const {findPlaces} = await import('./template/template-places.ts');
	const readings = await readTemplates(findTemplates(findPlaces(settings, environment)));
	return readings.map((reading) => {
		if (!('template' in reading)) return {text: reading.found.name};
		const {name, description, argumentHint, params} = reading.template;
		const meaning = [argumentHint, description].filter((text) => text !== '').join(': ');
		const isAnyLeftOpen = Object.values(params).includes(null);
		// A call has, or may have, more than the name.
		const isPartial = argumentHint !== '' || isAnyLeftOpen || needsInput(reading.template);
		return {text: name, meaning, isPartial};
	});
}

/** Lists the tools from tools files, and the known server tools, one by one and all per server. */
export async function listTools(
	settings: Settings,
	environment: Environment,
): Promise<readonly MenuValue[]> {
	const source = {cwd: environment.cwd, isPipeAllowed: false};
	const files = await openToolFiles(settings, source, environment).catch(() => undefined);
	const commands = (files?.tools ?? []).map(({definition: {name, description = ''}}) => ({
		text: name,
		meaning: description,
	}));
	if (settings.mcp.length === 0) return commands;
	const {listServerTools} = await import('./list-servers.ts');
	return [...commands, ...listServerTools(settings.mcp, environment)];
}
