/** `chat models`: the models that the service offers, and what is known of each. */
import type {OfferedModel} from '../../../chat/model.ts';
import {findClosest} from '../../../did-you-mean.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode, toChatError} from '../../../errors.ts';
import {loadKnownModels} from '../../../models/known-models.ts';
import {printInfo, printNotice, printText, printTrace} from '../../../output/print.ts';
import {describeModels, listModels} from '../../../protocol/list-models.ts';
import {modelsPath} from '../../../settings/files/config-path.ts';
import {type LoadedSettings, loadSettings} from '../../../settings/options/load-settings.ts';
import {expandModelName} from '../../../settings/service/model-name.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import {plural} from '../../../wording.ts';
import type {CommandLine} from '../../command-line/parse-argv.ts';
import type {modelVerbs} from '../../command-line/resolve-command.ts';
import {keepOffered} from '../../run/service/keep-offered.ts';
import {describeModel, isNamed, type ModelReport} from '../../run/service/model-report.ts';
import {type OpenService, openService} from '../../run/service/open-service.ts';
import {untilInterrupted} from '../../run/until-interrupted.ts';
import {formatModel, formatModels} from './print-models.ts';
import {updateModels} from './update-models.ts';

type Run = {
	/** The word after the verb; empty without one. */
	readonly word: string;
	readonly loaded: LoadedSettings;
	readonly signal: AbortSignal;
	readonly environment: Environment;
};

type Verb = {
	readonly usage: string;
	/** Whether a word follows it. */
	readonly word: 'none' | 'optional' | 'needed';
	readonly run: (run: Run) => Promise<ExitCode>;
};

const verbs: Readonly<Record<(typeof modelVerbs)[number], Verb>> = {
	list: {usage: 'chat models list', word: 'none', run: printList},
	show: {usage: 'chat models show <name>', word: 'needed', run: printOne},
	update: {
		usage: 'chat models update [url]',
		word: 'optional',
		run: ({word, loaded, signal, environment}) => updateModels(word, loaded, signal, environment),
	},
};

export async function runModelsCommand(
	{words, flags}: CommandLine,
	environment: Environment,
): Promise<ExitCode> {
	const [name = 'list', ...rest] = words.map(({text}) => text);
	const {run} = findVerb(name, rest);
	const loaded = loadSettings(flags, environment);
	return await untilInterrupted(environment, (signal) =>
		run({word: rest[0] ?? '', loaded, signal, environment}),
	);
}

/** @throws {ChatError} `usage` when the words do not fit the verb */
function findVerb(name: string, words: readonly string[]): Verb {
	const verb = Object.entries(verbs).find(([known]) => known === name)?.[1] ?? verbs.list;
	const least = verb.word === 'needed' ? 1 : 0;
	const most = verb.word === 'none' ? 0 : 1;
	if (words.length >= least && words.length <= most) return verb;
	const rule = {none: 'takes no argument', optional: 'takes one address', needed: 'needs a name'};
	throw new ChatError('usage', `models ${name} ${rule[verb.word]}`, {
		hint: `Write: ${verb.usage}`,
	});
}

function printList(run: Run): Promise<ExitCode> {
	return withService(run, async (service, ask) => {
		const {loaded, environment} = run;
		const {connection} = service;
		const models = await describeModels(await listModels(connection, ask), connection, ask);
		keepOffered(models, service, environment);
		const known = await loadKnownModels(modelsPath(environment));
		const reports = models
			.map((model) => describeModel(model.name, model, known, connection.wire.url))
			.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
		await printText(formatModels(reports, loaded.settings.output, service.redact), environment);
		if (environment.stdout.isTerminal && !loaded.settings.quiet) {
			printInfo(
				`${plural(reports.length, 'model')} at ${service.name}; chat models show NAME names the sources`,
				environment,
			);
		}
		return 0;
	});
}

function printOne(run: Run): Promise<ExitCode> {
	return withService(run, async (service, ask) => {
		const {word, loaded, environment} = run;
		const {settings} = loaded;
		const {connection} = service;
		const name = expandModelName(word, settings.family);
		const known = await loadKnownModels(modelsPath(environment));
		const isKnown = known.find(connection.wire.url, name) !== undefined;
		const listed = await listModels(connection, ask).catch((error) => {
			if (!isKnown || toChatError(error).details.status !== 404) throw error;
			return undefined;
		});
		const offered = listed?.find((model) => isNamed(model, name));
		if (offered === undefined && !isKnown) throw notOffered(name, listed ?? [], service);
		const [model] = offered === undefined ? [] : await describeModels([offered], connection, ask);
		const report: ModelReport = {
			...describeModel(model?.name ?? name, model, known, connection.wire.url),
			isOffered: listed && offered !== undefined,
		};
		const canFetchPrices = isKnown && !known.hasPrices;
		const shown = {service: service.name, canFetchPrices, redact: service.redact};
		await printText(formatModel(report, settings.output, shown), environment);
		return 0;
	});
}

function notOffered(
	name: string,
	listed: readonly OfferedModel[],
	{name: service, redact}: OpenService,
): ChatError {
	const models = listed.map((model) => redact(stripToLine(model.name)));
	const closest = findClosest(name, models);
	const hint = {code: 'offered-models', models, closest} as const;
	const who = service === 'built-in' ? 'the built-in service' : service;
	return new ChatError('data', `${who} does not offer ${name}`, {
		hint: models.length === 0 ? undefined : hint,
	});
}

/** For the list, and then for the descriptions. */
const limitMs = 30_000;

type Ask = {
	readonly limitMs: number;
	readonly signal: AbortSignal;
	readonly trace: (line: string) => void;
};

async function withService(
	{loaded, signal, environment}: Run,
	act: (service: OpenService, ask: Ask) => Promise<ExitCode>,
): Promise<ExitCode> {
	const {verbose, quiet} = loaded.settings;
	const service = await openService(loaded, signal, environment);
	for (const notice of service.notices) {
		if (!quiet || notice.code === 'built-in-service') printNotice(notice, environment);
	}
	const trace = (line: string) => {
		if (verbose) printTrace(service.redact(line), environment);
	};
	service.traces.forEach(trace);
	try {
		return await act(service, {limitMs, signal, trace});
	} catch (error) {
		throw withoutSecrets(toChatError(error), service);
	} finally {
		await service.close();
	}
}

/** A service may quote its key, which only this run knows. */
function withoutSecrets({kind, message, details}: ChatError, {redact}: OpenService): ChatError {
	return new ChatError(kind, redact(stripToLine(message)), details);
}
