/** Checks which requests a rule of a scenario is for. */
import {isJsonObject} from '../../json.ts';
import {type Check, checkBoolean, checkString, checkWord, wrong} from '../request/checks.ts';
import {invalidRequest} from '../service-error.ts';
import {checkCounts, checkFields, checkOneOrMore, checkText} from './checks.ts';
import type {Conditions, TextMatch} from './scenario.ts';

/** Those that keep no place in a text between two uses. */
const checkFlags: Check<string> = (value, path) => {
	const flags = checkString(value, path);
	if (/^[imsu]*$/.test(flags)) return flags;
	throw wrong(value, path, 'letters out of i, m, s and u');
};

const readTextMatch = checkFields({contains: checkText, matches: checkText, flags: checkFlags});

const checkTextMatch: Check<TextMatch> = (value, path) => {
	if (typeof value === 'string') return {is: value.trim()};
	if (!isJsonObject(value))
		throw wrong(value, path, 'a text, or an object with contains or matches');
	const {contains, matches, flags} = readTextMatch(value, path);
	if (contains === undefined && matches === undefined) {
		throw invalidRequest(path, `${path} needs contains or matches`);
	}
	const pattern =
		matches === undefined ? undefined : parsePattern(matches, flags, `${path}.matches`);
	return {contains, matches: pattern};
};

function parsePattern(source: string, flags: string | undefined, path: string): RegExp {
	try {
		return new RegExp(source, flags);
	} catch (error) {
		const message = error instanceof Error ? error.message : '';
		const reason = message.slice(message.lastIndexOf(': ') + 2);
		throw invalidRequest(path, `${path} is no regular expression: ${reason}`);
	}
}

export const checkConditions: Check<Conditions> = checkFields({
	prompt: checkTextMatch,
	model: checkText,
	turn: checkCounts,
	nth: checkCounts,
	stream: checkBoolean,
	has: checkOneOrMore(checkWord(['image', 'tools', 'tool_result', 'system', 'json'])),
});
