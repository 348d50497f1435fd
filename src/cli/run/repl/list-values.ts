/** Lists what arguments may be: models, sessions, templates, files. */
import {resolve} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {asObject} from '../../../json.ts';
import type {MenuValue, ValueSource} from '../../../repl/list/menu.ts';
import {readConfig} from '../../../settings/files/config-file.ts';
import {configPath} from '../../../settings/files/config-path.ts';
import {formatTokens} from '../../../wording.ts';
import {listSessions, listTemplates} from '../list-values.ts';
import type {Run} from '../turn-runner.ts';
import {expandHome} from './load-attachments.ts';

type ListValues = (source: ValueSource) => Promise<readonly MenuValue[]>;

/** The service is asked for its models until it has answered once. */
export function createValueLister(run: Run, environment: Environment): ListValues {
	let models: Promise<readonly MenuValue[]> | undefined;
	/** The service offering these models. */
	let service: Run['service'] | undefined;
	return async (source) => {
		switch (source.type) {
			case 'models':
				if (service !== run.service) models = undefined;
				service = run.service;
				models ??= listModelNames(run, environment).catch((error: unknown) => {
					models = undefined;
					throw error;
				});
				return await models;
			case 'profiles':
				return listProfiles(run, environment);
			case 'sessions':
				return await listSessions(run.settings, environment);
			case 'templates':
				// A template with a mistake cannot be called.
				return (await listTemplates(run.settings, environment)).filter(
					({meaning}) => meaning !== undefined,
				);
			case 'arguments': {
				const {completeArgument} = await import('./server-calls.ts');
				return await completeArgument(source, run, environment);
			}
			case 'files':
			case 'folder':
				return await listPaths(source, environment);
			default:
				return source satisfies never;
		}
	};
}

const limitMs = 10_000;

async function listModelNames(
	{service, signal}: Run,
	environment: Environment,
): Promise<readonly MenuValue[]> {
	const {reportModels} = await import('../service/report-models.ts');
	const reports = await reportModels(service, {limitMs, signal}, environment);
	return reports.map(({name, figures: {reasoning, context}}) => {
		const words = [
			...(reasoning?.value === true ? ['reasons'] : []),
			...(typeof context?.value === 'number' ? [formatTokens(context.value)] : []),
		];
		return {text: service.redact(name), ...(words.length > 0 && {meaning: words.join(' · ')})};
	});
}

function listProfiles({flags}: Run, environment: Environment): readonly MenuValue[] {
	const {profiles} = readConfig(configPath(environment), environment.platform);
	const current = flags['profile']?.at(-1) ?? environment.variables['CHAT_PROFILE'];
	return Object.entries(profiles).map(([text, values]) => {
		const {'base-url': baseUrl, model} = asObject(values) ?? {};
		const words = [text === current ? 'current' : '', baseUrl, model].filter(isText);
		return {text, meaning: words.join(' · ')};
	});
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

async function listPaths(
	source: Extract<ValueSource, {type: 'files' | 'folder'}>,
	environment: Environment,
): Promise<readonly MenuValue[]> {
	const {listFolder, listTree} = await import('../../../input/list-names.ts');
	const names =
		source.type === 'folder'
			? await listFolder(resolve(environment.cwd, expandHome(source.path, environment)))
			: await listTree(environment);
	return names.map((text) => ({text, isPartial: text.endsWith('/')}));
}
