/** Connects to servers with the run's variables, network and processes. */
import type {Environment} from '../../../environment.ts';
import {createTextReader} from '../../../input/read-bytes.ts';
import type {Connect} from '../../../mcp/connection.ts';
import {fillVariables, findSecrets} from '../../../mcp/fill-variables.ts';
import type {Network} from '../../../mcp/http-fetch.ts';
import {createRedactor} from '../../../redact.ts';
import {credentialsPath} from '../../../settings/files/config-path.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {version} from '../../../version.ts';
import {loadCertificates} from '../service/open-service.ts';

type NetworkSettings = Pick<Settings, 'caFile' | 'connectTimeout' | 'insecureHttp'>;

/**
 * The returned function takes an entry as written. The first call loads the SDK.
 *
 * @param trace receives lines about HTTP requests
 */
export function createConnector(
	settings: NetworkSettings,
	environment: Environment,
	trace?: Network['trace'],
): Connect {
	return async (entry, options) => {
		const filled = fillVariables(entry, environment);
		const {createConnect} = await import('../../../mcp/connect.ts');
		const {variables, homedir = '/', platform, processes, date, now} = environment;
		const secrets = findSecrets(entry, environment);
		const redact = createRedactor(secrets);
		const connect = createConnect({
			version,
			variables,
			secrets,
			homedir,
			platform,
			processes,
			connectMs: settings.connectTimeout,
			date,
			now,
			async openHttp({name, access}) {
				const {createHttpMeans} = await import('../../../mcp/auth-provider.ts');
				const network = createNetwork(settings, environment, {
					signal: options.signal,
					trace: trace && ((line) => trace(redact(line))),
				});
				const path = credentialsPath(environment);
				return createHttpMeans({server: name, access, network, credentialsPath: path, date});
			},
		});
		return await connect(filled, options);
	};
}

type NetworkUse = {
	/** Stops waiting for the certificate file. */
	readonly signal: AbortSignal;
	readonly trace: Network['trace'];
};

export function createNetwork(
	{caFile, connectTimeout, insecureHttp}: NetworkSettings,
	environment: Environment,
	{signal, trace}: NetworkUse,
): Network {
	let certificates: Promise<string | undefined> | undefined;
	const read = createTextReader(environment.cwd, signal, () => {});
	return {
		variables: environment.variables,
		loadCertificates: () => (certificates ??= loadCertificates(caFile, read, environment)),
		isInsecureAllowed: insecureHttp,
		connectMs: connectTimeout,
		trace,
	};
}
