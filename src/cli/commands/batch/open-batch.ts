/** Opens what all lines share: settings, service, tools, template, attached files. */
import type {Notice} from '../../../chat/event.ts';
import type {Prices} from '../../../cost.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import type {LoadedAttachments} from '../../../input/load-media.ts';
import {loadPrompt} from '../../../input/load-prompt.ts';
import {createPace, type Pace} from '../../../protocol/pace.ts';
import {createStreamChat} from '../../../protocol/stream-chat.ts';
import {type LoadedSettings, loadSettings} from '../../../settings/options/load-settings.ts';
import {expandModelName} from '../../../settings/service/model-name.ts';
import type {FlagTexts} from '../../command-line/command.ts';
import {checkCombinations, preferForm} from '../../run/chat-options.ts';
import {findPrices} from '../../run/find-model.ts';
import {readOptions, readSystem} from '../../run/read-request.ts';
import {openRun, withFallbacks, withModel} from '../../run/run-chat.ts';
import type {LineTemplate} from '../../run/template/line-template.ts';
import {toolSources} from '../../run/tools/open-tools.ts';
import type {Request, Run} from '../../run/turn-runner.ts';

export type OpenBatch = {
	readonly run: Run;
	readonly pace: Pace;
	readonly files: Awaited<ReturnType<typeof openRun>>['files'];
	/** A line's request, unless the line has its own parts. */
	readonly defaults: Pick<Request, 'options' | 'check'> & {readonly system: string};
	/** Attached to every prompt. */
	readonly attached: LoadedAttachments;
	readonly template: LineTemplate | undefined;
	/** Whether the system message is the template's, with its parameters. */
	readonly isSystemOfTemplate: boolean;
	/** Printed once. */
	readonly notices: readonly Notice[];
	readonly traces: readonly string[];
};

type OpenOptions = {
	/** Maximum requests at once. */
	readonly jobs: number;
	readonly signal: AbortSignal;
	readonly closers: Array<() => Promise<void> | void>;
};

/** A line is a run with these flags. */
const lineFlags: FlagTexts = {
	output: ['json'],
	save: ['false'],
	notify: ['off'],
	stdin: ['false'],
	dryRun: ['false'],
	interactive: ['false'],
};

/** @throws {ChatError} as a run with these flags does */
export async function openBatch(
	flags: FlagTexts,
	{jobs, signal, closers}: OpenOptions,
	environment: Environment,
): Promise<OpenBatch> {
	const own = {...flags, ...lineFlags};
	const {loaded, template} = await load(own, environment);
	const open = {kinds: toolSources, isSession: false, signal, closers};
	const {service: reached, files, tools} = await openRun(loaded, open, environment);
	const chosen = await withModel(reached, {loaded, ...open}, environment);
	const others = {loaded, flags: own, ...open};
	const {service, fallbacks} = await withFallbacks(chosen, others, environment);
	const {settings} = service;
	const offered = tools.tools?.tools ?? [];
	const {options, check} = await readOptions({...loaded, settings}, offered, files);
	const pace = createPace(jobs, () => environment.now());
	const {url} = service.connection.wire;
	const shared = {
		streamChat: createStreamChat({...service.connection, pace}),
		findPrices: remember((model: string) => findPrices(url, model, environment)),
	};
	const run: Run = {
		settings,
		service: {...service, traces: []},
		tools: tools.tools,
		servers: tools.servers,
		flags: own,
		resumed: undefined,
		signal,
		onInterrupt: () => {},
		fallbacks,
		shared,
	};
	return {
		run,
		pace,
		files,
		defaults: {
			options: {...options, model: expandModelName(settings.model, settings.family)},
			check,
			system: await readSystem(settings, files),
		},
		attached: await loadAttached({settings, files, template}, environment),
		template,
		isSystemOfTemplate: loaded.sources.system === 'template',
		notices: [...service.notices, ...tools.notices],
		traces: service.traces,
	};
}

async function load(
	flags: FlagTexts,
	environment: Environment,
): Promise<{loaded: LoadedSettings; template: LineTemplate | undefined}> {
	const first = preferForm(loadSettings(flags, environment));
	checkCombinations(first.settings);
	if (first.settings.template === undefined) return {loaded: first, template: undefined};
	const {openLineTemplate} = await import('../../run/template/line-template.ts');
	const template = await openLineTemplate(first.settings, environment);
	const chosen = {chosen: [template.layer], config: first.config};
	const loaded = preferForm(loadSettings(flags, environment, chosen));
	checkCombinations(loaded.settings);
	return {loaded, template};
}

async function loadAttached(
	{
		settings: {file, image, attach},
		files,
		template,
	}: Pick<OpenBatch, 'files' | 'template'> & Pick<Run, 'settings'>,
	environment: Environment,
): Promise<LoadedAttachments> {
	if ([...file, ...image, ...attach].includes('-')) {
		throw new ChatError('usage', 'a batch cannot attach stdin', {hint: 'Name a file.'});
	}
	return await loadPrompt({
		...files,
		words: [],
		files: file,
		images: image,
		media: attach,
		attached: template?.attached,
		input: environment.stdin,
		isStdinWanted: false,
		git: environment,
	});
}

function remember(find: (name: string) => Promise<Prices | undefined>) {
	const found = new Map<string, Promise<Prices | undefined>>();
	return (name: string): Promise<Prices | undefined> => {
		const known = found.get(name) ?? find(name);
		found.set(name, known);
		return known;
	};
}
