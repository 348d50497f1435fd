/** Starts a llama-server for a model, on a free port of this machine and with a key of its own. */
import {randomBytes, randomInt} from 'node:crypto';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {wait} from '../abort.ts';
import type {Environment} from '../environment.ts';
import {ChatError} from '../errors.ts';
import {type ServerProcess, startProcess} from '../processes/server-process.ts';
import {probeStatus} from '../protocol/probe-service.ts';
import {withoutKeys} from '../redact.ts';
import type {LlamaModel} from '../settings/options/parse-service.ts';

export type LlamaServer = {
	readonly baseUrl: URL;
	readonly apiKey: string;
	readonly server: ServerProcess;
};

export type StartOptions = {
	/** The absolute path of llama-server. */
	readonly program: string;
	/** Its file by an absolute path, or a repository. */
	readonly model: LlamaModel;
	/** Time limit without a sign of progress; 0: none. */
	readonly limitMs: number;
	readonly signal: AbortSignal;
	/** Called a few times a second while the model loads, with the last line of the log. */
	readonly onProgress: (line: string) => void;
	/** Called with the last lines of the log after a failure. */
	readonly onFailure: (lines: readonly string[]) => void;
};

const attempts = 3;

function randomKey(): string {
	return randomBytes(24).toString('hex');
}

/**
 * Resolves when the model is loaded.
 *
 * @throws {ChatError} `unavailable` when the server ends early, `timeout` at the limit; the signal's
 * reason when it is aborted. No process is left then.
 */
export async function startLlama(
	options: StartOptions,
	environment: Environment,
): Promise<LlamaServer> {
	for (let attempt = 1; ; attempt++) {
		const {server, isPortTaken} = await tryStart(options, environment);
		if (server !== undefined) return server;
		// Another program was faster.
		if (isPortTaken && attempt < attempts) continue;
		throw new ChatError('unavailable', 'llama-server found no free port');
	}
}

async function tryStart(options: StartOptions, environment: Environment) {
	const {program, model, signal} = options;
	const {variables, cwd, processes} = environment;
	const port = await findPort();
	const baseUrl = new URL(`http://127.0.0.1:${port}/v1`);
	const apiKey = randomKey();
	const folder = mkdtempSync(join(tmpdir(), 'chat-llama-'));
	const keyFile = join(folder, 'key');
	writeFileSync(keyFile, `${apiKey}\n`, {mode: 0o600, flag: 'wx'});
	const source = model.type === 'file' ? ['-m', model.path] : ['-hf', model.name];
	const address = ['--host', '127.0.0.1', '--port', String(port)];
	const server = startProcess(
		{
			argv: [program, ...source, ...address, '--api-key-file', keyFile],
			// A download may need the token.
			variables: {...withoutKeys(variables), HF_TOKEN: variables['HF_TOKEN']},
			cwd,
			folder,
		},
		processes,
	);
	try {
		await waitUntilReady(server, baseUrl, options, environment);
		if (await knowsKey(baseUrl, apiKey, signal)) {
			return {server: {baseUrl, apiKey, server}, isPortTaken: false};
		}
		await server.stop();
		return {server: undefined, isPortTaken: true};
	} catch (error) {
		await server.stop();
		const lines = server.lastLines();
		if (lines.some((line) => portTaken.test(line))) return {server: undefined, isPortTaken: true};
		if (!signal.aborted) options.onFailure(lines);
		throw error;
	} finally {
		// The server reads it at its start only.
		rmSync(folder, {recursive: true, force: true});
	}
}

const portTaken = /couldn't bind|address already in use|EADDRINUSE/i;

async function findPort(): Promise<number> {
	const server = createServer();
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	return typeof address === 'object' && address !== null ? address.port : 0;
}

const decoys = 7;

/**
 * Whether the server accepts this key alone, which only its file holds. Threat: another user of the
 * machine takes the port in the moment before the server does, and gets the prompts.
 */
async function knowsKey(baseUrl: URL, apiKey: string, signal: AbortSignal): Promise<boolean> {
	const keys = Array.from({length: decoys}, () => randomKey());
	keys.splice(randomInt(decoys + 1), 0, apiKey);
	const url = new URL('/v1/chat/completions', baseUrl);
	for (const key of keys) {
		const headers = {authorization: `Bearer ${key}`};
		const status = await probeStatus(url, headers, probeMs, signal);
		const isAccepted = status !== undefined && status !== 401;
		if (isAccepted !== (key === apiKey)) return false;
	}
	return true;
}

const pollMs = 100;
const probeMs = 1000;

async function waitUntilReady(
	server: ServerProcess,
	baseUrl: URL,
	{limitMs, signal, onProgress}: StartOptions,
	environment: Environment,
): Promise<void> {
	const health = new URL('/health', baseUrl);
	let seen = {size: 0, since: environment.now()};
	for (;;) {
		const isReady = (await probeStatus(health, {}, probeMs, signal)) === 200;
		const end = server.endOf();
		if (end !== undefined) {
			await server.ended;
			const last = server.lastLines().at(-1);
			const message = `llama-server ${end}${last === undefined ? '' : `: ${last}`}`;
			throw new ChatError('unavailable', message);
		}
		if (isReady) return;
		const size = server.logSize();
		const now = environment.now();
		if (size !== seen.size) seen = {size, since: now};
		if (limitMs > 0 && now - seen.since > limitMs) {
			const message = `llama-server did not get ready, and wrote nothing for ${limitMs / 1000} s`;
			throw new ChatError('timeout', message, {hint: {code: 'loading-limit'}});
		}
		onProgress(server.lastLines().at(-1) ?? '');
		await Promise.race([wait(pollMs, signal), server.ended]);
	}
}
