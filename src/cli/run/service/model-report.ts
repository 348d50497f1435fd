/** Joins the facts about a model from all sources. */
import type {ModelFacts, OfferedModel} from '../../../chat/model.ts';
import type {KnownModels} from '../../../models/known-models.ts';

export type Figure = {readonly value: number | boolean; readonly source: string};

export type ModelReport = {
	readonly name: string;
	/** Undefined if the service has no list. */
	readonly isOffered: boolean | undefined;
	/** An unknown fact is missing. */
	readonly figures: {readonly [Fact in keyof ModelFacts]?: Figure};
};

/** Gemini lists its models as `models/gemini-…`, and takes the name alone. */
export function isNamed({name}: OfferedModel, wanted: string): boolean {
	return name === wanted || name === `models/${wanted}`;
}

const facts: ReadonlyArray<keyof ModelFacts> = [
	'context',
	'output',
	'images',
	'tools',
	'reasoning',
	'inputPrice',
	'outputPrice',
];

/**
 * The service's own figures come first.
 *
 * @param service the base URL, or the address of its operation
 */
export function describeModel(
	name: string,
	offered: OfferedModel | undefined,
	known: KnownModels,
	service: URL,
): ModelReport {
	const sources = [
		{source: 'the service', found: offered?.facts},
		{source: known.source, found: known.find(service, name)},
	];
	const figures = facts.flatMap((fact) => {
		const [figure] = sources.flatMap(({source, found}) => {
			const value = found?.[fact];
			return value === undefined ? [] : [{value, source}];
		});
		return figure === undefined ? [] : [[fact, figure] as const];
	});
	return {name, isOffered: offered !== undefined, figures: Object.fromEntries(figures)};
}
