/** Checks the service of the settings: the way to it, its models, and the model of the run. */
import type {OfferedModel} from '../../../chat/model.ts';
import {findClosest} from '../../../did-you-mean.ts';
import {toChatError} from '../../../errors.ts';
import {loadKnownModels} from '../../../models/known-models.ts';
import {printTrace} from '../../../output/print.ts';
import {describeModels, listModels} from '../../../protocol/list-models.ts';
import type {ServiceConnection} from '../../../protocol/service-connection.ts';
import {redactUrl} from '../../../redact.ts';
import {modelsPath} from '../../../settings/files/config-path.ts';
import {findLlamaModel, type LlamaModel} from '../../../settings/options/parse-service.ts';
import {expandModelName} from '../../../settings/service/model-name.ts';
import {formatCount, plural} from '../../../wording.ts';
import {findProviderModel, pickModel} from '../../run/service/choose-model.ts';
import {describeModel, isNamed} from '../../run/service/model-report.ts';
import {findLlama} from '../../run/service/open-llama.ts';
import {checkRoute} from './check-route.ts';
import {runOnline} from './check-settings.ts';
import type {Checkup} from './checkup.ts';
import {type Finding, fail, note, ok} from './finding.ts';
import type {Access} from './open-access.ts';

/** For the list, and then for the description of one model. */
const limitMs = 5000;

export async function checkService(checkup: Checkup): Promise<readonly Finding[]> {
	const {mistakes, loaded, signal} = checkup;
	if (mistakes.length > 0) return [note('service', 'not checked: the settings have a mistake')];
	const access = await checkup.access;
	const {address, baseUrl, connection, proxy} = access;
	if (address === undefined || baseUrl === undefined) {
		return loaded.settings.baseUrl === undefined
			? [note('service', 'none is configured: the built-in service answers', 'chat setup')]
			: [ok('service', 'the built-in service')];
	}
	const model = findLlamaModel(loaded.texts.baseUrl.at(-1) ?? '');
	if (model !== undefined) return [await checkLlama(model, checkup)];
	const way = proxy === undefined ? 'direct' : `through the proxy ${redactUrl(proxy)}`;
	const known = [ok('address', address), ok('connection', way)];
	if (connection === undefined) {
		const canAsk = access.unreadKey?.isReadOnline ?? true;
		return [...known, note('models', 'not asked', canAsk ? runOnline : undefined)];
	}
	const [route, models] = await Promise.all([
		checkRoute(baseUrl, proxy, signal),
		checkModels(connection, access, checkup),
	]);
	return [...known, ...route, ...models];
}

/** Starts none. */
async function checkLlama(model: LlamaModel, {environment}: Checkup): Promise<Finding> {
	try {
		return ok('llama-server', `starts for each run: ${findLlama(model, environment).join(' ')}`);
	} catch (error) {
		return await fail('llama-server', error);
	}
}

async function checkModels(
	connection: ServiceConnection,
	{settings, redact}: Access,
	{signal, environment}: Checkup,
): Promise<readonly Finding[]> {
	const trace = (line: string) => {
		if (settings.verbose) printTrace(redact(line), environment);
	};
	const ask = {limitMs, signal, trace};
	const {limits} = connection;
	const connectMs = Math.min(limits.connectMs || limitMs, limitMs);
	const quick = {...connection, limits: {...limits, connectMs}};
	const startedAt = environment.now();
	let listed: readonly OfferedModel[];
	try {
		listed = await listModels(quick, ask);
	} catch (error) {
		signal.throwIfAborted();
		if (toChatError(error).details.status !== 404) return [await fail('models', error)];
		listed = [];
	}
	const elapsed = Math.round(environment.now() - startedAt);
	const count =
		listed.length === 0
			? note('models', `the service has no list of them (${elapsed} ms)`)
			: ok('models', `${plural(listed.length, 'model')} (${elapsed} ms)`);
	const standard = expandModelName(undefined, settings.family);
	const own = settings.model ?? findProviderModel(connection.wire.url);
	const pick =
		own === undefined
			? await pickModel(listed, standard, quick, ask)
			: {model: expandModelName(own, settings.family)};
	if ('names' in pick) {
		const next = 'chat models lists them; chat config set model NAME';
		return [count, note('model', 'none is set: a run asks for one', next)];
	}
	const {model: name} = pick;
	const found = listed.find((model) => isNamed(model, name));
	const [model] = found === undefined ? [] : await describeModels([found], connection, ask);
	const known = await loadKnownModels(modelsPath(environment));
	const {context} = describeModel(name, model, known, connection.wire.url).figures;
	return [
		count,
		listed.length === 0 || found !== undefined ? ok('model', name) : describeUnlisted(name, listed),
		context === undefined
			? note('context', `not known for ${name}`)
			: ok('context', `${formatCount(Number(context.value))} tokens (${context.source})`),
	];
}

/** A service may answer by names that it does not list. */
function describeUnlisted(name: string, listed: readonly OfferedModel[]): Finding {
	const names = listed.map((model) => model.name);
	const closest = findClosest(name, names);
	const next = closest === undefined ? 'chat models' : `Did you mean ${closest}?`;
	return note('model', `${name} is not in the list`, next);
}
