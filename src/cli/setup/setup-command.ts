/** `chat setup`: connects a service in a short dialog. Nothing is changed before its end. */
import type {Environment} from '../../environment.ts';
import {ChatError, type ExitCode} from '../../errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../json.ts';
import {printInfo} from '../../output/print.ts';
import {describeKey} from '../../redact.ts';
import {type Config, readConfig} from '../../settings/files/config-file.ts';
import {configPath, credentialsPath, requirePath} from '../../settings/files/config-path.ts';
import {type ConfigPlace, setConfigValues} from '../../settings/files/update-config.ts';
import {parseService} from '../../settings/options/parse-service.ts';
import {configKeyOf, rowOf} from '../../settings/options/settings.ts';
import {storeKey} from '../../settings/service/credentials.ts';
import {openPrompter, type Prompter} from '../../ui/prompts/prompter.ts';
import type {CommandLine} from '../command-line/parse-argv.ts';
import {checkProfileName, readConfigValue} from '../config/config-keys.ts';
import {askProfile} from './ask-profile.ts';
import {askService} from './ask-service.ts';
import {type Connection, connect} from './connect.ts';

type Plan = Connection & {readonly profile: string | undefined};

/** @throws {ChatError} `usage` without a terminal; `interrupted` after Ctrl-C */
export async function runSetupCommand(
	{flags}: CommandLine,
	environment: Environment,
): Promise<ExitCode> {
	checkTerminal(environment);
	const {profile: [profile] = [], ...others} = flags;
	if (profile !== undefined) checkProfileName(profile);
	// A mistake in the file is reported before any question.
	const path = requirePath(configPath(environment));
	const config = readConfig(path, environment.platform);
	if (config.problem !== undefined) throw new ChatError('create', config.problem);
	const prompter = openPrompter(environment, config.values['plain'] === true);
	const stopListening = environment.onInterrupt(prompter.interrupt);
	let plan: Plan | undefined;
	try {
		plan = await makePlan({config, profile, flags: others}, prompter, environment);
	} finally {
		stopListening();
		prompter.close();
	}
	if (plan === undefined) {
		printInfo('nothing was changed', environment);
		return 0;
	}
	const values = {
		...settingsOf(plan, config, environment.variables),
		...readFlags(others, environment.cwd),
	};
	await carryOut(plan, {path, profile: plan.profile}, values, environment);
	return 0;
}

function checkTerminal({stdin, stderr}: Environment): void {
	if (stdin.kind === 'terminal' && stderr.isTerminal) return;
	throw new ChatError('usage', 'setup asks questions, and needs a terminal for that', {
		hint: {
			code: 'own-words',
			words: 'Instead: chat config set base-url <url>; chat auth set < key.txt',
		},
	});
}

type Given = {
	readonly config: Config;
	/** The profile of the flag. */
	readonly profile: string | undefined;
	readonly flags: CommandLine['flags'];
};

/** Returns undefined if the user decides against a connection. */
async function makePlan(
	{config, profile, flags}: Given,
	prompter: Prompter,
	environment: Environment,
): Promise<Plan | undefined> {
	await prompter.say('chat setup connects a service. Ctrl-C stops it, and changes nothing.');
	const service = await askService(prompter, environment);
	const connection = await connect(service, {flags, prompter, environment});
	if (connection === undefined) return undefined;
	return {...connection, profile: profile ?? (await askProfile(service, config, prompter))};
}

type ConfigValues = Readonly<Record<string, JsonValue | undefined>>;

/** Settings that go to one service only. */
const secretsOfService = ['api-key-command', 'api-key-file', 'headers'];

/** Returns the settings to store; those without a value are removed. */
function settingsOf(
	{baseUrl, origin, model, profile}: Plan,
	{values, profiles}: Config,
	variables: Environment['variables'],
): ConfigValues {
	const part = profile === undefined ? values : asObject(profiles[profile]);
	const isSameService = originOf(part['base-url'], variables) === origin;
	const others = isSameService ? [] : secretsOfService.map((key) => [key, undefined] as const);
	// A profile would inherit the header of the other service.
	const isInherited = profile !== undefined && values['auth-header'] !== undefined;
	const header = isInherited ? String(rowOf('authHeader').defaultValue) : undefined;
	return {...Object.fromEntries(others), 'auth-header': header, 'base-url': baseUrl, model};
}

function asObject(value: JsonValue | undefined): JsonObject {
	return isJsonObject(value) ? value : {};
}

function originOf(
	baseUrl: JsonValue | undefined,
	variables: Environment['variables'],
): string | undefined {
	try {
		return parseService(String(baseUrl), undefined, variables).origin;
	} catch {
		return undefined;
	}
}

/** Returns the settings of the flags that later runs need too. */
function readFlags(flags: CommandLine['flags'], cwd: string): ConfigValues {
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
	{origin, newKey}: Plan,
	place: ConfigPlace,
	values: ConfigValues,
	environment: Environment,
): Promise<void> {
	const {path, profile} = place;
	if (newKey !== undefined) {
		const keyPath = requirePath(credentialsPath(environment));
		await storeKey(keyPath, origin, newKey);
		printInfo(
			`the key for ${origin} (${describeKey(newKey)}) is stored in ${keyPath}`,
			environment,
		);
	}
	await setConfigValues(place, values);
	printInfo(`the service is stored in ${path}`, environment);
	const overriding = ['CHAT_BASE_URL', 'CHAT_MODEL'].filter((name) => environment.variables[name]);
	if (profile === undefined && overriding.length > 0) {
		const verb = overriding.length === 1 ? 'is set, and overrides' : 'are set, and override';
		printInfo(`${overriding.join(' and ')} ${verb} the file`, environment);
	}
	const flag = profile === undefined ? '' : `--profile ${profile} `;
	printInfo(`try it: chat ${flag}"What is a monad?"`, environment);
}
