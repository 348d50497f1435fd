/** Opens the built-in service for a run. */
import {randomBytes} from 'node:crypto';
import type {Notice} from '../../../chat/event.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {createChatCompletions} from '../../../protocol/chat-completions/chat-completions.ts';
import type {ServiceConnection} from '../../../protocol/service-connection.ts';
import {startServer} from '../../../server/server.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import type {ServiceSettings} from '../../../settings/service/service-settings.ts';

/** The address for an unsent request: only a running service has a port. */
const unsentUrl = 'built-in:/';

/** The speed on a terminal. */
const tokensPerSecond = 80;

type BuiltIn = Pick<ServiceConnection, 'wire'> & {
	/** Made for this run. */
	readonly apiKey: string;
	readonly notices: readonly Notice[];
	close(): Promise<void>;
};

/** @throws {ChatError} `usage` for a convention it lacks; the signal's reason when aborted */
export async function openBuiltIn(
	settings: Settings,
	{wire: wireName, headers, unusedKeys, isBuiltInChosen}: ServiceSettings,
	signal: AbortSignal,
	environment: Environment,
): Promise<BuiltIn> {
	const createWire = await loadWire(wireName);
	const apiKey = randomBytes(16).toString('hex');
	const pace = environment.stdout.isTerminal ? {tokensPerSecond} : {};
	const notices = isBuiltInChosen
		? []
		: [await createNotice(unusedKeys, settings, signal, environment)];
	const server = settings.dryRun
		? {url: unsentUrl, close: async () => {}}
		: await startServer({host: '127.0.0.1', port: 0, apiKey, ...pace});
	const wire = createWire(new URL(server.url), {authHeader: 'Authorization', headers});
	return {wire, apiKey, notices, close: () => server.close()};
}

async function loadWire(name: ServiceSettings['wire']) {
	if (name === 'chat') return createChatCompletions;
	if (name === 'messages') {
		throw new ChatError('usage', 'the built-in service has no Messages API', {
			hint: 'Set a base URL, or use --wire chat or --wire responses.',
		});
	}
	const {createResponses} = await import('../../../protocol/responses/responses.ts');
	return createResponses;
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
	const unused = describeUnusedKey(unusedKeys);
	const nextBy = (command: string) => {
		const local = found && `${found}; to connect: ${command}`;
		return [local, unused].filter(Boolean).join('; ');
	};
	return {
		code: 'built-in-service',
		message: 'no service configured: answering with the built-in service (rules, not a model)',
		hint: {
			line: nextBy('chat setup') || 'connect one with: chat setup',
			repl: nextBy('/connect') || '/connect connects a real one: OpenAI, Anthropic, Ollama, …',
		},
	};
}

/** Returns undefined without a key in a variable, or with several, among which only the user can choose. */
function describeUnusedKey([only, ...others]: ServiceSettings['unusedKeys']): string | undefined {
	if (only === undefined || others.length > 0) return undefined;
	const {keyVariable, name} = only;
	return `${keyVariable} is set, but not used; to use it: chat config set base-url ${name}:`;
}
