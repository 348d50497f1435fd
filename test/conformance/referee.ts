/** Runs scenarios of `@modelcontextprotocol/conformance`, which acts as a server and judges the client. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {text as readText} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import {onTestFinished} from 'vitest';
import {parse} from 'yaml';
import {pathInPackage, refereeNode} from './install-packages.ts';

const name = '@modelcontextprotocol/conformance';
const handOver = fileURLToPath(new URL('hand-over.js', import.meta.url));
/** Less than a test may take, so that the referee reports what is missing. */
const timeLimitMs = 100_000;

/** The part of a client in a scenario. */
export type Task = {
	readonly url: string;
	readonly context: {
		readonly client_id?: string;
		readonly client_secret?: string;
		readonly toolCalls?: ReadonlyArray<{readonly name: string; readonly arguments: object}>;
	};
};

export type Check = {
	readonly id: string;
	readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
	readonly description: string;
	readonly errorMessage?: string;
};

type Requirements = {
	readonly client: readonly string[];
	readonly not_scored: ReadonlyArray<{
		readonly scenario: string;
		readonly leg: string;
		readonly reason: string;
	}>;
};

/** Returns the client scenarios of a revision, later additions included, optional extensions not. */
export function scenariosOf(revision: string): readonly string[] {
	const path = pathInPackage(name, 'requirements', `${revision}.yaml`);
	const {client, not_scored: others}: Requirements = parse(readFileSync(path, 'utf8'));
	const added = others.filter(
		({leg, reason}) => leg === 'client' && reason === 'added-after-release',
	);
	return [...client, ...added.map(({scenario}) => scenario)];
}

/**
 * Plays a scenario.
 * @param play the client; returns its exit code
 */
export async function judge(
	scenario: string,
	revision: string,
	play: (task: Task) => Promise<number>,
): Promise<readonly Check[]> {
	const output = mkdtempSync(join(tmpdir(), 'chat-referee-'));
	onTestFinished(() => rmSync(output, {recursive: true, force: true}));
	const server = createServer();
	const failed = new Promise<never>((_resolve, reject) => {
		server.on('request', (request: IncomingMessage, response: ServerResponse) => {
			const played = readText(request).then((text) => play(JSON.parse(text)));
			played.then((code) => response.end(String(code)), reject);
		});
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const {port} = server.address() as AddressInfo;
	const command = `"${process.execPath}" "${handOver}" http://127.0.0.1:${port}`;
	const argv = [pathInPackage(name, 'dist', 'index.js'), 'client', '--command', command];
	argv.push('--scenario', scenario, '--spec-version', revision, '--force');
	argv.push('--timeout', String(timeLimitMs), '--output-dir', output);
	const referee = spawn(refereeNode, argv, {stdio: ['ignore', 'ignore', 'pipe']});
	onTestFinished(() => {
		referee.kill('SIGKILL');
		server.closeAllConnections();
		server.close();
	});
	let errors = '';
	referee.stderr.on('data', (bytes: Buffer) => {
		errors += bytes.toString();
	});
	await Promise.race([once(referee, 'close'), failed]);
	const file = readdirSync(output, {recursive: true, encoding: 'utf8'}).find((path) =>
		path.endsWith('checks.json'),
	);
	if (file === undefined) throw new Error(`the referee says: ${errors}`);
	return JSON.parse(readFileSync(join(output, file), 'utf8'));
}
