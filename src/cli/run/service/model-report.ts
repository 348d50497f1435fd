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

/**
 * The service's own figures come first.
 *
 * @param service the base URL, or its operation's address
 */
export function describeModel(
	name: string,
	offered: OfferedModel | undefined,
	known: KnownModels,
	service: URL,
): ModelReport {
	const figuresOf = (found: ModelFacts | undefined, source: string) =>
		Object.entries(found ?? {}).flatMap(([fact, value]) =>
			value === undefined ? [] : [[fact, {value, source}] as const],
		);
	const figures = Object.fromEntries([
		...figuresOf(known.find(service, name), known.source),
		...figuresOf(offered?.facts, 'the service'),
	]);
	return {name, isOffered: offered !== undefined, figures};
}
