/** Opens the built-in service for a run. */
import {randomBytes} from 'node:crypto';
import type {Notice} from '../../../chat/event.ts';
import type {Environment} from '../../../environment.ts';
import {createChatCompletions} from '../../../protocol/chat-completions/chat-completions.ts';
import {createRedactor} from '../../../redact.ts';
import {startServer} from '../../../server/server.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import type {ServiceSettings} from '../../../settings/service/service-settings.ts';
import type {ConnectionOptions, OpenService} from './open-service.ts';

/** The address of a request that is not sent: only a service that runs has a port. */
const unsentUrl = 'built-in:/';

/** The speed on a terminal. */
const tokensPerSecond = 80;

type Common = Pick<OpenService, 'settings' | 'notices' | 'traces'> & {
	readonly options: ConnectionOptions;
};

/** @throws the signal's reason when it is aborted */
export async function openBuiltIn(
	{options, notices, ...common}: Common,
	{headers, unusedKeys, isBuiltInChosen}: ServiceSettings,
	signal: AbortSignal,
	environment: Environment,
): Promise<OpenService> {
	const {dryRun: isUnsent} = common.settings;
	const apiKey = randomBytes(16).toString('hex');
	const pace = environment.stdout.isTerminal ? {tokensPerSecond} : {};
	const own = isBuiltInChosen
		? []
		: [await createNotice(unusedKeys, common.settings, signal, environment)];
	const server = isUnsent
		? {url: unsentUrl, close: async () => {}}
		: await startServer({host: '127.0.0.1', port: 0, apiKey, ...pace});
	return {
		...common,
		name: 'built-in',
		title: 'the built-in service',
		connection: {
			...options,
			wire: createChatCompletions(new URL(server.url), {authHeader: 'Authorization', headers}),
			apiKey,
			keySource: 'the built-in service',
		},
		notices: [...notices, ...own],
		redact: createRedactor([apiKey]),
		readKey: undefined,
		modelLeftOut: undefined,
		close: () => server.close(),
	};
}

/** Names what could answer instead. Only a person who sees the notice waits for the search. */
async function createNotice(
	unusedKeys: ServiceSettings['unusedKeys'],
	{output, dryRun}: Settings,
	signal: AbortSignal,
	environment: Environment,
): Promise<Notice> {
	const {stdin, stdout, stderr} = environment;
	const isSeen = stdin.kind === 'terminal' && stdout.isTerminal && stderr.isTerminal;
	const isSearched = isSeen && output === 'text' && !dryRun;
	const {describeLocal} = isSearched ? await import('./find-local.ts') : {};
	const found = await describeLocal?.(signal, environment);
	const next = [found, describeUnusedKey(unusedKeys)].filter(Boolean).join('. ');
	return {
		code: 'built-in-service',
		message: `no service configured: answering with the built-in service (rules, not a model). ${next || 'Connect one with: chat setup'}`,
	};
}

/** Returns undefined without a key in a variable, or with several, among which only the user can choose. */
function describeUnusedKey([only, ...others]: ServiceSettings['unusedKeys']): string | undefined {
	if (only === undefined || others.length > 0) return undefined;
	const {keyVariable, name} = only;
	return `${keyVariable} is set, but not used. To use it: chat config set base-url ${name}:`;
}
