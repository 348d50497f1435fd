/**
 * Finds the headers that a run was given for its service.
 *
 * Invariant: headers are sent only to the service they were given for, as keys are: those of the
 * config file to the base URL beside them, those of the command line to the service of the run.
 */
import type {Variables} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import type {Hint} from '../../hint.ts';
import {secretsOfHeader} from '../../redact.ts';
import {editHint} from '../files/config-file.ts';
import {type Header, headerValue} from '../options/header.ts';
import type {LoadedSettings} from '../options/load-settings.ts';
import {type Given, readGiven} from '../options/merge.ts';
import {isForRun, requireUrlBeside} from './base-url.ts';

export type FoundHeaders = {
	/** Values by lower-case name. */
	readonly headers: Readonly<Record<string, string>>;
	/** The parts of the values that may be secrets. */
	readonly secrets: readonly string[];
};

/**
 * @param origin that of the run; undefined for the built-in service
 * @throws {ChatError} `config` when headers of the file have no service, or one of them cannot be
 * sent; `usage` for one of the command line
 */
export function findHeaders(loaded: LoadedSettings, origin: string | undefined): FoundHeaders {
	const {variables} = loaded.source;
	const keyHeader = loaded.settings.authHeader.toLowerCase();
	const headers = new Map<string, string>();
	const secrets: string[] = [];
	for (const {header, fail} of listHeaders(loaded, origin)) {
		const {name} = header;
		if (name === keyHeader) {
			const hint =
				'Store the key with chat auth set. For another header or scheme see --auth-header.';
			throw fail(`cannot set ${name}, which carries the API key`, hint);
		}
		const {value, used} = expand(header, variables, fail);
		if (value === '') headers.delete(name);
		else headers.set(name, value);
		secrets.push(...used, ...secretsOfHeader(name, value));
	}
	return {headers: Object.fromEntries(headers), secrets};
}

/** Returns the names of all headers, for any service. */
export function headerNames({given}: LoadedSettings): readonly string[] {
	const all = given.header.toReversed().flatMap((one) => readGiven('header', one));
	return [...new Set(all.map(({name}) => name))];
}

type Fail = (problem: string, hint?: Hint) => ChatError;

type GivenHeader = {
	readonly header: Header;
	/** Makes an error whose message begins with the place of the header. */
	readonly fail: Fail;
};

/** Lists the headers for this origin, the weakest first. */
function listHeaders(loaded: LoadedSettings, origin: string | undefined): readonly GivenHeader[] {
	const isMeant = (given: Given) =>
		given.source === 'flag' || isForRun(requireUrlBeside(given, loaded), origin, loaded);
	return loaded.given.header
		.toReversed()
		.filter(isMeant)
		.flatMap((given) => {
			const {source, location} = given;
			const fail: Fail = (problem, hint = source === 'flag' ? undefined : editHint) =>
				new ChatError(source === 'flag' ? 'usage' : 'config', `${location} ${problem}`, {hint});
			return readGiven('header', given).map((header) => ({header, fail}));
		});
}

const reference = /\$\{(\w+)\}/g;

/** Replaces each variable by its value. An empty one counts as missing, as it does elsewhere. */
function expand({name, value}: Header, variables: Variables, fail: Fail) {
	const used: string[] = [];
	const expanded = value.replace(reference, (_, variable: string) => {
		const text = variables[variable]?.trim();
		if (text) {
			used.push(text);
			return text;
		}
		const hint = `Set ${variable}, or leave the header out of this run: --header '${name}:'`;
		throw fail(`needs the variable ${variable} for ${name}, but it is not set`, hint);
	});
	if (headerValue.test(expanded)) return {value: expanded, used};
	throw fail(`cannot set ${name}: a variable in its value is not one line of ASCII characters`);
}
