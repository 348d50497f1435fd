/** Decides whether a reply is a call of tools, of which, and with which arguments. */
import {findHints} from '../prompt/hints.ts';
import type {Prompt} from '../prompt/prompt.ts';
import type {RequestTool} from '../request/request.ts';
import {makeValue} from '../schema/make-value.ts';

export type ChosenCall = {
	readonly name: string;
	readonly arguments: string;
};

const maxCalls = 16;

const orderPattern = /\b(?:then|one after (?:the other|another))\b/i;
const allPattern = /\b(?:all|both|every)\b[^.?!\n]{0,40}\btools?\b/i;

/**
 * The calls of this reply; none when it is to be text. Right after results it is, unless the prompt
 * asks for its tools one after the other.
 */
export function chooseCalls(prompt: Prompt): readonly ChosenCall[] {
	const {messages, allowsParallelCalls} = prompt.request;
	const last = messages.findLastIndex(({role}) => role === 'user');
	const steps = messages.slice(last + 1).filter(({toolCalls}) => toolCalls.length > 0).length;
	const isOrdered = orderPattern.test(prompt.question);
	const chosen = isOrdered ? chooseTools(prompt).slice(steps, steps + 1) : chooseTools(prompt);
	if (steps > 0 && !isOrdered) return [];
	return chosen.slice(0, allowsParallelCalls ? maxCalls : 1).map(({name, parameters}) => {
		const values = makeValue({...parameters, type: 'object'}, findHints(prompt));
		return {name, arguments: JSON.stringify(values)};
	});
}

/** Those that the prompt is about, in the order in which it names them. */
function chooseTools({question, request}: Prompt): readonly RequestTool[] {
	const {tools, toolChoice} = request;
	if (toolChoice === 'none') return [];
	if (typeof toolChoice !== 'string') return tools.filter(({name}) => name === toolChoice.name);
	if (allPattern.test(question)) return tools;
	const words = splitWords(question);
	const whole: readonly string[] = question.match(/[\w-]+/g) ?? [];
	const named = tools.filter(({name}) => whole.includes(name));
	// Of tools with similar names, only the one whose name is written out.
	const meant = (named.length > 0 ? named : tools)
		.map((tool) => ({tool, place: findPlace(tool, words)}))
		.filter(({place}) => place >= 0)
		.sort((left, right) => left.place - right.place)
		.map(({tool}) => tool);
	return meant.length === 0 && toolChoice === 'required' ? tools.slice(0, 1) : meant;
}

/** These say nothing about what a tool is for. */
const fillers: ReadonlySet<string> = new Set(
	'a an the get set do run make call fetch find of for to in on by and or with from'.split(' '),
);

/** Clients put the name of a server before that of its tool. */
const serverPrefix = /^mcp__.+?__/;

/** Where the words say those of the tool's name that matter, at their first one; -1 if they do not. */
function findPlace({name}: RequestTool, words: readonly string[]): number {
	const all = splitWords(name.replace(serverPrefix, ''));
	const telling = all.filter((word) => !fillers.has(word));
	const wanted = telling.length > 0 ? telling : all;
	const places = wanted.map((word) => words.indexOf(word));
	return places.includes(-1) ? -1 : Math.min(...places);
}

/** `getWeather`, `get_weather` and `get-weather` are the words get and weather. */
function splitWords(text: string): readonly string[] {
	const parted = text.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
	return (parted.match(/[\p{L}\d]+/gu) ?? []).map((word) => word.replace(/(?<=..)s$/, ''));
}
