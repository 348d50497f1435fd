/** `chat models update`: fetches public data about models, with prices. */

import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {writeUserFile} from '../../../files/private-files.ts';
import {createTextReader} from '../../../input/read-bytes.ts';
import {readCatalog} from '../../../models/catalog.ts';
import {printInfo, printTrace} from '../../../output/print.ts';
import {requestJson} from '../../../protocol/request-json.ts';
import {redactUrl} from '../../../redact.ts';
import {modelsPath, requirePath} from '../../../settings/files/config-path.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import {parseBaseUrl} from '../../../settings/options/parse-service.ts';
import {parseSetting} from '../../../settings/options/parsers.ts';
import {findProxy} from '../../../settings/service/proxy.ts';
import {userAgent} from '../../../version.ts';
import {mebibyte} from '../../../wording.ts';
import {loadCertificates} from '../../run/service/open-service.ts';

const defaultUrl = 'https://models.dev/api.json';

/** About 5 MiB today. */
const maxBytes = 64 * mebibyte;
const limitMs = 120_000;

const addressHint = 'Leave the address out to use models.dev.';

/**
 * Sends no key: the data is public.
 *
 * @param written a mirror's address; empty for the usual one
 */
export async function updateModels(
	written: string,
	{settings}: LoadedSettings,
	signal: AbortSignal,
	environment: Environment,
): Promise<ExitCode> {
	const url = parseSetting('usage', 'the address', written || defaultUrl, parseBaseUrl);
	const path = requirePath(modelsPath(environment));
	const read = createTextReader(environment.cwd, signal);
	const reply = await requestJson({
		context: {
			url,
			words: {replyName: 'a list of models', serviceHint: addressHint, addressHint, refusals: []},
			model: '',
			keySource: undefined,
			isModelChosen: false,
		},
		headers: {accept: 'application/json', 'user-agent': userAgent},
		route: {
			proxy: findProxy(url, environment.variables),
			certificates: await loadCertificates(settings.caFile, read, environment),
		},
		connectMs: settings.connectTimeout,
		limitMs,
		maxBytes,
		signal,
		trace: (line) => {
			if (settings.verbose) printTrace(line, environment);
		},
	});
	const date = new Date(environment.date()).toISOString().slice(0, 10);
	const catalog = readCatalog(reply, date);
	if (catalog === undefined) {
		throw new ChatError('protocol', `${redactUrl(url)} did not send the data of models.dev`);
	}
	writeUserFile(path, JSON.stringify(catalog), environment.createId());
	const services = Object.values(catalog.services);
	const count = services.flatMap((models) => Object.keys(models)).length;
	printInfo(`${count} models of ${services.length} services are stored in ${path}`, environment);
	return 0;
}
