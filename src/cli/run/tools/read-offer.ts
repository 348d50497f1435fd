/** Starts a server to read its offer. */
import type {Environment} from '../../../environment.ts';
import {toChatError} from '../../../errors.ts';
import type {Connection} from '../../../mcp/connection.ts';
import type {Manifest} from '../../../mcp/manifest.ts';
import type {ServerEntry} from '../../../mcp/server-entry.ts';
import {printTrace} from '../../../output/print.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {plural} from '../../../wording.ts';
import {createConnector} from './connect-server.ts';

export type Reading = {
	readonly manifest: Manifest;
	readonly protocolVersion: string | undefined;
};

/**
 * Prints what the offer leaves out, and a failing server's stderr.
 *
 * @throws {ChatError} as `Connect` does, and when the offer cannot be read
 */
export async function readOffer(
	entry: ServerEntry,
	{settings, environment}: {readonly settings: Settings; readonly environment: Environment},
	{signal}: {readonly signal: AbortSignal},
): Promise<Reading> {
	const {verbose} = settings;
	const trace = (line: string) => printTrace(line, environment);
	const connect = createConnector(settings, environment, verbose ? trace : undefined);
	const printLog = (log: readonly string[]) => {
		for (const line of log) trace(`${entry.name}: ${line}`);
	};
	let log: readonly string[] = [];
	let connection: Connection | undefined;
	try {
		const onFailure = (lines: readonly string[]) => {
			log = lines;
		};
		connection = await connect(entry, {signal, onFailure});
		const manifest = await connection.readManifest(signal);
		printLog(findRemarks(connection.log()));
		return {manifest, protocolVersion: connection.protocolVersion};
	} catch (error) {
		// Over HTTP, the error may be among the messages, even without the server's name.
		const {message} = toChatError(error);
		const same = [message, message.replace(`the MCP server ${entry.name}: `, '')];
		if (connection !== undefined) log = signal.aborted ? [] : connection.log();
		printLog(log.filter((line) => !same.includes(line)));
		throw error;
	} finally {
		await connection?.close();
	}
}

const maxRemarks = 5;

/** Returns our lines about unusable parts. */
function findRemarks(log: readonly string[]): readonly string[] {
	const remarks = log.filter((line) => line.startsWith('chat: ')).map((line) => line.slice(6));
	const rest = remarks.length - maxRemarks;
	return rest > 0 ? [...remarks.slice(0, maxRemarks), `and ${plural(rest, 'more line')}`] : remarks;
}
