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
import type {Dialog, Option} from '../../ask.ts';
import {askLocal, type LocalService} from '../service/find-local.ts';

export type ChosenService = {
	/** The stored form: a URL, or the name standing for one. */
	readonly baseUrl: string;
	/** Where to get a key; undefined if unknown or unnecessary. */
	readonly keyPage: string | undefined;
	/** Whether it was found on this machine, needing no key. */
	readonly isLocal: boolean;
	/** A name for its profile. */
	readonly name: string;
};

/** `look-again`: for a local service not running, or lacking a model. */
type Answer = ChosenService | 'by-url' | 'look-again';

export async function askService(dialog: Dialog, environment: Environment): Promise<ChosenService> {
	const {variables} = environment;
	const places = placesOf(anyLocal, variables);
	for (;;) {
		const answering = await askLocal(places, dialog.signal);
		const local = answering.filter(({models}) => models.length > 0);
		const titles = local.map(({provider}) => provider.title).join(', ');
		await dialog.say(`Services found on this machine: ${titles || 'none'}.`);
		const answer = await dialog.choose<Answer>('Which service?', listChoices(local, variables), {
			typing: 'a URL',
			more: (typed) => [...findNotReady(typed, places, answering), ...readTyped(typed, variables)],
		});
		if (answer === 'by-url') return await askUrl(dialog, variables);
		if (answer !== 'look-again') return answer;
		await dialog.say('Looking again…');
	}
}

function listChoices(
	local: readonly LocalService[],
	variables: Environment['variables'],
): ReadonlyArray<Option<Answer>> {
	const offers = findOffers(variables);
	const others = hostedProviders.filter((provider) => !offers.includes(provider));
	return [
		...local.map(choiceOfLocal),
		...offers.flatMap((provider) => choiceOfHosted(provider, true)),
		...others.flatMap((provider) => choiceOfHosted(provider, false)),
		{label: 'another service, by its URL', value: 'by-url', isApart: true},
	];
}

function choiceOfLocal({provider, baseUrl, models}: LocalService): Option<Answer> {
	const more = models.length === 1 ? '' : ` and ${models.length - 1} more`;
	const {title, name} = provider;
	const label = `${title}, on this machine at ${baseUrl.host}: ${models[0]}${more}`;
	return {label, value: {baseUrl: `${name}:`, keyPage: undefined, isLocal: true, name}};
}

function choiceOfHosted(
	{name, title, keyVariable, keyPage}: HostedProvider,
	hasKey: boolean,
): ReadonlyArray<Option<Answer>> {
	if (name === undefined) return [];
	const label = hasKey ? `${title}, with the key in ${keyVariable}` : title;
	return [{label, value: {baseUrl: `${name}:`, keyPage, isLocal: false, name}}];
}

/** Returns the local services meant by a typed name but unable to answer. */
function findNotReady(
	typed: string,
	places: readonly Place[],
	answering: readonly LocalService[],
): ReadonlyArray<Option<Answer>> {
	const isAmong = (services: readonly Place[], provider: Place['provider']) =>
		services.some((service) => service.provider === provider);
	const ready = answering.filter(({models}) => models.length > 0);
	const providers = [...new Set(places.map(({provider}) => provider))];
	const notReady = providers.filter((provider) => !isAmong(ready, provider));
	return findFuzzy(typed, notReady, ({name, title}) => `${title} ${name}:`).map(({item}) => ({
		label: isAmong(answering, item)
			? `${item.title} answers, but has no model`
			: `${item.title} does not answer; start it with: ${item.start}`,
		value: 'look-again',
	}));
}

/** Returns the service for a typed URL or name, perhaps lacking `https://`. */
function readTyped(
	typed: string,
	variables: Environment['variables'],
): ReadonlyArray<Option<Answer>> {
	if (isLocalName(typed)) return [];
	const text = suggestUrl(typed) ?? typed;
	try {
		return [{label: findHosted(text)?.title ?? text, value: readService(text, variables)}];
	} catch (error) {
		if (!(error instanceof ValueError)) throw error;
		return [];
	}
}

/** @throws {ValueError} unless the text is one service's URL or name */
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
