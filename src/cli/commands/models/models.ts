/** `chat models`: the service's models, and known facts about each. */
import type {OfferedModel} from '../../../chat/model.ts';
import {findClosest} from '../../../did-you-mean.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode, toChatError} from '../../../errors.ts';
import {lineHint, withHint} from '../../../hint.ts';
import {loadKnownModels} from '../../../models/known-models.ts';
import {printInfo, printText} from '../../../output/print.ts';
import {describeModels, offeredHint} from '../../../protocol/list-models.ts';
import {modelsPath} from '../../../settings/files/config-path.ts';
import {type LoadedSettings, loadSettings} from '../../../settings/options/load-settings.ts';
import {optionRows} from '../../../settings/options/option-rows.ts';
import {expandModelName} from '../../../settings/service/model-name.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import {plural} from '../../../wording.ts';
import type {Command, Verb} from '../../command-line/command.ts';
import {listOutput, serviceRows} from '../../command-line/shared-rows.ts';
import {
	createModelsRequest,
	listOffered,
	type TracedRequest,
} from '../../run/service/list-offered.ts';
import {describeModel, isNamed, type ModelReport} from '../../run/service/model-report.ts';
import {type OpenService, openService} from '../../run/service/open-service.ts';
import {reportModels} from '../../run/service/report-models.ts';
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

const list: Verb = {
	args: '',
	summary: 'print the models offered by the service',
	run: untilStopped(printList),
};

export const models: Command = {
	name: 'models',
	description: "Lists the service's models, with everything known about each.",
	flags: {
		output: listOutput,
		quiet: optionRows.quiet,
		verbose: optionRows.verbose,
		...serviceRows,
	},
	bare: list,
	verbs: {
		list,
		show: {
			args: '<name>',
			summary: "print everything known about a model, with each figure's source",
			complete: ['models'],
			run: untilStopped(printOne),
		},
		update: {
			args: '[url]',
			summary: 'fetch public data about models, with prices, from https://models.dev/api.json',
			run: untilStopped(({word, loaded, signal, environment}) =>
				updateModels(word, loaded, signal, environment),
			),
		},
	},
	notes: [
		'Figures come from the service itself, then from the last update, then from a small bundled table. Nothing is fetched but by these commands.',
	],
	examples: ['chat models', "chat models -o json | jq -r '.[].name'", 'chat models show gpt-5'],
};

function untilStopped(run: (run: Run) => Promise<ExitCode>): Verb['run'] {
	return async ({words: [word = ''], flags, environment}) => {
		const loaded = loadSettings(flags, environment);
		return await untilInterrupted(environment, (signal) =>
			run({word, loaded, signal, environment}),
		);
	};
}

function printList(run: Run): Promise<ExitCode> {
	return withService(run, async (service, ask) => {
		const {loaded, environment} = run;
		const listed = await reportModels(service, ask, environment);
		const reports = listed.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
		await printText(
			await formatModels(reports, loaded.settings.output, service.redact),
			environment,
		);
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
		const listed = await listOffered(service, ask, environment).catch((error) => {
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
		const shown = {
			service: service.name,
			wire: connection.wire.name,
			canFetchPrices: isKnown && !known.isFetched,
			redact: service.redact,
		};
		await printText(await formatModel(report, settings.output, shown), environment);
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
	const who = service === 'built-in' ? 'the built-in service' : service;
	return new ChatError('data', `${who} does not offer ${name}`, {
		hint: models.length === 0 ? undefined : offeredHint(models, closest),
	});
}

/** The limit for the list, and then for the descriptions. */
const limitMs = 30_000;

async function withService(
	{loaded, signal, environment}: Run,
	act: (service: OpenService, ask: TracedRequest) => Promise<ExitCode>,
): Promise<ExitCode> {
	const {quiet} = loaded.settings;
	const service = await openService(loaded, signal, environment);
	for (const notice of service.notices) {
		if (!quiet || notice.code === 'built-in-service') {
			printInfo(withHint(notice, lineHint), environment);
		}
	}
	const ask = createModelsRequest(limitMs, service, signal, environment);
	service.traces.forEach(ask.trace);
	try {
		return await act(service, ask);
	} finally {
		await service.close();
	}
}
