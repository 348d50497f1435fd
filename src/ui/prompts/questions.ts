/** The kinds of questions. */

import {editTextLine, endChords} from '../../repl/keys/edit-line.ts';
import {
	createSearchList,
	findListCommand,
	moveIn,
	narrowList,
	type SearchList,
	selectAt,
	selectedItem,
	windowOf,
} from '../../repl/list/list.ts';
import {chooseByLine, numberItems} from '../../repl/list/numbered.ts';
import {textWidth} from '../../terminal/width.ts';
import {plural, wrapLine} from '../../wording.ts';
import type {LineQuestion, Question, Row, Step} from './prompter.ts';

export type Choice<Value> = {
	/** The only part that is searched. */
	readonly label: string;
	/** Shown behind it. */
	readonly note?: string | undefined;
	readonly value: Value;
	/** Whether it is about the others, such as "another one": it is not counted. */
	readonly isApart?: boolean;
};

export type SelectOptions<Value> = {
	/** The place that is selected first. */
	readonly start?: number;
	/** Another text that may be typed, besides a part of a choice: `a URL`. */
	readonly typing?: string;
	/** Returns the choices that a typed text makes, below those that match. */
	readonly more?: (typed: string) => readonly Choice<Value>[];
};

type ChoiceList<Value> = SearchList<Choice<Value>>;

/** Asks for one of several choices, of which there is at least one. Typing narrows them down. */
export function select<Value>(
	title: string,
	choices: readonly Choice<Value>[],
	options: SelectOptions<Value> = {},
	list: ChoiceList<Value> = selectAt(createSearchList(choices), options.start ?? 0),
): Question<Value> {
	const {typing, start = 0} = options;
	const {query} = list;
	const next = (changed: ChoiceList<Value>): Step<Value> => ({
		question: select(title, choices, options, changed),
	});
	return {
		rows({height, width}) {
			const typed = typing === undefined ? '' : `, or ${typing}`;
			const isSearch = choices.length > 4 || typing !== undefined;
			const help = `(arrows and Enter${isSearch ? `; type to search${typed}` : ''})`;
			const above = wrapLine(`${title} ${query === '' ? help : query}`, width, '');
			const room = Math.max(1, height - above.length);
			return [...above.map((text) => ({text})), ...rowsOf(list, room)];
		},
		next(key, chord) {
			if (chord === 'enter' || chord === 'ctrl+j') {
				const chosen = selectedItem(list)?.item;
				return chosen && {answer: chosen.value, shown: `${title} ${chosen.label}`};
			}
			const move = findListCommand(chord);
			if (move !== undefined) return next(moveIn(list, move, {pageRows: page, isCyclic: true}));
			const typed = editTextLine(query, key);
			if (typed === undefined) return undefined;
			return next(selectAt(search(list, typed, options), typed === '' ? start : 0));
		},
		inLines: selectInLines(title, createSearchList(choices), options),
	};
}

/** Finds the choices that match a typed text, and those that it makes. */
function search<Value>(
	list: ChoiceList<Value>,
	typed: string,
	{more = () => []}: SelectOptions<Value>,
): ChoiceList<Value> {
	const found = narrowList(list, typed, labelOf);
	const made = typed.trim() === '' ? [] : more(typed.trim());
	return {...found, items: [...found.items, ...made.map((item) => ({item, places: []}))]};
}

function labelOf<Value>({label}: Choice<Value>): string {
	return label;
}

function describeChoice<Value>({label, note}: Choice<Value>): string {
	return note === undefined ? label : `${label}  ${note}`;
}

function countOf<Value>({items}: ChoiceList<Value>): number {
	return items.filter(({item}) => item.isApart !== true).length;
}

/** Asks for the number of a choice, or for a part of it, which narrows the list. */
function selectInLines<Value>(
	title: string,
	list: ChoiceList<Value>,
	options: SelectOptions<Value>,
): LineQuestion<Value> {
	const {lines, left} = numberItems(list, describeChoice);
	const typed = options.typing === undefined ? '' : `, or ${options.typing}`;
	const prompt = `Number${typed}:`;
	return {
		lines: [
			`${title} ${plural(countOf(list), 'choice')}.`,
			...lines,
			...(left === 0 ? [] : [`${left} more; enter a part of a name to list them.`]),
			prompt,
		],
		isSecret: false,
		read(line) {
			const chosen = chooseByLine(list, line, labelOf, (all, part) => search(all, part, options));
			if (chosen === undefined) {
				const help = `Enter a number from 1 to ${lines.length}, or a part of a name${typed}.`;
				return {...selectInLines(title, list, options), lines: [help, prompt]};
			}
			return 'item' in chosen
				? {answer: chosen.item.value}
				: selectInLines(title, chosen.list, options);
		},
	};
}

/** The rows of a page. */
const page = 8;

/** Returns the rows around the selected one, and below them the number of all. */
function rowsOf<Value>(list: ChoiceList<Value>, height: number): readonly Row[] {
	const {items} = list;
	if (items.length === 0) return [{text: '  nothing matches'}];
	const isWhole = items.length <= height;
	const rows = windowOf(list, isWhole ? height : height - 1).map(({item, mark, isSelected}) => ({
		text: mark + describeChoice(item.item),
		isChosen: isSelected,
	}));
	return isWhole ? rows : [...rows, {text: `  (${countOf(list)} in total)`}];
}

/**
 * Asks yes or no. "No" is selected first, so that keys typed ahead of a question delete nothing and
 * let nothing run.
 *
 * @param first "yes" for what does no harm
 */
export function confirm(title: string, first: 'yes' | 'no' = 'no'): Question<boolean> {
	const choices = [
		{label: 'yes', value: true},
		{label: 'no', value: false},
	];
	return select(title, choices, {start: first === 'yes' ? 0 : 1});
}

export type TextOptions = {
	/** The answer to Enter alone. */
	readonly suggestion?: string;
	/** To be edited. */
	readonly text?: string;
};

/** Asks for a line of text, without white space around it. */
export function askText(
	title: string,
	{suggestion = '', text = ''}: TextOptions = {},
): Question<string> {
	const line = {title, suggestion, isSecret: false};
	return askLine(
		suggestion === '' ? line : {...line, title: `${title} (Enter: ${suggestion})`},
		text,
	);
}

/** Asks for a secret, of which only the length is shown. */
export function askSecret(title: string): Question<string> {
	return askLine({title: `${title} (hidden)`, suggestion: '', isSecret: true}, '');
}

type Line = {readonly title: string; readonly suggestion: string; readonly isSecret: boolean};

const maxDots = 200;

/** The fewest cells beside a title. */
const leastRoom = 16;

function askLine(line: Line, text: string): Question<string> {
	const {title, suggestion, isSecret} = line;
	const show = (typed: string) => (isSecret ? '•'.repeat(Math.min(typed.length, maxDots)) : typed);
	const read = (typed: string) => typed.trim() || suggestion;
	return {
		rows({width}) {
			const titles = wrapLine(`${title}:`, width, '');
			const last = titles.at(-1) ?? '';
			const isBeside = textWidth(last) + leastRoom < width;
			const label = isBeside ? `${last} ` : '';
			const above = isBeside ? titles.slice(0, -1) : titles;
			// The end is where the cursor is.
			const room = width - textWidth(label) - 1;
			return [...above, `${label}${keepEnd(show(text), room)}`].map((row) => ({text: row}));
		},
		next(key, chord) {
			if (endChords.has(chord)) {
				const answer = read(text);
				return {answer, shown: `${title}: ${show(answer)}`};
			}
			const next = editTextLine(text, key);
			return next === undefined ? undefined : {question: askLine(line, next)};
		},
		inLines: {
			lines: [`${title}:`],
			isSecret,
			read: (typed) => ({answer: read(typed)}),
		},
	};
}

function keepEnd(text: string, room: number): string {
	if (text.length <= room && textWidth(text) <= room) return text;
	let rest = [...text.slice(-room)];
	while (textWidth(rest.join('')) > room - 1) rest = rest.slice(1);
	return `…${rest.join('')}`;
}
