/** Parameter values, `--param name=value`, and errors for missing ones. */
import {findClosest} from '../../../did-you-mean.ts';
import {ChatError} from '../../../errors.ts';
import {type MissingInput, missingParams} from '../../../templates/expand-template.ts';
import type {Template} from '../../../templates/template.ts';
import {quoteWord, shorten} from '../../../wording.ts';

export type Params = Readonly<Record<string, string>>;

/** @throws {ChatError} `usage` for a text without a name and a `=` */
export function readParamFlags(texts: readonly string[]): Params {
	const pairs = texts.map((text): readonly [string, string] => {
		const [, name, value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
		if (name !== undefined) return [name, value];
		throw new ChatError('usage', `-p is "${text}", but it must be name=value`);
	});
	return Object.fromEntries(pairs);
}

/** @throws {ChatError} `usage` for an unknown parameter */
export function readParams(texts: readonly string[], template: Template): Params {
	const given = readParamFlags(texts);
	checkNames(given, template);
	return given;
}

/** @throws {ChatError} `usage` for an unknown parameter */
export function checkNames(given: Params, {name, params}: Template): void {
	const known = Object.keys(params);
	const wrong = Object.keys(given).find((param) => !known.includes(param));
	if (wrong === undefined) return;
	const closest = findClosest(wrong, known);
	const has = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
	const rest = closest === undefined ? has : `did you mean ${closest}?`;
	throw new ChatError('usage', `the template ${name} has no parameter ${wrong}; ${rest}`);
}

/** How a template is called, for messages: on the command line, or in a session. */
export type CallForm = {
	readonly command: (name: string) => string;
	readonly param: (name: string) => string;
	/** Stands for an argument. */
	readonly word: string;
	readonly waysToGiveText: (command: string) => string;
};

export const shellForm: CallForm = {
	command: (name) => `chat -t ${quoteWord(name)}`,
	param: (name) => `-p ${name}=…`,
	word: '"…"',
	waysToGiveText: (command) =>
		`pipe one in, attach a file with -f, or write it: ${command} "your text"`,
};

/**
 * @param system the front matter's system message
 * @throws {ChatError} `usage` for parameters without a value
 */
export function checkParams(
	template: Template,
	system: string,
	params: Params,
	form: CallForm,
): void {
	const {name, argumentHint} = template;
	const missing = missingParams(template, system, params);
	if (missing.length === 0) return;
	const values = [...missing.map(form.param), shorten(argumentHint, maxHint)].join(' ').trimEnd();
	const needs = `the template ${name} needs ${missing.join(' and ')}`;
	throw new ChatError('usage', `${needs}: ${form.command(name)} ${values}`);
}

/** Returns the error for a prompt lacking arguments or piped text. */
export function missingInput(
	{name, argumentHint}: Template,
	missing: MissingInput,
	form: CallForm,
): ChatError {
	const command = form.command(name);
	if (missing.type === 'input') {
		const ways = form.waysToGiveText(command);
		return new ChatError('usage', `the template ${name} needs a text: ${ways}`);
	}
	const count = missing.type === 'argument' ? missing.place : 1;
	const which = count === 1 ? 'an argument' : `${count} arguments`;
	const words = Array.from({length: count}, () => form.word).join(' ');
	const hint = shorten(argumentHint, maxHint) || words;
	return new ChatError('usage', `the template ${name} needs ${which}: ${command} ${hint}`);
}

const maxHint = 60;
