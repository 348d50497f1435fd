/** Starts services for one test: scripted ones that record requests, and the built-in service. */
import {onTestFinished} from 'vitest';
import {type RunningServer, type ServerOptions, startServer} from '../../src/server/server.ts';
import type {ReplayReply} from './replay-reply.ts';
import {startReplayServer} from './replay-server.ts';
import type {RecordedRequest} from './request-reader.ts';

export type WireBody = {
	readonly model?: string;
	readonly messages?: ReadonlyArray<{readonly role: string; readonly content: unknown}>;
	readonly [field: string]: unknown;
};

export type RecordingService = {
	/** Environment variables that select it. */
	readonly variables: {readonly CHAT_BASE_URL: string};
	readonly requests: readonly RecordedRequest[];
	/** The bodies of the requests so far. */
	bodies(): readonly WireBody[];
	/** The content of the last message of the only request. */
	prompt(): unknown;
};

/**
 * Starts a service with these replies, the last of which repeats; it stops with the test. It has no list
 * of models, as the services of the specification.
 */
export async function startRecording(
	...replies: readonly ReplayReply[]
): Promise<RecordingService> {
	const server = await startReplayServer(replies, {hasList: false});
	onTestFinished(() => server.close());
	const bodies = () => server.requests.map(({body}): WireBody => JSON.parse(body));
	return {
		variables: {CHAT_BASE_URL: server.url.href},
		requests: server.requests,
		bodies,
		prompt() {
			const all = bodies();
			if (all.length !== 1) throw new Error(`expected one request, got ${all.length}`);
			return all[0]?.messages?.at(-1)?.content;
		},
	};
}

/** Starts the built-in service; it stops with the test. */
export async function startReference(options: Partial<ServerOptions> = {}): Promise<RunningServer> {
	const server = await startServer({host: '127.0.0.1', port: 0, ...options});
	onTestFinished(() => server.close());
	return server;
}
