/** Opens the built-in service for a run. */
import {randomBytes} from 'node:crypto';
import type {Notice} from '../../../chat/event.ts';
import type {Environment} from '../../../environment.ts';
import {createChatCompletions} from '../../../protocol/chat-completions/chat-completions.ts';
import type {ServiceConnection} from '../../../protocol/service-connection.ts';
import {createRedactor} from '../../../redact.ts';
import {startServer} from '../../../server/server.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import type {ServiceSettings} from '../../../settings/service/service-settings.ts';

/** The parts of a connection that do not depend on the service. */
export type ConnectionOptions = Pick<
	ServiceConnection,
	'limits' | 'defaultModel' | 'isModelListWanted' | 'isVerbose'
>;

/** The address of a request that is not sent: only a service that runs has a port. */
const unsentUrl = 'built-in:/';

/** The speed on a terminal. */
const tokensPerSecond = 80;

export async function openBuiltIn(
	options: ConnectionOptions,
	{headers, unusedKeys, isBuiltInChosen}: ServiceSettings,
	{dryRun: isUnsent}: Settings,
	{stdout}: Environment,
) {
	const apiKey = randomBytes(16).toString('hex');
	const pace = stdout.isTerminal ? {tokensPerSecond} : {};
	const server = isUnsent
		? {url: unsentUrl, close: async () => {}}
		: await startServer({host: '127.0.0.1', port: 0, apiKey, ...pace});
	return {
		name: 'built-in',
		connection: {
			...options,
			wire: createChatCompletions(new URL(server.url), {authHeader: 'Authorization', headers}),
			apiKey,
			keySource: 'the built-in service',
		},
		notices: isBuiltInChosen ? [] : [builtInNotice(describeNextStep(unusedKeys))],
		redact: createRedactor([apiKey]),
		readKey: undefined,
		close: () => server.close(),
	};
}

/** @param next what to do about it, as a sentence */
export function builtInNotice(next: string): Notice {
	return {
		code: 'built-in-service',
		message: `no service configured: answering with the built-in service (rules, not a model). ${next}`,
	};
}

function describeNextStep(unused: ServiceSettings['unusedKeys']): string {
	return describeUnusedKey(unused) ?? 'Connect one with: chat setup';
}

/** Returns undefined without a key in a variable, or with several, among which only the user can choose. */
export function describeUnusedKey([only, ...others]: ServiceSettings['unusedKeys']):
	| string
	| undefined {
	if (only === undefined || others.length > 0) return undefined;
	const {keyVariable, name} = only;
	return `${keyVariable} is set, but not used. To use it: chat config set base-url ${name}:`;
}
