/** Decides whether a reply calls tools, which ones, and with which arguments. */

import type {RequestTool} from '../request/request.ts';
import {makeValue} from './make-value.ts';
import type {Prompt} from './prompt.ts';

export type ChosenCall = {
	readonly name: string;
	readonly arguments: string;
};

const maxCalls = 16;

const orderPattern = /\b(?:then|one after (?:the other|another))\b/i;
const allPattern = /\b(?:all|both|every)\b[^.?!\n]{0,40}\btools?\b/i;

/**
 * Returns no calls when the reply is to be text, as after results, unless the prompt asks for its tools
 * one after the other.
 */
export function chooseCalls(prompt: Prompt): readonly ChosenCall[] {
	const {messages, allowsParallelCalls} = prompt.request;
	const last = messages.findLastIndex(({role}) => role === 'user');
	const steps = messages.slice(last + 1).filter(({toolCalls}) => toolCalls.length > 0).length;
	const isOrdered = orderPattern.test(prompt.question);
	if (steps > 0 && !isOrdered) return [];
	const count = allowsParallelCalls && !isOrdered ? maxCalls : 1;
	const chosen = chooseTools(prompt).slice(steps, steps + count);
	return chosen.map(({name, parameters}) => {
		const values = makeValue({...parameters, type: 'object'}, prompt.instruction);
		return {name, arguments: JSON.stringify(values)};
	});
}

/** The tools mentioned in the prompt, in order of mention. */
function chooseTools({question, request}: Prompt): readonly RequestTool[] {
	const {tools, toolChoice} = request;
	if (toolChoice === 'none') return [];
	if (typeof toolChoice !== 'string') return tools.filter(({name}) => name === toolChoice.name);
	if (allPattern.test(question)) return tools;
	const words = splitWords(question);
	const whole: readonly string[] = question.match(/[\w-]+/g) ?? [];
	const named = tools.filter(({name}) => whole.includes(name));
	// A written-out name does not mean similarly named tools.
	const meant = (named.length > 0 ? named : tools)
		.map((tool) => ({tool, place: findPlace(tool, words)}))
		.filter(({place}) => place >= 0)
		.sort((left, right) => left.place - right.place)
		.map(({tool}) => tool);
	return meant.length === 0 && toolChoice === 'required' ? tools.slice(0, 1) : meant;
}

/** Words that say nothing about a tool's purpose. */
const fillers: ReadonlySet<string> = new Set(
	'a an the get set do run make call fetch find of for to in on by and or with from'.split(' '),
);

/** Returns the first offset among the tool's telling words, or -1 if a word is missing. */
function findPlace({name}: RequestTool, words: readonly string[]): number {
	// Clients put a server name before its tool name.
	const all = splitWords(name.replace(/^mcp__.+?__/, ''));
	const telling = all.filter((word) => !fillers.has(word));
	const places = (telling.length > 0 ? telling : all).map((word) => words.indexOf(word));
	return places.includes(-1) ? -1 : Math.min(...places);
}

/** `getWeather`, `get_weather` and `get-weather` are the words get and weather. */
function splitWords(text: string): readonly string[] {
	const parted = text.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
	return (parted.match(/[\p{L}\d]+/gu) ?? []).map((word) => word.replace(/(?<=..)s$/, ''));
}
