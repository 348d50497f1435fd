/** The kinds of questions. */
import type {KeyInput} from '../../terminal/keys/key-input.ts';
import type {Question, Row, Step} from './prompter.ts';

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
			const next = edit(filter, key, chord);
			return next === undefined ? undefined : move({filter: next, place: 0});
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

/** Asks yes or no. */
export function confirm(title: string): Question<boolean> {
	return select(title, [
		{label: 'yes', value: true},
		{label: 'no', value: false},
	]);
}

/** Asks for a line of text, without white space around it. */
export function askText(title: string, text = ''): Question<string> {
	return askLine(title, text, (typed) => typed);
}

/** Asks for a secret, of which nothing is shown. */
export function askSecret(title: string): Question<string> {
	return askLine(`${title} (not shown as you type)`, '', () => '');
}

function askLine(title: string, text: string, show: (text: string) => string): Question<string> {
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
			const next = edit(text, key, chord);
			return next === undefined ? undefined : {question: askLine(title, next, show)};
		},
	};
}

const endChords: ReadonlySet<string> = new Set(['enter', 'ctrl+j', 'ctrl+d']);

const edits: Readonly<Record<string, (text: string) => string>> = {
	backspace: (text) => [...text].slice(0, -1).join(''),
	'ctrl+u': () => '',
	'ctrl+w': (text) => text.replace(/\S*\s*$/, ''),
};

/** Returns the text after a key; undefined if the key does not edit. */
function edit(text: string, key: KeyInput, chord: string): string | undefined {
	if (key.type !== 'key') return text + key.text.replaceAll('\n', ' ');
	if (chord === 'space') return `${text} `;
	return edits[chord]?.(text);
}
