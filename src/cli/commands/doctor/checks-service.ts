/** Checks the settings, and their service: its key and its models. */
import type {OfferedModel} from '../../../chat/model.ts';
import {findClosest} from '../../../did-you-mean.ts';
import {toChatError} from '../../../errors.ts';
import {loadKnownModels} from '../../../models/known-models.ts';
import {describeModels, listModels} from '../../../protocol/list-models.ts';
import {describeKey, redactUrl} from '../../../redact.ts';
import {modelsPath} from '../../../settings/files/config-path.ts';
import {findLlamaModel} from '../../../settings/options/parse-service.ts';
import {nameOfService} from '../../../settings/service/base-url.ts';
import {describeSettings} from '../../../settings/service/describe-settings.ts';
import {expandModelName} from '../../../settings/service/model-name.ts';
import {formatCount, plural, shorten} from '../../../wording.ts';
import {findProviderModel, pickModel} from '../../run/service/choose-model.ts';
import {createModelsRequest} from '../../run/service/list-offered.ts';
import {describeModel, isNamed} from '../../run/service/model-report.ts';
import {findLlama} from '../../run/service/open-llama.ts';
import {type Access, attempt, type Checkup, type Finding, fail, note, ok} from './checkup.ts';

const runOnline = 'chat doctor --online';
const maxLength = 200;

/** Lists changed settings with their sources. */
export async function checkSettings(checkup: Checkup): Promise<readonly Finding[]> {
	const {loaded, mistakes, access} = checkup;
	if (mistakes.length > 0) return mistakes.map((mistake) => fail('mistake', mistake));
	// Reports are shared, so the system message is left out.
	const describe = (key: string, text: string) =>
		key === 'system' ? plural(text.length, 'character') : shorten(text, maxLength);
	const set = describeSettings(loaded)
		.filter(({source}) => source !== 'default')
		.map(({key, text, source}) => ok(key, `${describe(key, text)} (${source})`));
	// A failure to open the service is reported in its own section.
	const opened = await access.catch(() => undefined);
	return [
		...(set.length === 0 ? [ok('all', 'defaults')] : set),
		...(opened === undefined ? [] : [describeOwnKey(opened)]),
		...(opened?.warnings ?? []).map((warning) => note('warning', warning)),
	];
}

function describeOwnKey(access: Access): Finding {
	const {connection, unread, missingKey, address} = access;
	const {apiKey, keySource} = connection;
	const name = 'API key';
	if (address === undefined) return ok(name, 'none: the built-in service needs none');
	if (unread === 'command') return note(name, `from ${keySource}, not read`, runOnline);
	if (unread === 'pipe') return note(name, `from ${keySource}, not read: it is a pipe`);
	if (missingKey !== undefined) return fail(name, missingKey);
	return ok(name, apiKey === undefined ? 'none' : `${describeKey(apiKey)} (${keySource})`);
}

export async function checkService(checkup: Checkup): Promise<readonly Finding[]> {
	const {mistakes, loaded} = checkup;
	if (mistakes.length > 0) return [note('service', 'not checked: the settings have a mistake')];
	const access = await checkup.access;
	const name = nameOfService(loaded);
	const notAsked = note('models', 'not asked', access?.unread === 'pipe' ? undefined : runOnline);
	if (access === undefined) return [ok('address', name), notAsked];
	const {address, connection} = access;
	if (address === undefined) {
		return loaded.settings.baseUrl === undefined
			? [note('service', 'none is configured: the built-in service answers', 'chat setup')]
			: [ok('service', 'the built-in service')];
	}
	const model = findLlamaModel(name);
	if (model !== undefined) {
		const start = () => findLlama(model, checkup.environment).join(' ');
		const title = 'llama-server';
		return await attempt(title, checkup, () => ok(title, `starts for each run: ${start()}`));
	}
	const proxy = connection.route?.proxy;
	const way = proxy === undefined ? 'direct' : `through the proxy ${redactUrl(proxy)}`;
	const wire = ok('wire', connection.wire.name);
	const found = [ok('address', address), wire, ok('connection', way)];
	return [...found, ...(access.mayAsk ? await checkModels(access, checkup) : [notAsked])];
}

/** Time limit per request. */
const limitMs = 5000;

async function checkModels(
	access: Access,
	{signal, environment}: Checkup,
): Promise<readonly Finding[]> {
	const {connection, settings} = access;
	const ask = createModelsRequest(limitMs, access, signal, environment);
	const {limits} = connection;
	const connectMs = Math.min(limits.connectMs || limitMs, limitMs);
	const quick = {...connection, limits: {...limits, connectMs}};
	const startedAt = environment.now();
	let listed: readonly OfferedModel[];
	try {
		listed = await listModels(quick, ask);
	} catch (error) {
		signal.throwIfAborted();
		if (toChatError(error).details.status !== 404) return [fail('models', error)];
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

/** A note, because services may accept unlisted names. */
function describeUnlisted(name: string, listed: readonly OfferedModel[]): Finding {
	const names = listed.map((model) => model.name);
	const closest = findClosest(name, names);
	const next = closest === undefined ? 'chat models' : `Did you mean ${closest}?`;
	return note('model', `${name} is not in the list`, next);
}
