/**
 * Finds the tools that a prompt is about: named in it, or sharing the words that matter.
 */
import type {Prompt} from '../answer/prompt.ts';
import type {RequestTool} from '../request/request.ts';
import {holds, mentions} from './hints.ts';

const wordsWithoutWeight: ReadonlySet<string> = new Set(
	'get set do run make call fetch find the a an of for to in on by and or with from this that current given return returns use used tool function data info information value values list your you user when what which will can into about'.split(
		' ',
	),
);
const bothPattern = /\b(?:use|call|run|try|invoke)\b[^.?!\n]{0,40}\bboth\b/i;
const allPattern = /\b(?:use|call|run|try|invoke)\b[^.?!\n]{0,40}\b(?:all|every|each)\b/i;

/** How many words of a description must appear in the prompt. */
const describedWords = 2;

/** Those that are named; if none is, those that fit by their words. */
export function findMatches(
	{question}: Prompt,
	tools: readonly RequestTool[],
): readonly RequestTool[] {
	const named = tools.filter((tool) => isNamed(tool, question));
	if (named.length > 0) return named;
	if (tools.length > 1 && bothPattern.test(question)) return tools.slice(0, 2);
	if (tools.length > 1 && allPattern.test(question)) return tools;
	const words = new Set(splitWords(question).map(stem));
	return tools.filter((tool) => fits(tool, words));
}

/** Where a prompt speaks of a tool, by its name or its first word that matters; its end if nowhere. */
export function findPlace({name}: RequestTool, text: string): number {
	const words = splitName(name);
	const telling = words.filter((word) => !wordsWithoutWeight.has(word)).map(stem);
	const lower = text.toLowerCase();
	const places = [name.toLowerCase(), words.join(' '), ...telling]
		.map((word) => lower.indexOf(word))
		.filter((place) => place >= 0);
	return places.length === 0 ? text.length : Math.min(...places);
}

function isNamed({name}: RequestTool, text: string): boolean {
	const isOneWord = splitName(name).length === 1;
	// A one-word name such as `time` is an everyday word: it must be marked as a name.
	if (isOneWord)
		return (
			holds(text, name) &&
			new RegExp(`(?:["'\`]|\\b(?:use|call|tool|run) )${name}\\b`, 'i').test(text)
		);
	return mentions(text, name) || mentions(text, splitName(name).join(' '));
}

function fits(tool: RequestTool, words: ReadonlySet<string>): boolean {
	const nameWords = splitName(tool.name).filter((word) => !wordsWithoutWeight.has(word));
	if (nameWords.length > 0 && nameWords.every((word) => words.has(stem(word)))) return true;
	const described = splitWords(tool.description.slice(0, 2_000))
		.filter((word) => word.length > 3 && !wordsWithoutWeight.has(word))
		.map(stem);
	const shared = new Set([...described, ...nameWords.map(stem)].filter((word) => words.has(word)));
	return shared.size >= describedWords;
}

/** `getWeather`, `get_weather` and `get-weather` are the words get and weather. */
function splitName(name: string): readonly string[] {
	return splitWords(name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_-]/g, ' '));
}

function splitWords(text: string): readonly string[] {
	return text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
}

/** Makes `files` and `file`, `searching` and `search` the same word. */
function stem(word: string): string {
	return word.length < 4 ? word : word.replace(/(?:ing|ies|es|ed|s|y|e)$/, '');
}
