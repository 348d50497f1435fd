/** Completes what servers offer: `/github:review pr=12` and `@github:repo://x`. */
import {splitCommand} from '../commands/command.ts';
import type {ServerPrompt, ServerView} from '../commands/server-view.ts';
import {commandOfTemplate, readCall} from '../commands/slash-commands.ts';
import type {ReplState} from '../state.ts';
import {mentionValue} from './mentions.ts';
import type {Completion, MenuValue} from './menu.ts';

/** Returns the commands that call the prompts of a server. */
export function promptValues({prompts}: ServerView): readonly MenuValue[] {
	return prompts.map(({name, description, parameters}) => {
		const label = commandOfTemplate(name);
		const isPartial = parameters.length > 0;
		return {text: `${label} `, label, meaning: description, isPartial, rank: 2};
	});
}

export function resourceValues({resources}: ServerView): readonly MenuValue[] {
	return resources.map((resource) => ({...mentionValue(resource), rank: 1}));
}

/** The words of an argument; a quote may be open. */
const word = /(?:[^\s"']|"[^"]*"|'[^']*')+|["']\S*/g;

/**
 * Completes an argument of a prompt: its name, which is known, or with Tab its value, which the server
 * knows.
 */
export function completeCall(
	text: string,
	{servers}: ReplState,
	isTab: boolean,
): Completion | undefined {
	if (servers.length === 0) return undefined;
	const name = readCall(text)?.name;
	const prompt = servers.flatMap(({prompts}) => prompts).find((known) => known.name === name);
	if (prompt === undefined) return undefined;
	const {argument = ''} = splitCommand(text) ?? {};
	const query = /\S*$/.exec(argument)?.[0] ?? '';
	const before = argument.slice(0, argument.length - query.length);
	const words = before.match(word) ?? [];
	const valuesOf = (name: string, written: string): Completion => ({
		query: written,
		source: {type: 'arguments', prompt: prompt.name, argument: name, written, before},
		isFree: true,
	});
	const [, named, value = ''] = /^([^=]+)=(.*)$/.exec(query) ?? [];
	const parameter = findParameter(prompt, named);
	if (named !== undefined && parameter !== undefined) {
		return isTab ? valuesOf(named, value) : undefined;
	}
	const isNamed = (one: string) => findParameter(prompt, one.split('=')[0]) !== undefined;
	const given = new Set(words.filter(isNamed).map((one) => one.split('=')[0]));
	const left = prompt.parameters.filter((one) => !given.has(one.name));
	const place = words.filter((one) => !isNamed(one)).length;
	const names = left.slice(place).filter(isNameable).map(nameValue);
	const isName = names.some(({text: one}) => one.startsWith(query));
	const open = left[Math.min(place, left.length - 1)];
	if (!isTab || isName || open === undefined) return {query, values: names, isFree: true};
	return valuesOf(open.name, query);
}

function findParameter({parameters}: ServerPrompt, wanted: string | undefined) {
	return parameters.find(({name}) => name === wanted);
}

/** Whether the name can be written before an equals sign. */
function isNameable({name}: ServerPrompt['parameters'][number]): boolean {
	return /^[^\s"'=\p{C}]+$/u.test(name);
}

function nameValue({name, description, isRequired}: ServerPrompt['parameters'][number]): MenuValue {
	const meaning = [isRequired ? 'required' : '', description].filter(Boolean).join(': ');
	return {text: `${name}=`, meaning, isPartial: true};
}
