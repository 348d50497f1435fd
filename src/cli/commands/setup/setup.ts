/** `chat setup`: connects a service in a short dialog. Nothing is changed before its end. */
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode, toChatError} from '../../../errors.ts';
import {printInfo} from '../../../output/print.ts';
import {hostedProviders, localProviders} from '../../../providers.ts';
import {describeKey} from '../../../redact.ts';
import {type Config, readConfig} from '../../../settings/files/config-file.ts';
import {configPath, credentialsPath, requirePath} from '../../../settings/files/config-path.ts';
import {type ConfigValues, changeConfig} from '../../../settings/files/update-config.ts';
import {checkProfileName, readConfigValue} from '../../../settings/options/config-values.ts';
import {previewSettings} from '../../../settings/options/load-settings.ts';
import {optionRows} from '../../../settings/options/option-rows.ts';
import {configKeyOf, rowOf} from '../../../settings/options/settings.ts';
import {originOf} from '../../../settings/service/base-url.ts';
import {storeKey} from '../../../settings/service/credentials.ts';
import {ask, type Dialog} from '../../ask.ts';
import type {Command, FlagTexts, Invocation} from '../../command-line/command.ts';
import {verboseOnly} from '../../command-line/shared-rows.ts';
import {askProfile} from './ask-profile.ts';
import {askService} from './ask-service.ts';
import {type Connection, connect} from './connect.ts';
import {asObject, type Removal, settleKey, withValues} from './settle-key.ts';

type Plan = Connection & {
	readonly profile: string | undefined;
	/** The settings to store; those without a value are removed. */
	readonly values: ConfigValues;
	readonly removals: readonly Removal[];
};

const {profile, authHeader, insecureHttp, caFile, connectTimeout} = optionRows;

export const setup: Command = {
	name: 'setup',
	description:
		'Connects a service: one that runs on this machine, a hosted one by its name, or any by its URL. Asks for the key without showing it, lists the models, and offers a test. Changes nothing before the end.',
	flags: {
		profile: {...profile, summary: 'profile to store the connection in'},
		authHeader,
		insecureHttp,
		caFile,
		connectTimeout: {
			...connectTimeout,
			summary: 'maximum wait for a connection, and for the list of models',
		},
		verbose: verboseOnly,
	},
	bare: {args: '', summary: '', run: connectService},
	verbs: {},
	advise(word) {
		const name = word.replace(/:$/, '');
		const isUrl = /^https?:\/\//.test(word);
		const isName = [...hostedProviders, ...localProviders].some((row) => row.name === name);
		if (!isUrl && !isName) return undefined;
		const url = isUrl ? word : `${name}:`;
		return `chat setup asks which service. Without questions: chat config set base-url ${url}`;
	},
	notes: [
		'With --profile the connection is stored in that profile. Without a terminal, use the commands below.',
	],
	examples: ['chat config set base-url https://api.example.com', 'chat auth set < key.txt'],
};

/** @throws {ChatError} `usage` without a terminal; `interrupted` after Ctrl-C */
async function connectService({flags, environment}: Invocation): Promise<ExitCode> {
	const {profile: [name] = [], ...others} = flags;
	if (name !== undefined) checkProfileName(name);
	// A mistake in the file is reported before any question.
	const path = requirePath(configPath(environment));
	const config = readConfig(path, environment.platform);
	if (config.problem !== undefined) throw new ChatError('create', config.problem);
	const policy = {
		command: 'chat setup',
		purpose: 'ask its questions',
		instead: 'Instead: chat config set base-url <url>; chat auth set < key.txt',
		isPlain: config.values['plain'] === true,
	};
	const plan = await ask<Plan | undefined>(policy, environment, (dialog) =>
		makePlan({config, profile: name, flags: others}, dialog, environment).catch(
			(error: unknown) => {
				throw dialog.signal.aborted ? withoutChange(error) : error;
			},
		),
	);
	if (plan === undefined) {
		printInfo('nothing was changed', environment);
		return 0;
	}
	await carryOut(plan, path, environment);
	return 0;
}

function withoutChange(error: unknown): ChatError {
	const {kind, message, details} = toChatError(error);
	return new ChatError(kind, `${message}; nothing was changed`, details);
}

type Given = {
	readonly config: Config;
	/** The profile of the flag. */
	readonly profile: string | undefined;
	readonly flags: FlagTexts;
};

/** Returns undefined if the user decides against a connection. */
async function makePlan(
	{config, profile, flags}: Given,
	dialog: Dialog,
	environment: Environment,
): Promise<Plan | undefined> {
	const {variables, cwd} = environment;
	const loaded = previewSettings(config, undefined, environment, flags);
	await dialog.say('chat setup connects a service. Ctrl-C stops it, and changes nothing.');
	for (;;) {
		const service = await askService(dialog, environment);
		const connection = await connect(service, {loaded, dialog, environment});
		if (connection === 'stop') return undefined;
		if (connection === 'other-service') continue;
		const chosen = profile ?? (await askProfile(service, config, dialog));
		const values = {
			...settingsOf(connection, chosen, config, variables),
			...readFlags(flags, cwd),
		};
		const {newKey, origin} = connection;
		const place = {config: withValues(values, chosen, config), profile: chosen, origin};
		const settled =
			newKey === undefined ? {removals: []} : await settleKey(newKey, place, dialog, environment);
		return {...connection, ...settled, profile: chosen, values};
	}
}

/** Settings that go to one service only. */
const secretsOfService = ['api-key-command', 'api-key-file', 'headers'];

/** Returns the settings to store; those without a value are removed. */
function settingsOf(
	{baseUrl, origin, model}: Connection,
	profile: string | undefined,
	{values, profiles}: Config,
	variables: Environment['variables'],
): ConfigValues {
	const part = profile === undefined ? values : asObject(profiles[profile]);
	const isSameService = originOf(String(part['base-url']), variables) === origin;
	const others = isSameService ? [] : secretsOfService.map((key) => [key, undefined] as const);
	// A profile would inherit the header of the other service.
	const isInherited = profile !== undefined && values['auth-header'] !== undefined;
	const header = isInherited ? String(rowOf('authHeader').defaultValue) : undefined;
	return {...Object.fromEntries(others), 'auth-header': header, 'base-url': baseUrl, model};
}

/** Returns the settings of the flags that later runs need too. */
function readFlags(flags: FlagTexts, cwd: string): ConfigValues {
	const names = ['authHeader', 'insecureHttp', 'caFile'] as const;
	const values = names.flatMap((name) => {
		const text = flags[name]?.at(-1);
		const key = configKeyOf(name);
		if (text === undefined || key === undefined) return [];
		return [[key, readConfigValue(key, name, text, cwd)] as const];
	});
	return Object.fromEntries(values);
}

async function carryOut(
	{origin, newKey, model, profile, values, removals}: Plan,
	path: string,
	environment: Environment,
): Promise<void> {
	if (newKey !== undefined) {
		const keyPath = requirePath(credentialsPath(environment));
		await storeKey(keyPath, origin, newKey);
		printInfo(
			`the key for ${origin} (${describeKey(newKey)}) is stored in ${keyPath}`,
			environment,
		);
	}
	await changeConfig({path, profile}, values);
	for (const {key, profile} of removals) {
		await changeConfig({path, profile}, {[key]: undefined});
		printInfo(`${key} is removed from ${path}`, environment);
	}
	printInfo(`the service is stored in ${path}`, environment);
	const overriding = ['CHAT_BASE_URL', 'CHAT_MODEL'].filter((name) => environment.variables[name]);
	if (profile === undefined && overriding.length > 0) {
		const verb = overriding.length === 1 ? 'is set, and overrides' : 'are set, and override';
		printInfo(`${overriding.join(' and ')} ${verb} the file`, environment);
	}
	if (model === undefined) {
		printInfo('no model is stored: a run asks for one, or needs -m', environment);
	}
	const flag = profile === undefined ? '' : `--profile ${profile} `;
	printInfo(`try it: chat ${flag}"What is a monad?"`, environment);
}
