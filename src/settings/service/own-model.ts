/** Chooses among the models that a run was given. As a key, a model is for the base URL it came with. */
import type {LoadedSettings} from '../options/load-settings.ts';
import {readGiven, type SettingSource} from '../options/merge.ts';
import {findBaseUrl, findUrlBeside, isForRun} from './base-url.ts';

export type ModelLeftOut = {readonly name: string; readonly baseUrl: string};

type OwnModel = {readonly loaded: LoadedSettings; readonly leftOut: ModelLeftOut | undefined};

/**
 * Returns the settings with the model for the service of the run, or without one, and the strongest
 * model that is for another service. A model of the command line or of a template is for any.
 *
 * @param loaded with the address of a service that was found by its name
 */
export function withOwnModel(loaded: LoadedSettings): OwnModel {
	const {sources, given} = loaded;
	if (sources.model === 'flag' || sources.model === 'template') {
		return {loaded, leftOut: undefined};
	}
	const origin = findBaseUrl(loaded)?.origin;
	let leftOut: ModelLeftOut | undefined;
	for (const one of given.model) {
		const name = readGiven('model', one) ?? '';
		const baseUrl = findUrlBeside(one, loaded);
		if (baseUrl === undefined || isForRun(baseUrl, origin, loaded)) {
			return {loaded: withModel(name, one.source, loaded), leftOut};
		}
		leftOut ??= {name, baseUrl};
	}
	return {loaded: withModel('', 'default', loaded), leftOut};
}

/** @param name empty for a model that was dropped */
function withModel(name: string, source: SettingSource, loaded: LoadedSettings): LoadedSettings {
	const isSet = name !== '';
	const {settings, sources, texts} = loaded;
	return {
		...loaded,
		settings: Object.freeze({...settings, model: isSet ? name : undefined}),
		sources: {...sources, model: isSet ? source : 'default'},
		texts: {...texts, model: isSet ? [name] : []},
	};
}
