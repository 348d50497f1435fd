/** Services for one test: scripted ones that record what they are asked, and the built-in service. */
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
	/** Environment variables that lead to it. */
	readonly variables: {readonly CHAT_BASE_URL: string};
	readonly requests: readonly RecordedRequest[];
	/** The bodies of the requests so far. */
	bodies(): readonly WireBody[];
	/** The content of the last message of the only request. */
	prompt(): unknown;
};

/** A service that gives these replies, the last one again and again, until the test is over. */
export async function startRecording(
	...replies: readonly ReplayReply[]
): Promise<RecordingService> {
	const server = await startReplayServer(replies);
	onTestFinished(() => server.close());
	const bodies = () => server.requests.map(({body}): WireBody => JSON.parse(body));
	return {
		variables: {CHAT_BASE_URL: server.url.href},
		requests: server.requests,
		bodies,
		prompt() {
			const all = bodies();
			if (all.length !== 1) throw new Error(`there were ${all.length} requests, not one`);
			return all[0]?.messages?.at(-1)?.content;
		},
	};
}

/** The built-in service, until the test is over. */
export async function startReference(options: Partial<ServerOptions> = {}): Promise<RunningServer> {
	const server = await startServer({host: '127.0.0.1', port: 0, ...options});
	onTestFinished(() => server.close());
	return server;
}
