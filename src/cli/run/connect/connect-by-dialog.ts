/** Connects a service in a dialog, for `chat setup` and for a session. Nothing changes before its end. */
import type {Environment} from '../../../environment.ts';
import {ChatError, toChatError} from '../../../errors.ts';
import {printInfo} from '../../../output/print.ts';
import {describeKey} from '../../../redact.ts';
import {readConfig} from '../../../settings/files/config-file.ts';
import {configPath, credentialsPath, requirePath} from '../../../settings/files/config-path.ts';
import {changeConfig} from '../../../settings/files/update-config.ts';
import {storeKey} from '../../../settings/service/credentials.ts';
import {ask, type Policy} from '../../ask.ts';
import type {FlagTexts} from '../../command-line/command.ts';
import {makePlan, type Plan} from './plan.ts';

type DialogOptions = {
	/** The target profile, if already known. */
	readonly profile: string | undefined;
	readonly flags: FlagTexts;
	/** A session's `isPlain` wins over the setting. */
	readonly policy: Partial<Pick<Policy<undefined>, 'isPlain'>> &
		Omit<Extract<Policy<undefined>, {command: string}>, 'isPlain'>;
};

/**
 * Returns undefined if the user decides against a connection.
 *
 * @throws {ChatError} `usage` without a terminal; `interrupted` after Ctrl-C
 */
export async function connectByDialog(
	{profile, flags, policy}: DialogOptions,
	environment: Environment,
): Promise<Plan | undefined> {
	// A mistake in the file is reported before any question.
	const path = requirePath(configPath(environment));
	const config = readConfig(path, environment.platform);
	if (config.problem !== undefined) throw new ChatError('create', config.problem);
	const {isPlain = config.values['plain'] === true} = policy;
	const plan = await ask<Plan | undefined>({...policy, isPlain}, environment, async (dialog) => {
		await dialog.say(`${policy.command} connects a service. Ctrl-C stops it, and changes nothing.`);
		return await makePlan({config, profile, flags}, dialog, environment).catch((error: unknown) => {
			throw dialog.signal.aborted ? withoutChange(error) : error;
		});
	});
	if (plan !== undefined) await storePlan(plan, path, environment);
	return plan;
}

function withoutChange(error: unknown): ChatError {
	const {kind, message, details} = toChatError(error);
	return new ChatError(kind, `${message}; nothing was changed`, details);
}

/** Stores a connection, and prints what is stored where. */
async function storePlan(
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
}
