/** Starts the run's llama-server, reporting on stderr while its model loads. */
import {mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {recover, wait} from '../../../abort.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {printInfo, printTrace} from '../../../output/print.ts';
import {findProgram} from '../../../processes/find-program.ts';
import {startProcess} from '../../../processes/server-process.ts';
import {exchange} from '../../../protocol/http/exchange.ts';
import {directRoute} from '../../../protocol/http/route.ts';
import {withoutKeys} from '../../../redact.ts';
import type {LlamaModel} from '../../../settings/options/parse-service.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {createProgress} from './show-progress.ts';

const pollMs = 100;
const probeMs = 1000;
const exitGraceMs = 2000;
const socketName = 'llama.sock';
/** A socket path has at most 103 bytes on macOS, 107 on Linux. */
const maxTempBytes = 103 - `/chat-XXXXXX/${socketName}`.length;

type OwnServer = {
	readonly socketPath: string;
	/** Call once, at the end of the run. */
	close(): Promise<void>;
};

/**
 * Resolves when the model is loaded.
 *
 * @throws {ChatError} as `findLlama` does; `unavailable` when the server ends early, `timeout` when
 * loading makes no progress; the signal's reason when aborted. No process is left in these cases.
 */
export async function openLlama(
	model: LlamaModel,
	{payloadTimeout: limitMs, quiet}: Settings,
	signal: AbortSignal,
	environment: Environment,
): Promise<OwnServer> {
	const {name} = model;
	const {variables, cwd, processes, now} = environment;
	const argv = findLlama(model, environment);
	// Threat: other users on the machine, who could take an address first, or send requests.
	const folder = mkdtempSync(join(tmpdir(), 'chat-'));
	const socketPath = join(folder, socketName);
	// A download may need the token.
	const own = {...withoutKeys(variables), HF_TOKEN: variables['HF_TOKEN']};
	const command = {argv: [...argv, '--host', socketPath], variables: own, cwd, folder};
	const server = startProcess(command, processes);
	const probe = () => askHealth(socketPath, signal);
	const lastLine = () => server.lastLines().at(-1) ?? '';
	const close = async () => {
		// The exit event of a dead server may arrive after the connection error.
		const isUp = (await probe().catch(() => 0)) !== undefined;
		if (!isUp) await Promise.race([server.ended, pause(exitGraceMs, undefined, {ref: false})]);
		const end = server.endOf();
		await server.stop();
		rmSync(folder, {recursive: true, force: true});
		if (end === undefined || signal.aborted) return;
		const lines = server.lastLines().slice(-20);
		for (const line of lines) printTrace(`llama-server: ${line}`, environment);
		printInfo(`llama-server ${end}`, environment);
	};
	const progress = createProgress(`llama-server is loading ${name}`, quiet, environment);
	let seen = {size: 0, since: now()};
	try {
		while ((await probe()) !== 200) {
			if (server.endOf() !== undefined) {
				await server.ended;
				throw new ChatError('unavailable', `llama-server did not load ${name}: ${lastLine()}`);
			}
			const size = server.logSize();
			if (size !== seen.size) seen = {size, since: now()};
			if (limitMs > 0 && now() - seen.since > limitMs) {
				const message = `llama-server did not load ${name}: it wrote nothing for ${limitMs / 1000} s`;
				throw new ChatError('timeout', message, {
					hint: 'To wait longer: --payload-timeout 1h (0 for no limit)',
				});
			}
			progress.show(lastLine());
			await Promise.race([wait(pollMs, signal), server.ended]);
		}
	} catch (error) {
		progress.end();
		await close();
		throw error;
	}
	progress.end();
	return {socketPath, close};
}

/** Returns the server's status; undefined without a reply. */
async function askHealth(socketPath: string, signal: AbortSignal): Promise<number | undefined> {
	const ask = async () => {
		const reply = await exchange({
			method: 'GET',
			url: new URL('http://localhost/health'),
			headers: {},
			route: {...directRoute, socketPath},
			limits: {connectMs: probeMs, payloadMs: probeMs},
			signal,
		});
		reply.close();
		return reply.head.status;
	};
	return await recover(ask, signal, () => undefined);
}

/**
 * Returns the program and arguments for loading a model.
 *
 * @throws {ChatError} `unavailable` where none can be started, `input` without the file
 */
export function findLlama({name, path}: LlamaModel, environment: Environment): readonly string[] {
	const {variables, cwd, homedir = '~', platform} = environment;
	const file = path && resolve(cwd, path.replace(/^~(?=\/)/, homedir));
	const source = file === undefined ? ['-hf', name] : ['-m', file, '--alias', name];
	const fail = (message: string, hint: string) => new ChatError('unavailable', message, {hint});
	if (platform === 'win32') {
		const hint = `Start it by hand: llama-server ${source.join(' ')}. Then: --base-url llama:`;
		throw fail('chat cannot start a llama-server on Windows', hint);
	}
	if (Buffer.byteLength(tmpdir()) > maxTempBytes) {
		throw fail(`${tmpdir()} is too long for the path of a socket`, 'Set TMPDIR to a shorter one.');
	}
	const program = findProgram('llama-server', variables['PATH']);
	if (program === undefined)
		throw fail(`${name} needs llama-server, which is not in PATH`, install);
	if (file === undefined || statSync(file, {throwIfNoEntry: false})?.isFile() === true) {
		return [program, ...source];
	}
	throw new ChatError('input', `no such file: ${path}`, {
		hint: 'Check the path; a relative one starts from the current directory.',
	});
}

const install =
	'Install llama.cpp: brew install llama.cpp, winget install llama.cpp, or https://github.com/ggml-org/llama.cpp/releases';
