/** A connection, over a client of the SDK that is connected. */
import {setTimeout as pause} from 'node:timers/promises';
import type {Client, Transport} from '@modelcontextprotocol/client';
import {untilAborted} from '../abort.ts';
import type {ToolOutput} from '../chat/tool.ts';
import {textOutput} from '../chat/tool-output.ts';
import {ChatError} from '../errors.ts';
import type {JsonObject} from '../json.ts';
import {startCallLimit} from './call-limit.ts';
import type {Connection} from './connection.ts';
import type {ServerTool} from './offer.ts';
import {type Call, createQuestions} from './questions.ts';
import {readOffer} from './read-offer.ts';
import {readPrompt, readResource, readToolResult} from './read-result.ts';
import type {ServerEntry} from './server-entry.ts';
import {type ErrorSource, toServerError} from './server-error.ts';

/** The way to a server. */
export type Channel = ErrorSource & {
	readonly transport: Transport;
	/** Lines of the server, and those of ours about it. */
	log(): readonly string[];
	addToLog(line: string): void;
	isClosed(): boolean;
	/** Describes what it did while no answer came, as the end of a sentence; may be empty. */
	describeSilence(): string;
	/** Ends the session with the server, before the connection is closed. */
	leave(): Promise<void>;
};

export type ConnectionOptions = {
	readonly entry: ServerEntry;
} & Clocks;

export type Clocks = {
	/** Milliseconds on a clock that never goes back. */
	now(): number;
	/** The wall clock: milliseconds since 1970. */
	date(): number;
};

const offerMs = {program: 30_000, http: 5000} as const;
const readMs = 30_000;
const completeMs = 5000;
const leaveMs = 1000;
/** UTF-16 units. */
const maxInstructions = 64 * 1024;
const maxName = 200;
const maxCompletions = 100;

/** The longest time of a timer: the limits are our own. */
export const longestMs = 0x7fff_ffff;

export function createConnection(
	client: Client,
	channel: Channel,
	{entry, now, date}: ConnectionOptions,
): Connection {
	const listeners = new Set<() => void>();
	let tools: readonly ServerTool[] = [];

	const fail = (error: unknown) => toServerError(error, entry.name, channel);

	/** Waits for an answer, but not longer than the time limit. */
	const ask = async <Answer>(
		limitMs: number,
		signal: AbortSignal,
		request: (options: {signal: AbortSignal; timeout: number}) => Promise<Answer>,
	): Promise<Answer> => {
		const limit = AbortSignal.timeout(limitMs);
		const either = AbortSignal.any([signal, limit]);
		try {
			return await untilAborted(() => request({signal: either, timeout: longestMs}), either);
		} catch (error) {
			if (signal.aborted) throw signal.reason;
			if (!limit.aborted) throw fail(error);
			const message = `the MCP server ${entry.name} did not answer within ${limitMs / 1000} s`;
			throw new ChatError('timeout', message);
		}
	};

	const questions = createQuestions(entry.name, channel.addToLog);
	client.setRequestHandler('elicitation/create', async ({params}, {mcpReq}) => {
		const answer = await questions.ask(params as JsonObject, mcpReq.signal);
		if (answer.type !== 'accept' || params.mode === 'url') return {action: answer.type};
		return {action: 'accept', content: answer.values as Record<string, string>};
	});

	const announce = () => {
		for (const listener of [...listeners]) listener();
	};
	client.onclose = announce;
	client.setNotificationHandler('notifications/tools/list_changed', announce);
	client.setNotificationHandler('notifications/prompts/list_changed', announce);
	client.setNotificationHandler('notifications/resources/list_changed', announce);
	followChanges(client, (error) => channel.addToLog(fail(error).message));

	const runCall = async (name: string, values: JsonObject, call: Call): Promise<ToolOutput> => {
		const inputSchema = tools.find((tool) => tool.name === name)?.inputSchema ?? {};
		const options = {
			signal: call.signal,
			timeout: longestMs,
			onprogress: call.limit.restart,
			// For arguments that go into headers. Without its own list the SDK checks no results.
			toolDefinition: {name, inputSchema: {...inputSchema, type: 'object' as const}},
		};
		try {
			return readToolResult(await client.callTool({name, arguments: values}, options));
		} catch (error) {
			const isOpened = await questions.askForPages(error, call);
			if (isOpened)
				return textOutput('[the user has opened the page that this needs: call again]', true);
			const failure = fail(error);
			// An answer to this call, which the model can do something about.
			const {code} = error as {readonly code?: unknown};
			if (typeof code === 'number') return textOutput(failure.message, true);
			throw failure;
		}
	};

	let closing: Promise<void> | undefined;
	const close = async () => {
		const leaving = channel.leave().catch(() => {});
		await Promise.race([leaving, pause(leaveMs, undefined, {ref: false})]);
		await client.close();
	};

	return {
		protocolVersion: client.getNegotiatedProtocolVersion(),
		async readManifest(signal) {
			const offer = await ask(offerMs[entry.access.type], signal, async (options) => {
				const capabilities = client.getServerCapabilities() ?? {};
				return await readOffer(
					capabilities,
					async (method, cursor) =>
						await client.request(
							{method, ...(cursor !== undefined && {params: {cursor}})},
							anything,
							options,
						),
					(line) => channel.addToLog(`chat: ${line}`),
				);
			});
			tools = offer.tools;
			const {name = entry.name, version = ''} = client.getServerVersion() ?? {};
			return {
				server: {name: name.slice(0, maxName), version: version.slice(0, maxName)},
				instructions: client.getInstructions()?.slice(0, maxInstructions),
				offer,
				readAt: date(),
			};
		},
		onChange(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		async callTool(name, values, {signal, timeLimitMs, ...asking}) {
			const limit = startCallLimit(timeLimitMs, now);
			const either = AbortSignal.any([signal, limit.signal]);
			const call: Call = {...asking, name, values, limit, signal: either};
			const forget = questions.add(call);
			try {
				return await untilAborted(
					() => questions.run(call, () => runCall(name, values, call)),
					call.signal,
				);
			} catch (error) {
				if (signal.aborted) return textOutput('[stopped by the user]', true);
				const limitName = limit.end();
				if (limitName !== undefined) return textOutput(`[stopped after ${limitName}]`, true);
				throw error;
			} finally {
				limit.clear();
				forget();
			}
		},
		getPrompt: async (name, values, signal) =>
			await ask(readMs, signal, async (options) =>
				readPrompt(await client.getPrompt({name, arguments: {...values}}, options)),
			),
		readResource: async (uri, signal) =>
			await ask(readMs, signal, async (options) =>
				readResource(await client.readResource({uri}, {...options, cacheMode: 'bypass'})),
			),
		async complete({prompt, name, value, others = {}}, signal) {
			if (client.getServerCapabilities()?.completions === undefined) return [];
			const {completion} = await ask(
				completeMs,
				signal,
				async (options) =>
					await client.complete(
						{
							ref: {type: 'ref/prompt', name: prompt},
							argument: {name, value},
							context: {arguments: {...others}},
						},
						options,
					),
			);
			return completion.values.slice(0, maxCompletions);
		},
		log: channel.log,
		endOf: () => channel.endOf()?.reason ?? (channel.isClosed() ? 'was closed' : undefined),
		close() {
			closing ??= close();
			return closing;
		},
	};
}

/** Takes any result: what is read of it is checked, and one wrong definition is not the end of all. */
const anything = {
	'~standard': {
		version: 1,
		vendor: 'chat',
		validate: (value: unknown) => ({value}),
	},
} as const;

/** In the newer protocol, a server speaks of changes only to those who ask for it. */
function followChanges(client: Client, onFailure: (error: unknown) => void): void {
	if (client.getProtocolEra() !== 'modern') return;
	const {tools, prompts, resources} = client.getServerCapabilities() ?? {};
	const wanted = {
		...(tools?.listChanged === true && {toolsListChanged: true}),
		...(prompts?.listChanged === true && {promptsListChanged: true}),
		...(resources?.listChanged === true && {resourcesListChanged: true}),
	};
	if (Object.keys(wanted).length > 0) client.listen(wanted).catch(onFailure);
}
