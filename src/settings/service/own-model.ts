/** Chooses among the models that a run was given. As a key, a model is for the base URL it came with. */
import type {Variables} from '../../environment.ts';
import type {LoadedSettings} from '../options/load-settings.ts';
import {readInLayer, type SettingSource} from '../options/merge.ts';
import {findBaseUrl, isForRun, readUrlBeside} from './base-url.ts';

type Candidate = {
	/** Empty for a model that was dropped. */
	readonly name: string;
	readonly source: SettingSource;
	/** Undefined for any service. */
	readonly baseUrl: string | undefined;
};

export type ModelLeftOut = {readonly name: string; readonly baseUrl: string};

/**
 * Returns the settings with the model for the service of the run, or without one, and the strongest
 * model that is for another service. A model of the command line or of a template is for any.
 *
 * @param loaded with the address of a service that was found by its name
 */
export function withOwnModel(
	loaded: LoadedSettings,
	variables: Variables,
): {readonly loaded: LoadedSettings; readonly leftOut: ModelLeftOut | undefined} {
	const {sources} = loaded;
	if (sources.model === 'flag' || sources.model === 'template') {
		return {loaded, leftOut: undefined};
	}
	const origin = findBaseUrl(loaded, variables)?.origin;
	let leftOut: ModelLeftOut | undefined;
	for (const {name, source, baseUrl} of listCandidates(loaded, variables)) {
		if (baseUrl === undefined || isForRun(baseUrl, origin, loaded, variables)) {
			return {loaded: withModel(name, source, loaded), leftOut};
		}
		leftOut ??= {name, baseUrl};
	}
	return {loaded: withModel('', 'default', loaded), leftOut};
}

/** Returns the models from the strongest source to the weakest. */
function listCandidates(loaded: LoadedSettings, variables: Variables): readonly Candidate[] {
	const {savedModel, layers} = loaded;
	const inFile = (isStronger: boolean) =>
		layers
			.filter(({values, beatsVariables}) => 'model' in values && beatsVariables === isStronger)
			.map((layer): Candidate => {
				const name = readInLayer('model', layer) ?? '';
				return {name, source: layer.source, baseUrl: readUrlBeside(layer, layers)};
			})
			.reverse();
	const name = variables['CHAT_MODEL'];
	const baseUrl = variables['CHAT_BASE_URL'] || undefined;
	const ofVariable = name === undefined ? [] : [{name, source: 'environment', baseUrl} as const];
	const saved = savedModel === undefined ? [] : [{...savedModel, source: 'session'} as const];
	return [...saved, ...inFile(true), ...ofVariable, ...inFile(false)];
}

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
