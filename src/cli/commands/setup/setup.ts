/** `chat setup`: connects a service in a short dialog. Nothing is changed before its end. */
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode, toChatError} from '../../../errors.ts';
import {printInfo} from '../../../output/print.ts';
import {describeKey} from '../../../redact.ts';
import {readConfig} from '../../../settings/files/config-file.ts';
import {configPath, credentialsPath, requirePath} from '../../../settings/files/config-path.ts';
import {changeConfig} from '../../../settings/files/update-config.ts';
import {checkProfileName} from '../../../settings/options/config-values.ts';
import {optionRows} from '../../../settings/options/option-rows.ts';
import {findHosted, isLocalName} from '../../../settings/options/parse-service.ts';
import {storeKey} from '../../../settings/service/credentials.ts';
import {ask} from '../../ask.ts';
import type {Command, Invocation} from '../../command-line/command.ts';
import {verboseOnly} from '../../command-line/shared-rows.ts';
import {makePlan, type Plan} from './plan.ts';

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
		const isUrl = /^https?:\/\//.test(word);
		const url = isUrl ? word : word.replace(/:?$/, ':');
		if (!isUrl && !isLocalName(url) && findHosted(url) === undefined) return undefined;
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
