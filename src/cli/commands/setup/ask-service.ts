/** Asks which service to connect. */
import type {Environment} from '../../../environment.ts';
import {findFuzzy} from '../../../find-fuzzy.ts';
import {type HostedProvider, hostedProviders} from '../../../providers.ts';
import {
	anyLocal,
	findHosted,
	isBuiltIn,
	isLocalName,
	isNameOfPlaces,
	type Place,
	parseService,
	placesOf,
	suggestUrl,
} from '../../../settings/options/parse-service.ts';
import {ValueError} from '../../../settings/options/parsers.ts';
import {findOffers} from '../../../settings/service/find-key.ts';
import type {Choice, Dialog} from '../../ask.ts';
import {askLocal, type LocalService} from '../../run/service/find-local.ts';

export type ChosenService = {
	/** As it is stored: a URL, or the name that stands for one. */
	readonly baseUrl: string;
	/** Where to get a key; undefined if that is not known, or no key is needed. */
	readonly keyPage: string | undefined;
	/** Whether it was found on this machine, and needs no key. */
	readonly isLocal: boolean;
	/** A name for its profile. */
	readonly name: string;
};

type Answer =
	| {readonly type: 'service'; readonly service: ChosenService}
	| {readonly type: 'url'}
	/** A service of this machine that does not run, or has no model. */
	| {readonly type: 'not-ready'};

export async function askService(dialog: Dialog, environment: Environment): Promise<ChosenService> {
	const {variables} = environment;
	for (;;) {
		const places = placesOf(anyLocal, variables);
		const answering = await askLocal(places, dialog.signal);
		const local = answering.filter(({models}) => models.length > 0);
		const titles = local.map(({provider}) => provider.title).join(', ');
		await dialog.say(`Services found on this machine: ${titles || 'none'}.`);
		const notReady = places.filter(({provider}) =>
			local.every((service) => service.provider !== provider),
		);
		const answer = await dialog.choose('Which service?', listChoices(local, variables), {
			typing: 'a URL',
			more: (typed) => [
				...findNotReady(typed, notReady, answering),
				...readTyped(typed, variables),
			],
		});
		if (answer.type === 'service') return answer.service;
		if (answer.type === 'url') return await askUrl(dialog, variables);
		await dialog.say('Looking again…');
	}
}

function listChoices(
	local: readonly LocalService[],
	variables: Environment['variables'],
): ReadonlyArray<Choice<Answer>> {
	const offers = findOffers(variables);
	const others = hostedProviders.filter((provider) => !offers.includes(provider));
	return [
		...local.map(choiceOfLocal),
		...[...offers, ...others].flatMap((provider) => choiceOfHosted(provider, offers)),
		{label: 'another service, by its URL', value: {type: 'url'}, isApart: true},
	];
}

function choiceOfLocal({provider, baseUrl, models}: LocalService): Choice<Answer> {
	const more = models.length === 1 ? '' : ` and ${models.length - 1} more`;
	const {title, name} = provider;
	const label = `${title}, on this machine at ${baseUrl.host}: ${models[0]}${more}`;
	const service = {baseUrl: `${name}:`, keyPage: undefined, isLocal: true, name};
	return {label, value: {type: 'service', service}};
}

function choiceOfHosted(
	provider: HostedProvider,
	offers: readonly HostedProvider[],
): ReadonlyArray<Choice<Answer>> {
	const {name, title, keyVariable, keyPage} = provider;
	if (name === undefined) return [];
	const label = offers.includes(provider) ? `${title}, with the key in ${keyVariable}` : title;
	const service = {baseUrl: `${name}:`, keyPage, isLocal: false, name};
	return [{label, value: {type: 'service', service}}];
}

/** Returns the services of this machine that a typed name means and that cannot answer. */
function findNotReady(
	typed: string,
	places: readonly Place[],
	answering: readonly LocalService[],
): ReadonlyArray<Choice<Answer>> {
	const providers = [...new Set(places.map(({provider}) => provider))];
	const namesOf = ({name, title}: Place['provider']) => `${title} ${name}:`;
	return findFuzzy(typed, providers, namesOf).map(({item: provider}) => {
		const {title, start} = provider;
		const isEmpty = answering.some((service) => service.provider === provider);
		const label = isEmpty
			? `${title} answers, but has no model`
			: `${title} does not answer; start it with: ${start}`;
		return {label, value: {type: 'not-ready'}};
	});
}

/** Returns the service whose URL or name is typed, perhaps without `https://`. */
function readTyped(
	typed: string,
	variables: Environment['variables'],
): ReadonlyArray<Choice<Answer>> {
	if (isLocalName(typed)) return [];
	const text = suggestUrl(typed) ?? typed;
	try {
		const service = readService(text, variables);
		return [{label: findHosted(text)?.title ?? text, value: {type: 'service', service}}];
	} catch (error) {
		if (!(error instanceof ValueError)) throw error;
		return [];
	}
}

/** @throws {ValueError} when it is not the URL or the name of one service */
function readService(text: string, variables: Environment['variables']): ChosenService {
	const hosted = findHosted(text);
	const url = parseService(text, undefined, variables);
	if (isNameOfPlaces(url) || isBuiltIn(url)) throw new ValueError('must be the URL of one service');
	const name = hosted?.name ?? url.hostname.replace(/^(?:api|www)\.|[^a-z0-9.-]/g, '');
	return {baseUrl: text, keyPage: hosted?.keyPage, isLocal: false, name};
}

async function askUrl(dialog: Dialog, variables: Environment['variables']): Promise<ChosenService> {
	for (let text = ''; ; ) {
		const suggestion = suggestUrl(text);
		const shown = suggestion === undefined ? {text} : {suggestion};
		text = await dialog.text('Base URL', shown);
		try {
			return readService(text, variables);
		} catch (error) {
			if (!(error instanceof ValueError)) throw error;
			await dialog.say(`It ${error.message}.`);
		}
	}
}
