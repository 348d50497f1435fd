/** The kinds of questions. */
import {plural} from '../../wording.ts';
import {editLine, endChords} from './edit-line.ts';
import type {LineQuestion, Question, Row, Step} from './prompter.ts';

export type Choice<Value> = {readonly label: string; readonly value: Value};

type SelectState = {
	readonly filter: string;
	/** The place among the choices that match. */
	readonly place: number;
};

/** Asks for one of several choices, of which there is at least one. Typing narrows them down. */
export function select<Value>(
	title: string,
	choices: readonly Choice<Value>[],
	{filter, place}: SelectState = {filter: '', place: 0},
): Question<Value> {
	const matches = choices.filter(({label}) => label.toLowerCase().includes(filter.toLowerCase()));
	const move = (state: Partial<SelectState>): Step<Value> => ({
		question: select(title, choices, {filter, place, ...state}),
	});
	const last = Math.max(0, matches.length - 1);
	return {
		rows({height}) {
			const search = choices.length > 4 ? '; type to search' : '';
			const help = filter === '' ? `(arrows and Enter${search})` : filter;
			return [{text: `${title} ${help}`}, ...windowOf(matches, place, height - 1)];
		},
		next(key, chord) {
			if (chord === 'enter' || chord === 'ctrl+j') {
				const chosen = matches[place];
				return chosen && {answer: chosen.value, shown: `${title} ${chosen.label}`};
			}
			const target = placesOfChord[chord]?.(place, last);
			if (target !== undefined) return move({place: Math.max(0, Math.min(last, target))});
			const next = editLine(filter, key, chord);
			return next === undefined ? undefined : move({filter: next, place: 0});
		},
		inLines: selectInLines(title, choices),
	};
}

/** The most choices that are listed at once. */
const maxListed = 30;

/** Asks for the number of a choice, or for a part of it, which narrows the list. */
function selectInLines<Value>(
	title: string,
	choices: readonly Choice<Value>[],
	listed = choices,
): LineQuestion<Value> {
	const shown = listed.slice(0, maxListed);
	const left = listed.length - shown.length;
	const prompt = 'Number:';
	return {
		lines: [
			`${title} ${plural(listed.length, 'choice')}.`,
			...shown.map(({label}, index) => `${index + 1}. ${label}`),
			...(left === 0 ? [] : [`${left} more; enter a part of a name to list them.`]),
			prompt,
		],
		isSecret: false,
		read(line) {
			const wanted = line.toLowerCase();
			const matches = choices.filter(({label}) => label.toLowerCase().includes(wanted));
			const exact = matches.find(({label}) => label.toLowerCase() === wanted);
			const chosen = /^\d+$/.test(line) ? shown[Number(line) - 1] : exact;
			const only = matches.length === 1 ? matches[0] : undefined;
			const choice = chosen ?? only;
			if (choice !== undefined) return {answer: choice.value};
			if (line !== '' && matches.length > 1) return selectInLines(title, choices, matches);
			const help = `Enter a number from 1 to ${shown.length}, or a part of a name.`;
			return {...selectInLines(title, choices, listed), lines: [help, prompt]};
		},
	};
}

type Move = (place: number, last: number) => number;

const page = 8;

const placesOfChord: Readonly<Record<string, Move>> = {
	up: (place, last) => (place === 0 ? last : place - 1),
	down: (place, last) => (place === last ? 0 : place + 1),
	'page-up': (place) => place - page,
	'page-down': (place) => place + page,
	home: () => 0,
	end: (_, last) => last,
};

/** Returns the choices around the chosen one, and a row that counts the others. */
function windowOf<Value>(
	matches: readonly Choice<Value>[],
	place: number,
	height: number,
): readonly Row[] {
	if (matches.length === 0) return [{text: '  nothing matches'}];
	const isWhole = matches.length <= height;
	const count = isWhole ? matches.length : height - 1;
	const start = Math.max(0, Math.min(place - Math.floor(count / 2), matches.length - count));
	const rows = matches.slice(start, start + count).map(({label}, index) => {
		const isChosen = start + index === place;
		return {text: `${isChosen ? '›' : ' '} ${label}`, isChosen};
	});
	return isWhole ? rows : [...rows, {text: `  (${matches.length} in total)`}];
}

/**
 * Asks yes or no.
 *
 * @param isLoss whether a yes cannot be undone: "no" is selected first
 */
export function confirm(title: string, isLoss = false): Question<boolean> {
	const choices = [
		{label: 'yes', value: true},
		{label: 'no', value: false},
	];
	return select(title, choices, {filter: '', place: isLoss ? 1 : 0});
}

/** Asks for a line of text, without white space around it. */
export function askText(title: string, text = ''): Question<string> {
	return askLine(title, text, false);
}

/** Asks for a secret, of which nothing is shown. */
export function askSecret(title: string): Question<string> {
	return askLine(`${title} (not shown as you type)`, '', true);
}

function askLine(title: string, text: string, isSecret: boolean): Question<string> {
	const show = (typed: string) => (isSecret ? '' : typed);
	return {
		rows({width}) {
			const room = Math.max(8, width - title.length - 4);
			const shown = show(text);
			// The end is where the cursor is.
			return [{text: `${title}: ${shown.length > room ? `…${shown.slice(-room)}` : shown}`}];
		},
		next(key, chord) {
			if (endChords.has(chord)) {
				const answer = text.trim();
				return {answer, shown: `${title}: ${show(answer)}`};
			}
			const next = editLine(text, key, chord);
			return next === undefined ? undefined : {question: askLine(title, next, isSecret)};
		},
		inLines: {
			lines: [text === '' ? `${title}:` : `${title} (an empty line: ${text}):`],
			isSecret,
			read: (line) => ({answer: line === '' ? text : line}),
		},
	};
}
