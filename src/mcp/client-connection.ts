/** A connection on top of a connected SDK client. */
import {setTimeout as pause} from 'node:timers/promises';
import type {Client, RequestOptions, Transport} from '@modelcontextprotocol/client';
import {textOutput} from '../chat/tool-output.ts';
import type {JsonObject} from '../json.ts';
import {startCallLimit} from './call-limit.ts';
import type {Connection} from './connection.ts';
import {showParts} from './hidden-parts.ts';
import type {ServerTool} from './offer.ts';
import {type Call, createQuestions} from './questions.ts';
import {readOffer} from './read-offer.ts';
import {readPrompt, readResource, readToolResult} from './read-result.ts';
import type {ServerEntry} from './server-entry.ts';
import {type ErrorSource, toServerError} from './server-error.ts';

/** The way to a server. */
export type Channel = ErrorSource & {
	readonly transport: Transport;
	/** Server output, and our own lines about it. */
	log(): readonly string[];
	addToLog(line: string): void;
	isClosed(): boolean;
	/** Describes what it did while no answer came, as the end of a sentence; may be empty. */
	describeSilence(): string;
	/** Ends the session with the server, before the connection is closed. */
	leave(): Promise<void>;
};

export type Clocks = {
	/** Milliseconds on a monotonic clock. */
	now(): number;
	/** The wall clock: milliseconds since 1970. */
	date(): number;
};

/** The limit for all lists together. */
const offerMs = 30_000;
const readMs = 30_000;
const completeMs = 5000;
const leaveMs = 1000;
/** UTF-16 units. */
const maxInstructions = 64 * 1024;
const maxName = 200;
const maxCompletions = 100;

export function createConnection(
	client: Client,
	channel: Channel,
	{entry, now, date}: {readonly entry: ServerEntry} & Clocks,
): Connection {
	const listeners = new Set<() => void>();
	let tools: readonly ServerTool[] = [];

	const fail = (error: unknown) => toServerError(error, entry.name, channel);

	/** Sends a request within a time limit in milliseconds. */
	const ask = async <Result>(
		signal: AbortSignal,
		timeout: number,
		request: (options: RequestOptions) => Promise<Result>,
	): Promise<Result> => {
		try {
			return await request({signal, timeout});
		} catch (error) {
			signal.throwIfAborted();
			throw fail(error);
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

	const runCall = async (call: Call) => {
		const {name, values, signal, limit} = call;
		const inputSchema = tools.find((tool) => tool.name === name)?.inputSchema ?? {};
		const options = {
			signal,
			timeout: longestMs,
			onprogress: limit.restart,
			// The definition says which arguments go into headers.
			toolDefinition: {name, inputSchema: {...inputSchema, type: 'object' as const}},
		};
		try {
			return readToolResult(showParts(await client.callTool({name, arguments: values}, options)));
		} catch (error) {
			if (await questions.askForPages(error, call)) {
				return textOutput('[the user has opened the page that this needs: call again]', true);
			}
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
			const until = now() + offerMs;
			const offer = await readOffer(
				client.getServerCapabilities() ?? {},
				async (method, cursor) =>
					await ask(signal, Math.max(1, until - now()), async (options) =>
						showParts(await client.request({method, params: {cursor}}, options)),
					),
				(line) => channel.addToLog(`chat: ${line}`),
				entry.access.type === 'http',
			);
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
			try {
				return await questions.run(call, () => runCall(call));
			} catch (error) {
				if (signal.aborted) return textOutput('[stopped by the user]', true);
				if (!limit.signal.aborted) throw error;
				return textOutput(`[stopped after ${limit.signal.reason}]`, true);
			} finally {
				limit.clear();
			}
		},
		getPrompt: async (name, values, signal) =>
			await ask(signal, readMs, async (options) =>
				readPrompt(showParts(await client.getPrompt({name, arguments: {...values}}, options))),
			),
		readResource: async (uri, signal) =>
			await ask(signal, readMs, async (options) =>
				readResource(
					showParts(await client.readResource({uri}, {...options, cacheMode: 'bypass'})),
				),
			),
		async complete({prompt, name, value, others = {}}, signal) {
			if (client.getServerCapabilities()?.completions === undefined) return [];
			const params = {
				ref: {type: 'ref/prompt' as const, name: prompt},
				argument: {name, value},
				context: {arguments: {...others}},
			};
			const {completion} = await ask(signal, completeMs, (options) =>
				client.complete(params, options),
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

/** Maximum timer delay: calls have our own limits. */
const longestMs = 0x7fff_ffff;

/** The newer protocol sends change notifications to subscribers only. */
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
