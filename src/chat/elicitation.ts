/**
 * Server questions to the user during a call. Values and contracts only; all texts are untrusted.
 */
import type {JsonObject, JsonValue} from '../json.ts';

export type Elicitation = {
	/** The name the user gave the server. */
	readonly server: string;
	readonly message: string;
	/** The asking call; several if the server does not say which one asks. */
	readonly calls: ReadonlyArray<{readonly name: string; readonly values: JsonObject}>;
} & (
	| {readonly type: 'form'; readonly fields: readonly ElicitedField[]}
	/** Asks to open a page, and returns nothing about the visit. */
	| {readonly type: 'url'; readonly url: URL}
);

export type ElicitedField = {
	/** The field's key in the answer. */
	readonly name: string;
	readonly title: string;
	readonly description: string | undefined;
	readonly isRequired: boolean;
	/** Suggested; undefined without a suggestion. */
	readonly defaultValue: JsonValue | undefined;
	readonly kind: ElicitedKind;
	/** Rules for the value, as parts of a line. */
	readonly rules: readonly string[];
	/** Returns an error sentence, or undefined for a valid value. */
	readonly check: (value: JsonValue) => string | undefined;
};

export type ElicitedKind =
	| {readonly type: 'text' | 'number' | 'boolean'}
	/** A value, or with `isMultiple` a list. */
	| {
			readonly type: 'choice';
			readonly isMultiple: boolean;
			readonly choices: ReadonlyArray<{readonly value: string; readonly title: string}>;
	  };

/** `decline`: the user refuses; `cancel`: the user leaves without a choice. */
export type ElicitAnswer =
	| {readonly type: 'accept'; readonly values: JsonObject}
	/** `isUnattended`: nobody is there to be asked. */
	| {readonly type: 'decline'; readonly isUnattended?: true}
	| {readonly type: 'cancel'};

/**
 * Asks the user.
 *
 * @throws the signal's reason when it is aborted
 */
export type Elicit = (request: Elicitation, signal: AbortSignal) => Promise<ElicitAnswer>;

/** Answers without a terminal. */
export const declineElicitation: Elicit = async () => declined;

export const declined: ElicitAnswer = {type: 'decline', isUnattended: true};
