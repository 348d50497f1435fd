/** Facts about models. */

/** An undefined figure is not known. */
export type ModelFacts = {
	/** The context window, in tokens. */
	readonly context?: number | undefined;
	/** The longest answer, in tokens. */
	readonly output?: number | undefined;
	/** Whether it sees images. */
	readonly images?: boolean | undefined;
	/** Whether it calls tools. */
	readonly tools?: boolean | undefined;
	/** Whether it thinks before it answers. */
	readonly reasoning?: boolean | undefined;
	/** US dollars for a million tokens of the request. */
	readonly inputPrice?: number | undefined;
	/** US dollars for a million tokens of the answer. */
	readonly outputPrice?: number | undefined;
};

/** A model as its service lists it. */
export type OfferedModel = {
	/** Not empty; otherwise any text. */
	readonly name: string;
	readonly facts: ModelFacts;
	/** The owner that the service names. */
	readonly owner?: string | undefined;
};
