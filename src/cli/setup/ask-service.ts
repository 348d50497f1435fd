/** Asks which service to connect. */
import type {Environment} from '../../environment.ts';
import {type HostedProvider, hostedProviders} from '../../providers.ts';
import {
	anyLocal,
	findHosted,
	isBuiltIn,
	isNameOfPlaces,
	parseService,
	placesOf,
} from '../../settings/options/parse-service.ts';
import {ValueError} from '../../settings/options/parsers.ts';
import {findOffers} from '../../settings/service/find-key.ts';
import type {Prompter} from '../../ui/prompts/prompter.ts';
import {askText, type Choice, select} from '../../ui/prompts/questions.ts';
import {findLocal, type LocalService} from '../service/find-local.ts';

export type ChosenService = {
	/** As it is stored: a URL, or the name that stands for one. */
	readonly baseUrl: string;
	/** Where to get a key; undefined if that is not known, or no key is needed. */
	readonly keyPage: string | undefined;
	/** The models of a service on this machine, which needs no key. */
	readonly localModels: readonly string[] | undefined;
	/** A name for its profile. */
	readonly name: string;
};

export async function askService(
	prompter: Prompter,
	environment: Environment,
): Promise<ChosenService> {
	const {variables} = environment;
	await prompter.say('Looking for services on this machine…');
	const local = await findLocal(placesOf(anyLocal, variables), prompter.signal);
	const offers = findOffers(variables);
	const others = hostedProviders.filter((provider) => !offers.includes(provider));
	const choices: ReadonlyArray<Choice<ChosenService | undefined>> = [
		...local.map(choiceOfLocal),
		...[...offers, ...others].flatMap((provider) => choiceOfHosted(provider, offers)),
		{label: 'another service, by its URL', value: undefined},
	];
	const chosen = await prompter.ask(select('Which service?', choices));
	return chosen ?? (await askUrl(prompter, variables));
}

function choiceOfLocal({provider, baseUrl, models}: LocalService): Choice<ChosenService> {
	const more = models.length === 1 ? '' : ` and ${models.length - 1} more`;
	const {title, name} = provider;
	const label = `${title}, on this machine at ${baseUrl.host}: ${models[0]}${more}`;
	return {label, value: {baseUrl: `${name}:`, keyPage: undefined, localModels: models, name}};
}

function choiceOfHosted(
	provider: HostedProvider,
	offers: readonly HostedProvider[],
): ReadonlyArray<Choice<ChosenService>> {
	const {name, title, keyVariable, keyPage} = provider;
	if (name === undefined) return [];
	const label = offers.includes(provider) ? `${title}, with the key in ${keyVariable}` : title;
	return [{label, value: {baseUrl: `${name}:`, keyPage, localModels: undefined, name}}];
}

async function askUrl(
	prompter: Prompter,
	variables: Environment['variables'],
): Promise<ChosenService> {
	for (let text = ''; ; ) {
		text = await prompter.ask(askText('Base URL', text));
		try {
			const hosted = findHosted(text);
			const url = parseService(text, undefined, variables);
			if (isNameOfPlaces(url) || isBuiltIn(url))
				throw new ValueError('must be the URL of one service');
			const name = hosted?.name ?? url.hostname.replace(/^(?:api|www)\.|[^a-z0-9.-]/g, '');
			return {baseUrl: text, keyPage: hosted?.keyPage, localModels: undefined, name};
		} catch (error) {
			if (!(error instanceof ValueError)) throw error;
			await prompter.say(`It ${error.message}.`);
		}
	}
}
