/** Facts about models. */
import type {Prices} from '../cost.ts';

/** An undefined figure is not known. */
export type ModelFacts = {
	/** The context window, in tokens. */
	readonly context?: number | undefined;
	/** The longest answer, in tokens. */
	readonly output?: number | undefined;
	/** Whether it accepts images. */
	readonly images?: boolean | undefined;
	/** Whether it calls tools. */
	readonly tools?: boolean | undefined;
	/** Whether it reasons before answering. */
	readonly reasoning?: boolean | undefined;
	/** US dollars per million request tokens. */
	readonly inputPrice?: number | undefined;
	/** US dollars per million answer tokens. */
	readonly outputPrice?: number | undefined;
};

/** Public data about a model at a service. */
export type KnownModel = {
	/** Context window in tokens. */
	readonly context: number | undefined;
	readonly prices: Prices | undefined;
};

/** A model as listed by its service. */
export type OfferedModel = {
	/** Any text but an empty one. */
	readonly name: string;
	readonly facts: ModelFacts;
	/** Creation time, in seconds since 1970. */
	readonly created?: number | undefined;
	/** Owner according to the service. */
	readonly owner?: string | undefined;
	/** Whether it answers prompts, if the service says so. */
	readonly isForChat?: boolean | undefined;
};

const otherUses =
	/embed|minilm|rerank|whisper|transcrib|\btts\b|speech|dall-e|imagen?\b|\bsora\b|\bveo\b|moderation|realtime|stable-diffusion|\bflux\b|(?:babbage|davinci)-\d|^(?:.*[/:])?(?:bge|gte|e5)-/i;

/** Whether a model answers prompts, as far as its service or its name tells. */
export function isChatModel({name, isForChat}: Pick<OfferedModel, 'name' | 'isForChat'>): boolean {
	return isForChat ?? !otherUses.test(name);
}

/** Returns the models that answer prompts; all models if none seems to. */
export function chatModelsOf(offered: readonly OfferedModel[]): readonly OfferedModel[] {
	const useful = offered.filter(isChatModel);
	return useful.length === 0 ? offered : useful;
}
