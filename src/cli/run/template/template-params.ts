/** Reads the values of parameters: `--param name=value`. */
import {findClosest} from '../../../did-you-mean.ts';
import {ChatError} from '../../../errors.ts';
import type {Template} from '../../../templates/template.ts';
import {quoteWord} from '../../../wording.ts';

export type Params = Readonly<Record<string, string>>;

/** @throws {ChatError} `usage` for a text without a name and a `=` */
export function readPairs(texts: readonly string[]): Params {
	const pairs = texts.map((text): readonly [string, string] => {
		const [, name, value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
		if (name !== undefined) return [name, value];
		throw new ChatError('usage', `-p is "${text}", but it must be name=value`);
	});
	return Object.fromEntries(pairs);
}

/** @throws {ChatError} `usage` for a parameter that the template does not have */
export function readParams(texts: readonly string[], {name, params}: Template): Params {
	const given = readPairs(texts);
	const known = Object.keys(params);
	const wrong = Object.keys(given).find((param) => !known.includes(param));
	if (wrong === undefined) return given;
	const closest = findClosest(wrong, known);
	const has = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
	const rest = closest === undefined ? has : `did you mean ${closest}?`;
	throw new ChatError('usage', `the template ${name} has no parameter ${wrong}; ${rest}`);
}

/** @throws {ChatError} `usage` for parameters that nobody has given */
export function checkParams(missing: readonly string[], {name}: Template): void {
	if (missing.length === 0) return;
	const flags = missing.map((param) => `-p ${param}=…`).join(' ');
	throw new ChatError('usage', `the template ${name} needs ${missing.join(' and ')} (${flags})`);
}

/** Returns the error for a prompt that lacks arguments or piped text. */
export function missingInput(
	{name, argumentHint}: Template,
	missing: {readonly type: 'argument' | 'arguments' | 'input'; readonly place?: number},
): ChatError {
	const template = quoteWord(name);
	if (missing.type === 'input') {
		const ways = `pipe one in, attach a file with -f, or write it: chat -t ${template} "your text"`;
		return new ChatError('usage', `the template ${name} needs a text: ${ways}`);
	}
	const {place = 1} = missing;
	const hint = argumentHint === '' ? '"…" '.repeat(place).trim() : argumentHint;
	const which = place === 1 ? 'an argument' : `${place} arguments`;
	return new ChatError('usage', `the template ${name} needs ${which}: chat -t ${template} ${hint}`);
}
