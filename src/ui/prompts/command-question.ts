/**
 * Command-line questions, as values: each key makes the next one, or an answer. Where nothing may
 * be redrawn, a whole line does.
 */
import {emptyBuffer, expand, lineAt} from '../../repl/editor/buffer.ts';
import {type TextField, textField} from '../../repl/editor/change-editor.ts';
import {createBuffer} from '../../repl/editor/edit.ts';
import {endChords, writeOnLine} from '../../repl/keys/edit-line.ts';
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
import {chordOf, type KeyInput} from '../../terminal/keys/key-input.ts';
import {textWidth, truncateToWidth} from '../../terminal/width.ts';
import {plural, wrapLine} from '../../wording.ts';

export type Option<Value> = {
	/** The only searched part. */
	readonly label: string;
	/** Shown after the label. */
	readonly note?: string | undefined;
	readonly value: Value;
	/** Whether it refers to the others, such as "another one": it is not counted. */
	readonly isApart?: boolean;
};

export type SelectSettings<Value> = {
	/** The initially selected position. */
	readonly start?: number;
	/** Another text that may be typed, besides part of a label: `a URL`. */
	readonly typing?: string;
	/** Returns the options made from a typed text, below the matching ones. */
	readonly more?: (typed: string) => ReadonlyArray<Option<Value>>;
};

const noText = textField(emptyBuffer);

type OptionList<Value> = SearchList<Option<Value>>;

export type CommandQuestion<Answer> = {
	readonly title: string;
	/** The typed text: the answer, or what narrows the options down. */
	readonly field: TextField;
} & (
	| {
			readonly type: 'text';
			/** Whether only its length is shown. */
			readonly isSecret: boolean;
			readonly read: (text: string) => Answer;
	  }
	| {
			readonly type: 'list';
			readonly list: OptionList<Answer>;
			readonly settings: SelectSettings<Answer>;
	  }
);

/** Asks for one among several options, at least one. Typing narrows them down. */
export function select<Value>(
	title: string,
	options: ReadonlyArray<Option<Value>>,
	settings: SelectSettings<Value> = {},
): CommandQuestion<Value> {
	const list = selectAt(createSearchList(options), settings.start ?? 0);
	return {type: 'list', title, field: noText, list, settings};
}

/**
 * Asks yes or no. "No" is selected first, so keys typed ahead delete nothing and run nothing.
 *
 * @param first "yes" for harmless questions
 */
export function askToConfirm(title: string, first: 'yes' | 'no' = 'no'): CommandQuestion<boolean> {
	const options = [true, false].map((value) => ({label: value ? 'yes' : 'no', value}));
	return select(title, options, {start: first === 'yes' ? 0 : 1});
}

export type TextSettings = {
	/** The answer to Enter alone. */
	readonly suggestion?: string;
	/** The text to edit. */
	readonly text?: string;
};

/** Asks for a line of text, trimmed. */
export function askText(
	title: string,
	{suggestion = '', text = ''}: TextSettings = {},
): CommandQuestion<string> {
	return {
		type: 'text',
		title: suggestion === '' ? title : `${title} (Enter: ${suggestion})`,
		field: textField(createBuffer(text)),
		isSecret: false,
		read: (typed) => typed || suggestion,
	};
}

/** Asks for a secret, showing only its length. */
export function askForSecret(title: string): CommandQuestion<string> {
	return {type: 'text', title: `${title} (hidden)`, field: noText, isSecret: true, read: String};
}

export type QuestionStep<Answer> =
	/** `lines`: shown before the next line. */
	| {readonly question: CommandQuestion<Answer>; readonly lines?: readonly string[]}
	/** `shown`: the line left on the screen. */
	| {readonly answer: Answer; readonly shown?: string};

export function isSecret(question: CommandQuestion<unknown>): boolean {
	return question.type === 'text' && question.isSecret;
}

/** Returns undefined if the key means nothing. */
export function press<Answer>(
	question: CommandQuestion<Answer>,
	key: KeyInput,
): QuestionStep<Answer> | undefined {
	const {title, field} = question;
	const chord = key.type === 'key' ? chordOf(key) : '';
	if (question.type === 'list') {
		const move = findListCommand(chord);
		const moved = move && moveIn(question.list, move, {pageRows: page, isCyclic: true});
		if (moved !== undefined) return {question: {...question, list: moved}};
		const chosen = endChords.has(chord) ? selectedItem(question.list)?.item : undefined;
		if (chosen !== undefined) return {answer: chosen.value, shown: `${title} ${chosen.label}`};
	} else if (endChords.has(chord)) {
		const text = textOf(field);
		const shown = question.isSecret ? dotsOf(text) : String(question.read(text));
		return {answer: question.read(text), shown: `${title}: ${shown}`};
	}
	const written = writeOnLine(field, key);
	return written === field ? undefined : {question: withField(question, written)};
}

function textOf({buffer}: TextField): string {
	return expand(buffer).trim();
}

function withField<Answer>(
	question: CommandQuestion<Answer>,
	field: TextField,
): CommandQuestion<Answer> {
	if (question.type === 'text' || textOf(field) === textOf(question.field))
		return {...question, field};
	const {settings} = question;
	const found = search(question.list, textOf(field), settings);
	const start = textOf(field) === '' ? (settings.start ?? 0) : 0;
	return {...question, field, list: selectAt(found, start)};
}

/** Rows per page. */
const page = 8;

/** Finds the options matching a typed text, and those made from it. */
function search<Value>(
	list: OptionList<Value>,
	typed: string,
	{more = () => []}: SelectSettings<Value>,
): OptionList<Value> {
	const found = narrowList(list, typed, labelOf);
	const made = typed === '' ? [] : more(typed);
	return {...found, items: [...found.items, ...made.map((item) => ({item, places: []}))]};
}

function labelOf<Value>({label}: Option<Value>): string {
	return label;
}

function describeOption<Value>({label, note}: Option<Value>): string {
	return note === undefined ? label : `${label}  ${note}`;
}

function countOf<Value>({items}: OptionList<Value>): number {
	return items.filter(({item}) => item.isApart !== true).length;
}

export type RowSize = {
	/** Rows that may be shown, at least 4. */
	readonly height: number;
	/** Cells per row. */
	readonly width: number;
};

/** Any text: it is cut to the window and made safe. */
export type PromptRow = {readonly text: string; readonly isChosen?: boolean};

export type PromptRows = {
	readonly rows: readonly PromptRow[];
	/** Cells between the cursor and the last row's end. */
	readonly cellsAfter: number;
};

/** Returns the rows to show, the first one with the question. */
export function drawRows<Answer>(
	question: CommandQuestion<Answer>,
	{height, width}: RowSize,
): PromptRows {
	const {title, field} = question;
	if (question.type === 'text') return writtenRows(`${title}:`, field, question.isSecret, width);
	const {list, settings} = question;
	const isSearch = list.all.length > 4 || settings.typing !== undefined;
	const search = isSearch ? `; type to search${typingOf(settings)}` : '';
	const above =
		textOf(field) === ''
			? wrapRows(`${title} (arrows and Enter${search})`, width)
			: writtenRows(title, field, false, width).rows;
	return {rows: [...above, ...listRows(list, Math.max(1, height - above.length))], cellsAfter: 0};
}

/** Returns the rows around the selected one, and their total below. */
function listRows<Value>(list: OptionList<Value>, height: number): readonly PromptRow[] {
	const {items} = list;
	if (items.length === 0) return [{text: '  nothing matches'}];
	const isWhole = items.length <= height;
	const rows = windowOf(list, isWhole ? height : height - 1).map(({item, mark, isSelected}) => ({
		text: mark + describeOption(item.item),
		isChosen: isSelected,
	}));
	return isWhole ? rows : [...rows, {text: `  (${countOf(list)} in total)`}];
}

/** The fewest cells beside a title. */
const leastRoom = 16;

export function wrapRows(text: string, width: number): readonly PromptRow[] {
	return wrapLine(text, width, '').map((row) => ({text: row}));
}

/** Returns a title, and beside or below it the text around the cursor. */
function writtenRows(
	title: string,
	field: TextField,
	isSecret: boolean,
	width: number,
): PromptRows {
	const titles = wrapLine(title, width, '');
	const last = titles.at(-1) ?? '';
	const isBeside = textWidth(last) + leastRoom < width;
	const label = isBeside ? `${last} ` : '';
	const above = isBeside ? titles.slice(0, -1) : titles;
	const room = width - textWidth(label) - 1;
	const {cursor} = field.buffer;
	const text = lineAt(field.buffer, 0);
	const show = (part: string) => (isSecret ? dotsOf(part) : part);
	const after = truncateToWidth(show(text.slice(cursor.column)), Math.floor(room / 2));
	const before = keepEnd(show(text.slice(0, cursor.column)), room - textWidth(after));
	const rows = [...above, label + before + after].map((row) => ({text: row}));
	return {rows, cellsAfter: textWidth(after)};
}

const maxDots = 200;

function dotsOf({length}: string): string {
	return '•'.repeat(Math.min(length, maxDots));
}

function keepEnd(text: string, room: number): string {
	if (text.length <= room && textWidth(text) <= room) return text;
	let rest = [...text.slice(-room)];
	while (textWidth(rest.join('')) > room - 1) rest = rest.slice(1);
	return `…${rest.join('')}`;
}

/** Returns the lines to show where nothing is redrawn; the cursor is at the last one's end. */
export function spokenLines<Answer>(question: CommandQuestion<Answer>): readonly string[] {
	if (question.type === 'text') return [`${question.title}:`];
	const {title, list} = question;
	const {lines, left} = numberItems(list, describeOption);
	return [
		`${title} ${plural(countOf(list), 'choice')}.`,
		...lines,
		...(left === 0 ? [] : [`${left} more; enter a part of a name to list them.`]),
		numberLine(question.settings),
	];
}

function typingOf<Answer>({typing}: SelectSettings<Answer>): string {
	return typing === undefined ? '' : `, or ${typing}`;
}

function numberLine<Answer>(settings: SelectSettings<Answer>): string {
	return `Number${typingOf(settings)}:`;
}

/** Returns a line key's answer. */
export function pressInLine<Answer>(
	question: CommandQuestion<Answer>,
	key: KeyInput,
): QuestionStep<Answer> {
	if (key.type !== 'key' || !endChords.has(chordOf(key))) {
		return {question: {...question, field: writeOnLine(question.field, key)}};
	}
	const line = textOf(question.field);
	if (question.type === 'text') {
		const answer = question.read(line);
		return question.isSecret ? {answer, shown: describeLength(line)} : {answer};
	}
	const {list, settings} = question;
	const chosen = chooseByLine(list, line, labelOf, {
		search: (all, part) => search(all, part, settings),
	});
	if (chosen !== undefined && 'item' in chosen) return {answer: chosen.item.value};
	const next = {...question, field: noText, list: chosen?.list ?? list};
	if (chosen !== undefined) return {question: next, lines: spokenLines(next)};
	const {length} = numberItems(list, describeOption).lines;
	const help = `Enter a number from 1 to ${length}, or a part of a name${typingOf(settings)}.`;
	return {question: next, lines: [help, numberLine(settings)]};
}

/** Shown for a typed or pasted secret. */
function describeLength({length}: string): string {
	return length === 0 ? '' : `(${plural(length, 'character')})`;
}
