/**
 * Decides whether a reply is a call of tools, of which, and with which arguments.
 */

import type {JsonObject} from '../../json.ts';
import type {Prompt} from '../answer/prompt.ts';
import type {RequestTool} from '../request/request.ts';
import {findHints, findPlaces, placeNamePattern} from './hints.ts';
import {makeValue} from './make-value.ts';
import {findMatches, findPlace} from './match-tools.ts';
import {pairsOf} from './read-schema.ts';

export type ChosenCall = {
	readonly name: string;
	/** The text of a JSON object that fits the tool's schema. */
	readonly arguments: string;
};

const maxCalls = 16;

/**
 * The calls of this reply; none when it is to be text. Right after results it is, unless the prompt
 * names several tools to be called one after the other.
 */
export function chooseCalls(prompt: Prompt): readonly ChosenCall[] {
	const limit = prompt.request.allowsParallelCalls ? maxCalls : 1;
	const tools = nextTools(prompt);
	const [only] = tools;
	const places = findPlaces(prompt);
	if (tools.length === 1 && only !== undefined && places.length > 1 && takesPlace(only)) {
		return places.slice(0, limit).map((place) => makeCall(prompt, only, place));
	}
	return tools.slice(0, limit).map((tool) => makeCall(prompt, tool, undefined));
}

const orderPattern =
	/\b(?:then|after (?:that|this|which)|afterwards|one after (?:the other|another))\b/i;

function nextTools(prompt: Prompt): readonly RequestTool[] {
	const {question, request} = prompt;
	const last = request.messages.findLastIndex(({role}) => role === 'user');
	const answered = request.messages.slice(last + 1);
	const steps = answered.filter(({toolCalls}) => toolCalls.length > 0).length;
	const tools = chooseTools(prompt);
	if (tools.length > 1 && orderPattern.test(question)) {
		return tools
			.map((tool) => ({tool, place: findPlace(tool, question)}))
			.sort((left, right) => left.place - right.place)
			.slice(steps, steps + 1)
			.map(({tool}) => tool);
	}
	return steps > 0 ? [] : tools;
}

function chooseTools(prompt: Prompt): readonly RequestTool[] {
	const {tools, toolChoice} = prompt.request;
	if (toolChoice === 'none' || tools.length === 0) return [];
	if (typeof toolChoice !== 'string') return tools.filter(({name}) => name === toolChoice.name);
	const matches = findMatches(prompt, tools);
	return matches.length === 0 && toolChoice === 'required' ? tools.slice(0, 1) : matches;
}

function takesPlace(tool: RequestTool): boolean {
	return pairsOf(tool.parameters, 'properties').some(([name]) => placeNamePattern.test(name));
}

function makeCall(prompt: Prompt, tool: RequestTool, place: string | undefined): ChosenCall {
	const schema: JsonObject = {...tool.parameters, type: 'object'};
	return {
		name: tool.name,
		arguments: JSON.stringify(makeValue(schema, findHints(prompt, place))),
	};
}
