/** Starts the llama-server of a run, and reports on stderr while its model loads. */
import {statSync} from 'node:fs';
import {basename, join, resolve} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {startLlama} from '../../../llama/start-llama.ts';
import {printInfo, printTrace} from '../../../output/print.ts';
import {findProgram} from '../../../processes/find-program.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import type {LlamaModel} from '../../../settings/options/parse-service.ts';
import type {LocatedService} from './locate-service.ts';
import {createProgress} from './show-progress.ts';

/**
 * @throws {ChatError} `input` without the file, `unavailable` without a llama-server; as `startLlama`
 * does
 */
export async function openLlama(
	loaded: LoadedSettings,
	given: LlamaModel,
	signal: AbortSignal,
	environment: Environment,
): Promise<LocatedService> {
	const {settings} = loaded;
	const model = findModel(given, environment);
	const name = model.type === 'file' ? basename(model.path) : model.name;
	const withUrl = (baseUrl: URL) => ({
		loaded: {...loaded, settings: Object.freeze({...settings, baseUrl})},
		model: name,
		notices: [],
	});
	// Nothing is started for a request that is not sent.
	if (settings.dryRun) return withUrl(new URL('http://127.0.0.1/v1'));
	const program = findLlamaServer(name, environment);
	const printLog = (lines: readonly string[]) => {
		for (const line of lines.slice(-20)) printTrace(`llama-server: ${line}`, environment);
	};
	const progress = createProgress(`llama-server is loading ${name}`, settings.quiet, environment);
	const limitMs = settings.payloadTimeout;
	const onProgress = progress.show;
	const onFailure = (lines: readonly string[]) => {
		progress.end();
		printLog(lines);
	};
	const options = {program, model, limitMs, signal, onProgress, onFailure};
	const {baseUrl, apiKey, server} = await startLlama(options, environment).finally(progress.end);
	return {
		...withUrl(baseUrl),
		server: {
			apiKey,
			keySource: 'this run',
			authHeader: 'Authorization',
			async close() {
				// The news of its end may come after that of the connection.
				await Promise.race([server.ended, pause(newsMs)]);
				const end = server.endOf();
				await server.stop();
				if (end === undefined || signal.aborted) return;
				printLog(server.lastLines());
				printInfo(`llama-server ${end}`, environment);
			},
		},
	};
}

const newsMs = 50;

/** @throws {ChatError} `unavailable` if it is not in `PATH` */
export function findLlamaServer(model: string, {variables}: Environment): string {
	const program = findProgram('llama-server', variables['PATH']);
	if (program !== undefined) return program;
	throw new ChatError('unavailable', `${model} needs llama-server, which is not in PATH`, {
		hint: {code: 'install-llama-server'},
	});
}

/**
 * Makes the path of a model absolute.
 *
 * @throws {ChatError} `input` if there is no such file
 */
export function findModel(given: LlamaModel, {cwd, homedir}: Environment): LlamaModel {
	if (given.type !== 'file') return given;
	const {path} = given;
	const isInHome = path.startsWith('~/') && homedir !== undefined;
	const full = isInHome ? join(homedir, path.slice(2)) : resolve(cwd, path);
	if (statSync(full, {throwIfNoEntry: false})?.isFile() === true) return {type: 'file', path: full};
	throw new ChatError('input', `no such file: ${path}`, {hint: {code: 'check-file-path'}});
}
