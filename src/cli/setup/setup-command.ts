/** `chat setup`: connects a service in a short dialog. Nothing is changed before its end. */
import type {Environment} from '../../environment.ts';
import {ChatError, type ExitCode} from '../../errors.ts';
import {printInfo} from '../../output/print.ts';
import {describeKey} from '../../redact.ts';
import {type Config, readConfig} from '../../settings/files/config-file.ts';
import {configPath, credentialsPath, requirePath} from '../../settings/files/config-path.ts';
import {setConfigValues} from '../../settings/files/update-config.ts';
import {storeKey} from '../../settings/service/credentials.ts';
import {canDraw} from '../../terminal/capabilities.ts';
import {openPrompter, type Prompter} from '../../ui/prompts/prompter.ts';
import type {CommandLine} from '../command-line/parse-argv.ts';
import {checkProfileName} from '../config/config-keys.ts';
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
	const prompter = openPrompter(environment);
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
	await carryOut(plan, path, environment);
	return 0;
}

function checkTerminal({stdin, stderr, variables}: Environment): void {
	if (stdin.kind === 'terminal' && stderr.isTerminal && canDraw(variables)) return;
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

/** Settings that would be wrong for another service. */
const settingsOfService = ['api-key-command', 'api-key-file', 'auth-header', 'headers', 'model'];

async function carryOut(
	{baseUrl, origin, model, newKey, profile}: Plan,
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
	const others = settingsOfService.map((key) => [key, undefined] as const);
	const values = {...Object.fromEntries(others), 'base-url': baseUrl, model};
	await setConfigValues({path, profile}, values);
	printInfo(`the service is stored in ${path}`, environment);
	const overriding = ['CHAT_BASE_URL', 'CHAT_MODEL'].filter((name) => environment.variables[name]);
	if (profile === undefined && overriding.length > 0) {
		const verb = overriding.length === 1 ? 'is set, and overrides' : 'are set, and override';
		printInfo(`${overriding.join(' and ')} ${verb} the file`, environment);
	}
	const flag = profile === undefined ? '' : `--profile ${profile} `;
	printInfo(`try it: chat ${flag}"What is a monad?"`, environment);
}
