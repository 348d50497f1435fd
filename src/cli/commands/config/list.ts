/** `chat config list`, `profiles` and `rename`, and `unset --profile` without a key. */
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {isJsonObject, type JsonObject} from '../../../json.ts';
import {alignColumns} from '../../../output/align-columns.ts';
import {printInfo, printList} from '../../../output/print.ts';
import {redactUrlText} from '../../../redact.ts';
import {profilesKey, readConfig} from '../../../settings/files/config-file.ts';
import {configPath} from '../../../settings/files/config-path.ts';
import {changeProfiles} from '../../../settings/files/update-config.ts';
import {checkProfileName} from '../../../settings/options/config-values.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import {configKeys} from '../../../settings/options/settings.ts';
import {describeSettings} from '../../../settings/service/describe-settings.ts';
import {escapeInvisible} from '../../../terminal/safe-text.ts';
import {shorten} from '../../../wording.ts';
import {confirm} from '../../ask.ts';

export async function listProfiles(
	output: 'text' | 'json' | 'jsonl',
	environment: Environment,
): Promise<ExitCode> {
	const {profiles} = readConfig(configPath(environment), environment.platform);
	const rows = Object.entries(profiles).map(([name, profile]) => {
		const {'base-url': url, model} = isJsonObject(profile) ? profile : {};
		return {
			name,
			base_url: typeof url === 'string' ? redactUrlText(url) : null,
			model: typeof model === 'string' ? model : null,
		};
	});
	if (rows.length === 0) printInfo('there are no profiles yet', environment);
	const toCells = (row: (typeof rows)[number]) =>
		[row.name, row.base_url ?? '', row.model ?? ''].map(escapeInvisible);
	return await printList(
		rows,
		{format: output, toJson: (row) => row, toText: (all) => alignColumns(all.map(toCells))},
		environment,
	);
}

/** @throws {ChatError} `usage` without a terminal, `config` for a missing profile */
export async function removeProfile(
	path: string,
	name: string,
	{isYes, isPlain}: {readonly isYes: boolean; readonly isPlain: () => boolean},
	environment: Environment,
): Promise<ExitCode> {
	const {profiles} = readConfig(path, environment.platform);
	const keys = Object.keys(readProfile(profiles, name, path)).join(', ');
	const question = `Remove the profile ${name}${keys === '' ? '' : ` (${keys})`}?`;
	const policy = {command: 'chat config unset', isYes, isPlain: isPlain()};
	if (!(await confirm(question, policy, environment))) {
		printInfo('nothing was removed', environment);
		return 0;
	}
	await changeProfiles(path, ({[name]: _, ...others}) => others);
	printInfo(`removed the profile ${name}`, environment);
	return 0;
}

/** @throws {ChatError} `create` if the new name exists, `config` for a missing profile */
export async function renameProfile(
	path: string,
	from: string,
	to: string,
	environment: Environment,
): Promise<ExitCode> {
	checkProfileName(to);
	await changeProfiles(path, (profiles) => {
		readProfile(profiles, from, path);
		if (Object.hasOwn(profiles, to)) {
			throw new ChatError('create', `the profile ${to} exists in ${path}`);
		}
		return Object.fromEntries(
			Object.entries(profiles).map(([name, values]) => [name === from ? to : name, values]),
		);
	});
	printInfo(`renamed the profile ${from} to ${to}`, environment);
	return 0;
}

function readProfile(profiles: JsonObject, name: string, path: string): JsonObject {
	const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
	if (profile !== undefined) return isJsonObject(profile) ? profile : {};
	throw new ChatError('config', `there is no profile ${name} in ${path}`, {
		hint: 'chat config profiles shows them.',
	});
}

/**
 * Prints the given settings, or all, with their sources; as text also the config file's content.
 */
export async function listConfig(
	loaded: LoadedSettings,
	isAll: boolean,
	environment: Environment,
): Promise<ExitCode> {
	// The command's own flag is not the run's setting.
	const settings = describeSettings(loaded).filter(
		({source}) => source !== '--output' && (isAll || source !== 'default'),
	);
	return await printList(
		settings,
		{
			format: loaded.settings.output,
			toJson: ({key, text, source}) => ({key, value: text === '' ? null : text, source}),
			async toText(rows) {
				const cells = rows.map(({key, text, source}) => [
					key,
					text === '' ? '(not set)' : escapeInvisible(shorten(text, 60)),
					source,
				]);
				const gap = rows.length === 0 ? '' : '\n';
				const file = await alignColumns(describeFile(loaded));
				return `${await alignColumns(cells)}${gap}${file}`;
			},
		},
		environment,
	);
}

function describeFile({config, layers}: LoadedSettings): ReadonlyArray<readonly string[]> {
	const {path = '(there is no home folder)', exists, problem} = config;
	const state = problem === undefined ? path : `${path} (not readable)`;
	const profiles = Object.keys(config.profiles).join(', ');
	const keys = layers.flatMap(({values}) => Object.keys(values));
	const unknown = keys.filter((key) => !configKeys.has(key)).join(', ');
	return [
		['file', exists ? state : `${path} (does not exist yet)`],
		[profilesKey, profiles === '' ? '(none)' : profiles],
		...(unknown === '' ? [] : [['unknown keys', `${unknown} (ignored)`]]),
	].map((cells) => cells.map(escapeInvisible));
}
