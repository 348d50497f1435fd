/** Starts a server to ask what it offers. */
import type {Manifest} from '../../mcp/manifest.ts';
import type {ServerEntry} from '../../mcp/server-entry.ts';
import {printTrace} from '../../output/print.ts';
import {createConnector} from './connect-server.ts';
import type {McpRun} from './mcp-verb.ts';

export type Reading = {
	readonly manifest: Manifest;
	readonly protocolVersion: string | undefined;
};

type Asking = {
	/** The manifest of an earlier connection. */
	readonly known?: Manifest | undefined;
	readonly signal: AbortSignal;
};

/**
 * Prints the stderr of a server that fails.
 *
 * @throws {ChatError} as `Connect` does, and when the offer cannot be read
 */
export async function readOffer(
	entry: ServerEntry,
	{settings, environment}: Pick<McpRun, 'settings' | 'environment'>,
	{known, signal}: Asking,
): Promise<Reading> {
	const onFailure = (log: readonly string[]) => {
		for (const line of log) printTrace(`${entry.name}: ${line}`, environment);
	};
	const trace = (line: string) => printTrace(line, environment);
	const connect = createConnector(settings, environment, settings.verbose ? trace : undefined);
	const connection = await connect(entry, {signal, known, onFailure});
	try {
		const manifest = await connection.readManifest(signal);
		return {manifest, protocolVersion: connection.protocolVersion};
	} catch (error) {
		if (!signal.aborted) onFailure(connection.log());
		throw error;
	} finally {
		await connection.close();
	}
}
